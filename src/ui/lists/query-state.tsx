import { useLingui } from '@lingui/react/macro'
import type { UseQueryResult } from '@tanstack/react-query'
import { CloudOff, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError, errorText } from '#client/api.ts'
import { failureOf } from '#client/query.ts'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Skeleton } from '../skeleton.tsx'

export function Loaded<Data>({
  query: { data, error, refetch },
  height = 'h-64',
  children,
}: {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>
  /** Class of the placeholder. */
  height?: string
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <Skeleton className={height} />
}

/** For the operator, after a server error. */
function RequestNumber({ error }: { error: unknown }) {
  const { t } = useLingui()
  if (!(error instanceof ApiError) || error.status < 500 || error.requestId === null) return null
  return <span className="block text-muted text-xs">{t`Nomor permintaan: ${error.requestId}`}</span>
}

function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui()
  const missing = error instanceof ApiError && error.status === 404
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <TriangleAlert aria-hidden className="size-6 text-error" />
      <p className="max-w-sm">
        {errorText(error)}
        <RequestNumber error={error} />
      </p>
      {!missing && <Button variant="outline" onClick={onRetry}>{t`Coba lagi`}</Button>}
    </div>
  )
}

/** Shows `children` while loading. */
export function PageLoadFailed({
  queries,
  title,
  action,
  children,
}: {
  queries: Pick<UseQueryResult, 'data' | 'error' | 'isPaused' | 'isFetching' | 'refetch'>[]
  title: string
  action?: ReactNode
  children?: ReactNode
}) {
  const { t } = useLingui()
  const missing = queries.filter(({ data }) => data === undefined)
  const failure = missing.map(failureOf).find(Boolean)
  if (!failure) return children
  return (
    <EmptyState
      picture={<CloudOff aria-hidden className="size-12 text-muted" />}
      title={title}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          <Button
            busy={missing.some(({ isFetching }) => isFetching)}
            onClick={() => {
              for (const query of missing) void query.refetch()
            }}
          >{t`Coba lagi`}</Button>
          {action}
        </div>
      }
    >
      {errorText(failure)}
      <RequestNumber error={failure} />
    </EmptyState>
  )
}
