import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SearchX, WifiOff } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { ApiError } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import { lazyComponent } from '#client/lazy.ts'
import { failureOf } from '#client/query.ts'
import { useObjectUrl } from '#tools/ui/object-url.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { generationQuery, knownGeneration } from '../queries.ts'
import { isReturned, RefundNotice } from '../result/refund-request.tsx'
import { notePreviewed } from '../result/reveal.ts'
import { useWatched } from '../watched.ts'
import type { GenerationProps } from './generation-props.ts'
import { GenerationStatus } from './generation-status.tsx'
import { takesVideo } from './inputs.ts'
import { StudioLayout } from './studio-layout.tsx'
import { runPhase } from './studio-reducer.ts'
import { WaitingPicture } from './waiting-picture.tsx'

/** A result is there after a while; what shows it comes meanwhile. */
const ResultView = lazyComponent(() => import('../result/result-view.tsx'), 'ResultView')

/** Where a result went back, little else is left. */
const ResultMenu = lazyComponent(() => import('../result/result-menu.tsx'), 'ResultMenu')

/** One generation, from its place in the queue to its result. */
export function GenerationScreen(props: GenerationProps) {
  const { page, id, local, state = null, preview = null, back, details } = props
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const known = useQuery({ ...generationQuery(id), placeholderData: () => knownGeneration(client, id) })
  const { data, refetch } = known
  const error = failureOf(known)
  const localUrl = useObjectUrl(local?.original)
  useWatched(id)
  const phase = data ? runPhase(data.status) : 'running'
  const previewed = preview !== null && data !== undefined && phase === 'running'
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
            <Button onClick={props.onStartAgain}>
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
  const returned = data !== undefined && isReturned(data)
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
        working={phase !== 'failed' && !returned}
        preview={preview}
      />
    ),
  }
  if (!data) return <StudioLayout {...layout} />
  if (returned) {
    return (
      <StudioLayout
        {...layout}
        actions={
          <Suspense fallback={null}>
            <ResultMenu {...props} generation={data} output={undefined} />
          </Suspense>
        }
        notes={<RefundNotice generation={data} />}
      />
    )
  }
  if (phase === 'done') {
    return (
      <Suspense fallback={<StudioLayout {...layout} />}>
        <ResultView key={id} {...props} generation={data} />
      </Suspense>
    )
  }
  return (
    <StudioLayout {...layout}>
      <GenerationStatus {...props} generation={data} />
      {phase === 'failed' && details}
    </StudioLayout>
  )
}
