import type { ReactNode } from 'react'
import { LoadFailed } from './load-failed.tsx'
import { Skeleton } from './skeleton.tsx'

interface Loadable<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

/** What a query brings, once it is there; until then its place, or why it does not come. */
export function Loaded<Data>({
  query: { data, error, refetch },
  height = 'h-64',
  children,
}: {
  query: Loadable<Data>
  /** Class of the place that is kept for it. */
  height?: string
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <Skeleton className={height} />
}
