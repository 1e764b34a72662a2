import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { formatBytes, formatDate, formatDateTime, formatSize } from '#client/format.ts'
import { findToolPage, toolPages } from '#tools/pages.ts'
import { CreditCount } from '#ui/credit-count.tsx'
import { Detail, Details } from '#ui/lists/panel.tsx'
import type { GenerationView } from '../../schemas.ts'
import { draftFiles, saveDraft } from '../draft.ts'
import { statusLabels } from '../labels.ts'
import { generationQuery, knownGeneration } from '../queries.ts'
import { formatName } from '../result/save-picture.ts'
import { useTryAgain } from '../result/use-continue-in-tool.tsx'
import { GenerationScreen } from '../studio/generation-screen.tsx'
import { acceptedTypes, takesSeveral } from '../studio/inputs.ts'

/** Loaded once a result is opened. */
export function HistoryDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const [, navigate] = useLocation()
  const { data } = useQuery({ ...generationQuery(id), placeholderData: () => knownGeneration(client, id) })
  const page = findToolPage(data?.tool ?? '') ?? toolPages['background-removal']
  const picker = useRef<HTMLInputElement>(null)
  const onTryAgain = useTryAgain(data)
  return (
    <>
      <GenerationScreen
        page={page}
        id={id}
        heading={i18n._(page.definition.label)}
        back={{ label: t`Riwayat`, onBack: onClose }}
        details={data && <Facts generation={data} />}
        onTryAgain={onTryAgain}
        onOther={() => picker.current?.click()}
        onDeleted={onClose}
      />
      <input
        ref={picker}
        type="file"
        accept={acceptedTypes(page)}
        multiple={takesSeveral(page.definition)}
        hidden
        onChange={async ({ target }) => {
          await saveDraft({ tool: page.definition.id, files: draftFiles([...(target.files ?? [])]) })
          navigate(page.definition.route)
        }}
      />
    </>
  )
}

function Facts({ generation }: { generation: GenerationView }) {
  const { t, i18n } = useLingui()
  const output = generation.outputs[0]
  const { status, refundRequest } = generation
  const refunded = status === 'failed' || status === 'cancelled' || refundRequest?.status === 'refunded'
  return (
    <section aria-labelledby="details" className="mt-4 border-line border-t pt-4 *:[dl]:p-0">
      <h2 id="details" className="mb-3 font-bold">
        {t`Rincian`}
      </h2>
      <Details>
        <Detail name={t`Status`}>{i18n._(statusLabels(generation))}</Detail>
        <Detail name={t`Dibuat`}>{formatDateTime(generation.createdAt)}</Detail>
        <Detail name={t`Kredit`}>
          <CreditCount count={generation.credits} />
          {refunded && generation.credits > 0 && ` · ${t`sudah kembali`}`}
        </Detail>
        <Detail name={t`Disimpan sampai`}>{formatDate(generation.expiresAt)}</Detail>
        {output && (
          <Detail name={t`Berkas`}>
            {formatName(output.contentType)}, {formatSize(output)}, {formatBytes(output.bytes)}
          </Detail>
        )}
      </Details>
    </section>
  )
}
