import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SearchX, WifiOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect } from 'react'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { failureOf } from '#client/query.ts'
import type { DevicePicture } from '#tools/browser/messages.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import type { ChosenPicture } from '../chosen-picture.ts'
import { generationQuery, isOpen, knownGeneration } from '../queries.ts'
import { ClaimNotice, isReturned } from '../result/claim.tsx'
import { notePreviewed } from '../result/reveal.ts'
import { useWatched } from '../watched.ts'
import { DevicePreview, previewShape } from './device-preview.tsx'
import { FailureActions } from './failure-actions.tsx'
import { GenerationStatus } from './generation-status.tsx'
import { takesVideo } from './inputs.ts'
import { PictureFrame } from './picture-frame.tsx'
import { StudioLayout } from './studio-layout.tsx'
import type { RunChange } from './try-again.ts'

/** A result is there after a while; what shows it comes meanwhile. */
const ResultView = lazy(async () => ({ default: (await import('../result/result-view.tsx')).ResultView }))

/** Where a result went back, little else is left. */
const ResultMenu = lazy(async () => ({ default: (await import('../result/result-menu.tsx')).ResultMenu }))

/** One generation, from its place in the queue to its result. */
export function GenerationStage({
  page,
  id,
  local,
  arrange = (_over, otherwise) => otherwise,
  preview = null,
  heading,
  back,
  details,
  onStartAgain,
  onTryAgain,
  onDeleted,
}: {
  page: AnyToolPage
  id: string
  /** The picture on this device that it is made from, where it is still at hand. */
  local: ChosenPicture | null
  /** Shows all that it is made from instead of one picture, where that is still at hand. */
  arrange?: ((over: ReactNode, otherwise: ReactNode) => ReactNode) | undefined
  /** What this device has made of it. */
  preview?: DevicePicture | null
  heading?: ReactNode
  /** The way out; to the home page unless given. */
  back?: ReactNode
  /** Facts of the entry, in the history. */
  details?: ReactNode
  /** With another picture. */
  onStartAgain: () => void
  /** With the same file, where it is at hand, and a change. */
  onTryAgain: ((help?: RunChange) => void) | null
  onDeleted: () => void
}) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const known = useQuery({
    ...generationQuery(id),
    placeholderData: () => knownGeneration(client, id),
  })
  const { data, refetch } = known
  const error = failureOf(known)
  const localUrl = useObjectUrl(local?.original)
  useWatched(id)
  const previewed = preview !== null && data !== undefined && isOpen(data)
  useEffect(() => {
    if (previewed) notePreviewed(id)
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
            <Button onClick={onStartAgain}>
              {takesVideo(page.facts) ? t`Pilih video lain` : t`Mulai dengan foto lain`}
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
  const url = localUrl ?? input?.url ?? data?.thumbnailUrl ?? null
  const title = heading ?? i18n._(page.facts.label)
  const returned = data !== undefined && isReturned(data)
  const working = !data || isOpen(data) || (data.status === 'succeeded' && !returned)
  const light = working && <div className="working" />
  const picture = arrange(
    light,
    <PictureFrame
      url={url}
      size={
        (working && previewShape(preview, local?.size)) ||
        (local?.size ?? input ?? (data ? null : { width: 4, height: 3 }))
      }
      video={video}
      alt={video ? t`Video yang diproses` : t`Foto yang diproses`}
    >
      {working && preview ? <DevicePreview picture={preview} /> : light}
    </PictureFrame>,
  )
  const loading = <StudioLayout heading={title} back={back} stage={picture} />
  if (!data) return loading
  if (returned) {
    return (
      <StudioLayout
        heading={title}
        back={back}
        stage={picture}
        actions={
          <Suspense fallback={null}>
            <ResultMenu page={page} generation={data} output={undefined} details={details} onDeleted={onDeleted} />
          </Suspense>
        }
        notes={<ClaimNotice generation={data} />}
      />
    )
  }
  if (data.status === 'succeeded') {
    return (
      <Suspense fallback={loading}>
        <ResultView
          key={id}
          page={page}
          generation={data}
          local={local?.original ?? null}
          preview={preview?.blob ?? null}
          heading={heading}
          back={back}
          details={details}
          onStartAgain={onStartAgain}
          onTryAgain={onTryAgain}
          onDeleted={onDeleted}
        />
      </Suspense>
    )
  }
  return (
    <StudioLayout heading={title} back={back} stage={picture}>
      <GenerationStatus
        page={page}
        generation={data}
        again={<FailureActions page={page} generation={data} onTryAgain={onTryAgain} onStartAgain={onStartAgain} />}
      />
      {!isOpen(data) && details}
    </StudioLayout>
  )
}
