import { Plural, useLingui } from '@lingui/react/macro'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Ban, CircleCheck, Clock, ScanSearch, SearchX, Sparkles, TriangleAlert, WifiOff } from 'lucide-react'
import { type ReactNode, Suspense, useEffect } from 'react'
import { Link } from 'wouter'
import { ApiError, errorText } from '#client/api.ts'
import { onlineAtom } from '#client/connection.ts'
import { lazyComponent } from '#client/lazy.ts'
import { failureOf } from '#client/query.ts'
import { PushOffer } from '#features/push/app/push.ts'
import { customEditEntry } from '#tools/ui/custom-edit-entry.tsx'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { GenerationView } from '../../schemas.ts'
import { statusLabels } from '../labels.ts'
import { cancelMutation, generationQuery, knownGeneration } from '../queries.ts'
import { isRemovedByRefund } from '../result/refund-request.tsx'
import type { GenerationProps } from '../result/result-menu.tsx'
import { markRevealed } from '../result/reveal-animation.ts'
import { isRepeatable } from '../result/use-continue-in-tool.tsx'
import { useWatched } from '../watched-generations.ts'
import { takesVideo } from './inputs.ts'
import { BusyNotice, RemainingTime } from './remaining-time.tsx'
import { StatusCard } from './status-card.tsx'
import { StudioLayout } from './studio-layout.tsx'
import { generationPhase } from './studio-state.ts'
import { WaitingPicture } from './waiting-picture.tsx'

export const ResultView = lazyComponent(() => import('../result/result-view.tsx'), 'ResultView')

/** After a refund only the menu is left. */
const ResultMenu = lazyComponent(() => import('../result/result-menu.tsx'), 'ResultMenu', null)

export function GenerationScreen(props: GenerationProps) {
  const { page, id, local, state = null, preview = null, back, details } = props
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const known = useQuery({ ...generationQuery(id), placeholderData: () => knownGeneration(client, id) })
  const { data, refetch } = known
  const error = failureOf(known)
  const localUrl = useObjectUrl(local?.original)
  useWatched(id)
  const phase = generationPhase({ upload: undefined, resultId: id }, data)
  const ended = phase === 'failed' || phase === 'cancelled'
  const previewed = preview !== null && data !== undefined && phase === 'running'
  useEffect(() => {
    if (previewed) markRevealed(id)
  }, [id, previewed])

  if (!data && error) {
    const gone = error instanceof ApiError && error.status === 404
    const Icon = gone ? SearchX : WifiOff
    return (
      <EmptyState
        picture={<Icon aria-hidden className="size-12 text-muted" />}
        heading="h1"
        title={gone ? t`Hasil ini sudah tidak ada` : t`Hasil belum bisa dibuka`}
        action={
          gone ? (
            <Button onClick={props.onOther}>
              {takesVideo(page.definition) ? t`Pilih video lain` : t`Mulai dengan foto lain`}
            </Button>
          ) : (
            <Button onClick={() => void refetch()}>{t`Coba lagi`}</Button>
          )
        }
      >
        {gone ? t`Mungkin sudah dihapus atau masa simpannya habis.` : errorText(error)}
      </EmptyState>
    )
  }
  const input = data?.inputs[0]
  const video = input?.contentType.startsWith('video/') ?? false
  const returned = data !== undefined && isRemovedByRefund(data)
  const layout = {
    heading: props.heading ?? i18n._(page.definition.label),
    back,
    stage: (
      <WaitingPicture
        page={page}
        state={state}
        url={localUrl ?? input?.url ?? data?.thumbnailUrl ?? null}
        size={local?.size ?? input ?? (data ? null : { width: 4, height: 3 })}
        video={video}
        alt={video ? t`Video yang diproses` : t`Foto yang diproses`}
        working={!ended && !returned}
        preview={preview}
      />
    ),
  }
  const waiting = (
    <StudioLayout {...layout}>
      <Skeleton className="h-39 lg:h-64" />
    </StudioLayout>
  )
  if (!data) return waiting
  if (returned) {
    return (
      <StudioLayout {...layout} actions={<ResultMenu {...props} generation={data} output={undefined} />}>
        <StatusCard
          tone="busy"
          icon={CircleCheck}
          title={t`Hasilnya sudah dihapus`}
          actions={
            <NextSteps
              video={takesVideo(page.definition)}
              again={props.onTryAgain}
              onOther={props.onOther}
              toDesigner
            />
          }
        >
          <RefundedCredits count={data.refundRequest?.refunded ?? 0} />
        </StatusCard>
      </StudioLayout>
    )
  }
  if (phase === 'succeeded') {
    return (
      <Suspense fallback={waiting}>
        <ResultView key={id} {...props} generation={data} />
      </Suspense>
    )
  }
  return (
    <StudioLayout {...layout}>
      <GenerationStatus {...props} generation={data} />
      {ended && details}
    </StudioLayout>
  )
}

function GenerationStatus({ page, generation, onTryAgain, onOther }: GenerationProps & { generation: GenerationView }) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const cancel = useMutation(cancelMutation(client))
  const online = useAtomValue(onlineAtom)
  const { status, position, progress, error } = generation
  const title = i18n._(statusLabels(generation))
  const video = takesVideo(page.definition)

  if (status === 'failed' || status === 'cancelled') {
    const recovery = page.recovery?.[error?.code ?? '']
    const isWorthRetrying = status === 'cancelled' || transientFailures.includes(error?.code ?? '')
    // A request that failed twice in the same way will fail again.
    const repeated = error?.repeated === true && !recovery
    // Most texts of the server end with it, which would contradict a refund.
    const free = t`Tidak ada kredit yang terpakai.`
    const again = isRepeatable(generation, page) ? onTryAgain : undefined
    return (
      <StatusCard
        {...(status === 'failed' ? { tone: 'bad', icon: TriangleAlert } : { tone: 'wait', icon: Ban })}
        title={title}
        actions={
          <NextSteps
            video={video}
            again={again && (() => again(recovery))}
            onOther={onOther}
            toDesigner={repeated || designerFailures.includes(error?.code ?? '')}
          >
            {recovery ? i18n._(recovery.label) : !isWorthRetrying && t`Ubah pilihannya`}
          </NextSteps>
        }
      >
        {error && <p>{error.msg.replace(free, '').trim()}</p>}
        {repeated && <p>{t`Ini sudah dua kali gagal dengan cara yang sama, jadi mencoba lagi tidak akan membantu.`}</p>}
        <p className="font-medium text-base-content">
          {generation.credits > 0 ? <RefundedCredits count={generation.credits} /> : free}
        </p>
      </StatusCard>
    )
  }
  const queued = status === 'queued'
  const ahead =
    position !== null &&
    (video ? (
      <Plural value={position} one="# video lagi di depanmu." other="# video lagi di depanmu." />
    ) : (
      <Plural value={position} one="# foto lagi di depanmu." other="# foto lagi di depanmu." />
    ))
  return (
    <StatusCard
      tone="busy"
      icon={queued ? Clock : status === 'detecting' ? ScanSearch : Sparkles}
      title={title}
      share={queued ? undefined : progress}
      actions={
        <>
          <PushOffer since={generation.createdAt}>{t`Beri tahu aku kalau sudah siap`}</PushOffer>
          <Button
            variant="ghost"
            busy={cancel.isPending}
            onClick={() =>
              cancel.mutate(generation.id, { onError: (error) => showSnackbar('error', errorText(error)) })
            }
          >
            {t`Batalkan`}
          </Button>
        </>
      }
    >
      {online && <BusyNotice key={`${status} ${position} ${progress}`} />}
      {!online && t`Sudah terkirim. Hasilnya muncul begitu kamu online lagi.`}
      {online && queued && (position ? ahead : t`Sebentar lagi giliranmu.`)}
      {online && !queued && (
        <>
          <RemainingTime progress={progress} />
          {t`Kamu boleh menutup halaman ini. Hasilnya ada di Riwayat.`}
        </>
      )}
    </StatusCard>
  )
}

const RefundedCredits = ({ count }: { count: number }) => (
  <Plural value={count} one="# kredit sudah kembali ke saldomu." other="# kredit sudah kembali ke saldomu." />
)

function NextSteps({
  video,
  again,
  onOther,
  toDesigner,
  children,
}: {
  video: boolean
  again: (() => void) | undefined
  onOther: () => void
  toDesigner: boolean
  /** Label of `again`. */
  children?: ReactNode
}) {
  const { t } = useLingui()
  return (
    <>
      {again && (
        <Button onClick={() => again()}>
          {children || (video ? t`Coba lagi dengan video ini` : t`Coba lagi dengan foto ini`)}
        </Button>
      )}
      <Button variant={again ? 'ghost' : 'primary'} onClick={onOther}>
        {video ? t`Pilih video lain` : t`Pilih foto lain`}
      </Button>
      {toDesigner && (
        <Link to={customEditEntry.route} className="btn btn-ghost">
          {t`Minta bantuan desainer`}
        </Link>
      )}
    </>
  )
}

/** Limits of the engine that a designer does not have. */
const designerFailures = [
  'engine.face_turned',
  'engine.face_hidden',
  'engine.face_bearded',
  'engine.mouth_open',
  'engine.swap_unusable',
]

/** Independent of the picture, so another attempt may succeed. */
const transientFailures = [
  'engine.crashed',
  'engine.failed',
  'engine.timeout',
  'engine.provider_failed',
  'engine.unchecked_picture',
  'server.error',
  'server.unavailable',
]
