import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { SearchX, WifiOff } from 'lucide-react'
import { lazy, type ReactNode, Suspense } from 'react'
import { ApiError } from '#app/api.ts'
import { errorText } from '#app/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useObjectUrl } from '#tools/object-url.ts'
import type { AnyToolPage } from '#tools/page.ts'
import { generationQuery, isOpen, knownGeneration } from '../queries.ts'
import { useWatched } from '../watched.ts'
import { GenerationStatus } from './generation-status.tsx'
import { PictureFrame } from './picture-frame.tsx'
import { StudioLayout } from './studio-layout.tsx'

/** A result is there after a while; what shows it comes meanwhile. */
const ResultView = lazy(async () => ({ default: (await import('../result/result-view.tsx')).ResultView }))

/** One generation, from its place in the queue to its result. */
export function GenerationStage({
  page,
  id,
  local,
  heading,
  onStartAgain,
  onTryAgain,
  onDeleted,
}: {
  page: AnyToolPage
  id: string
  /** The picture on this device that it is made from, where it is still at hand. */
  local: Blob | null
  heading?: ReactNode
  /** With another picture. */
  onStartAgain: () => void
  /** With the same picture, where it is at hand. */
  onTryAgain: (() => void) | null
  onDeleted: () => void
}) {
  const { t, i18n } = useLingui()
  const client = useQueryClient()
  const { data, error, refetch } = useQuery({
    ...generationQuery(id),
    placeholderData: () => knownGeneration(client, id),
  })
  const localUrl = useObjectUrl(local)
  useWatched(id)

  if (!data && error) {
    const gone = error instanceof ApiError && error.status === 404
    const Icon = gone ? SearchX : WifiOff
    return (
      <EmptyState
        picture={<Icon aria-hidden className="size-12 text-muted" />}
        title={gone ? t`Hasil ini sudah tidak ada` : t`Hasil belum bisa dibuka`}
        action={
          gone ? (
            <Button onClick={onStartAgain}>{t`Mulai dengan foto lain`}</Button>
          ) : (
            <Button onClick={() => void refetch()}>{t`Coba lagi`}</Button>
          )
        }
      >
        {gone ? t`Mungkin sudah dihapus atau masa simpannya habis.` : errorText(error)}
      </EmptyState>
    )
  }
  const loading = (
    <StudioLayout heading={heading ?? i18n._(page.facts.label)} stage={<Skeleton className="stage" />}>
      <Skeleton className="h-56" />
    </StudioLayout>
  )
  if (!data) return loading
  if (data.status === 'succeeded') {
    return (
      <Suspense fallback={loading}>
        <ResultView
          key={id}
          page={page}
          generation={data}
          local={local}
          heading={heading}
          onStartAgain={onStartAgain}
          onDeleted={onDeleted}
        />
      </Suspense>
    )
  }
  const input = data.inputs[0]
  const url = localUrl ?? input?.url ?? data.thumbnailUrl
  return (
    <StudioLayout
      heading={heading ?? i18n._(page.facts.label)}
      stage={
        <PictureFrame
          url={url}
          size={input ?? null}
          video={input?.contentType.startsWith('video/') ?? false}
          alt={t`Foto yang diproses`}
        >
          {isOpen(data) && <div className="working rounded-lg" />}
        </PictureFrame>
      }
    >
      <GenerationStatus
        generation={data}
        again={
          <>
            {onTryAgain && <Button onClick={onTryAgain}>{t`Coba lagi dengan foto ini`}</Button>}
            <Button variant={onTryAgain ? 'ghost' : 'primary'} onClick={onStartAgain}>
              {t`Pilih foto lain`}
            </Button>
          </>
        }
      />
    </StudioLayout>
  )
}
