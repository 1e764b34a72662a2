import { useLingui } from '@lingui/react/macro'

export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`skeleton ${className}`} />
}

export function PageSkeleton({ className, shapes }: { className: string; shapes: string[] }) {
  const { t } = useLingui()
  return (
    <div role="status" className={className}>
      <span className="sr-only">{t`Memuat…`}</span>
      {Object.entries(shapes).map(([name, shape]) => (
        <Skeleton key={name} className={shape} />
      ))}
    </div>
  )
}

/** A studio that is loading; public/early.js has the same classes. */
export function StudioSkeleton() {
  const { t } = useLingui()
  return (
    <div
      role="status"
      className="fixed inset-0 z-30 grid grid-cols-1 grid-rows-[auto_minmax(0,1fr)_max(35%,min(15.5rem,50%))] bg-base-200 pt-[env(safe-area-inset-top)] beside:grid-cols-[minmax(0,1fr)_clamp(min(17rem,50%),39%,25rem)] beside:grid-rows-[auto_minmax(0,1fr)]"
    >
      <div className="col-start-1 flex h-12 items-center gap-2 pr-2 pl-14 font-bold lg:h-16 lg:pl-18 lg:text-2xl">
        <span className="sr-only">{t`Memuat…`}</span>
        <Skeleton className="h-6 w-40" />
      </div>
      <div className="relative col-start-1 min-h-0 bg-base-300/60" />
      <div className="z-1 grid min-h-0 content-between gap-3 rounded-t-box bg-base-100 p-5 beside:col-start-2 beside:row-span-2 beside:row-start-1 beside:rounded-none">
        <Skeleton className="h-16" />
        <Skeleton className="h-12" />
      </div>
    </div>
  )
}

export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-2.5">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line, index) => (
        <div key={line} className={`skeleton h-4 rounded-full ${index === lines - 1 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </div>
  )
}
