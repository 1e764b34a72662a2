import type { ReactNode } from 'react'
import { LoadFailed } from '../load-failed.tsx'
import { Skeleton } from '../skeleton.tsx'
import { Panel } from './page.tsx'

interface Query<Data> {
  data: Data | undefined
  error: unknown
  refetch: () => unknown
}

/** What a query brings, once it is there; until then its place, or why it does not come. */
export function Loaded<Data>({
  query: { data, error, refetch },
  height = 'h-64',
  bare = false,
  children,
}: {
  query: Query<Data>
  /** Class of the place that is kept for it. */
  height?: string
  /** It stands in a panel already. */
  bare?: boolean
  children: (data: Data) => ReactNode
}) {
  if (data !== undefined) return children(data)
  if (!error) return <Skeleton className={bare ? `m-4 ${height}` : height} />
  const failed = <LoadFailed error={error} onRetry={() => void refetch()} />
  return bare ? failed : <Panel>{failed}</Panel>
}
