import { Plural, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { formatBytes, formatDate, formatDateTime, formatNumber } from '#client/format.ts'
import { findToolPage, toolPages } from '#tools/pages.ts'
import type { GenerationView } from '../../types.ts'
import { statusLabels } from '../labels.ts'
import { generationQuery, knownGeneration } from '../queries.ts'
import { formatName } from '../result/format-name.ts'
import { GenerationScreen } from '../studio/generation-screen.tsx'

/** One entry of the history, with everything the studio offers for a finished result. */
export function HistoryDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { data } = useQuery({ ...generationQuery(id), placeholderData: () => knownGeneration(client, id) })
  const page = findToolPage(data?.tool ?? '') ?? toolPages['background-removal']
  return (
    <GenerationScreen
      page={page}
      id={id}
      heading={i18n._(page.definition.label)}
      back={{ label: t`Riwayat`, onBack: onClose }}
      details={data && <Details generation={data} />}
      onStartAgain={() => navigate(page.definition.route)}
      onDeleted={onClose}
    />
  )
}

function Details({ generation }: { generation: GenerationView }) {
  const { t, i18n } = useLingui()
  const output = generation.outputs[0]
  const { status, refundRequest } = generation
  const refunded = status === 'failed' || status === 'cancelled' || refundRequest?.status === 'refunded'
  return (
    <section aria-labelledby="details" className="mt-4 border-line border-t pt-4">
      <h2 id="details" className="mb-3 font-bold">
        {t`Rincian`}
      </h2>
      <dl className="grid gap-x-8 gap-y-3 text-sm sm:grid-cols-2">
        <Fact name={t`Status`}>{i18n._(statusLabels(generation))}</Fact>
        <Fact name={t`Dibuat`}>{formatDateTime(generation.createdAt)}</Fact>
        <Fact name={t`Kredit`}>
          <Plural value={generation.credits} one="# kredit" other="# kredit" />
          {refunded && generation.credits > 0 && ` · ${t`sudah kembali`}`}
        </Fact>
        <Fact name={t`Disimpan sampai`}>{formatDate(generation.expiresAt)}</Fact>
        {output && (
          <Fact name={t`Berkas`}>
            {formatName(output.contentType)}, {formatNumber(output.width)} × {formatNumber(output.height)},{' '}
            {formatBytes(output.bytes)}
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-sm">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  )
}
