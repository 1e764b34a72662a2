import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLocation, useSearchParams } from 'wouter'
import { formatBytes, formatDate, formatDateTime, formatNumber } from '#client/format.ts'
import { findToolPage, toolPages } from '#tools/pages.ts'
import { Detail, Details } from '#ui/lists/panel.tsx'
import type { GenerationView } from '../../schemas.ts'
import { draftFiles, saveDraft } from '../draft.ts'
import { statusLabels } from '../labels.ts'
import { generationQuery, knownGeneration } from '../queries.ts'
import { formatName } from '../result/save-picture.ts'
import { useTryAgain } from '../result/use-continue-in-tool.ts'
import '../studio.css'
import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useRef } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { OpenQueueButton } from '#features/uploads/app/uploads.ts'
import { LinkButton } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import { EmptyIllustration } from '#ui/empty-illustration.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { StudioSkeleton } from '#ui/skeleton.tsx'
import { acceptedTypes, takesSeveral } from '../studio/inputs.ts'
import { HistoryList } from './history-list.tsx'

const GenerationScreen = lazyComponent(
  () => import('../studio/generation-screen.tsx'),
  'GenerationScreen',
  <StudioSkeleton />,
)

/** `children`: other features' work, above the list. */
export function HistoryPage({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [search, setSearch] = useSearchParams()
  const shown = search.get('id')
  const scrolled = useRef(0)
  useEffect(() => {
    if (shown || scrolled.current > 0) window.scrollTo(0, shown ? 0 : scrolled.current)
  }, [shown])

  const open = (id: string | null) => {
    if (id) {
      scrolled.current = window.scrollY
      search.set('id', id)
    } else search.delete('id')
    setSearch(search)
  }
  return (
    <div className="page pb-16">
      {!signedIn ? (
        <>
          <PageHeader title={t`Riwayat`} />
          <EmptyState
            picture={<EmptyIllustration className="w-44" />}
            title={t`Masuk untuk melihat hasilmu`}
            action={
              <LinkButton size="lg" to="/login" state={{ from: shown ? `/history?id=${shown}` : '/history' }}>
                {t`Masuk`}
              </LinkButton>
            }
          >
            {t`Semua foto yang kamu edit tersimpan di sini selama 30 hari.`}
          </EmptyState>
        </>
      ) : shown ? (
        <HistoryDetail id={shown} onClose={() => open(null)} />
      ) : (
        <>
          <HistoryList onOpen={open}>{children}</HistoryList>
          <p className="mt-10 flex flex-wrap items-center justify-center gap-x-2 text-muted text-sm">
            {t`Ada unggahan yang belum terkirim di perangkat lain?`}
            <OpenQueueButton />
          </p>
        </>
      )}
    </div>
  )
}

function HistoryDetail({ id, onClose }: { id: string; onClose: () => void }) {
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
            {formatName(output.contentType)}, {formatNumber(output.width)} × {formatNumber(output.height)},{' '}
            {formatBytes(output.bytes)}
          </Detail>
        )}
      </Details>
    </section>
  )
}
