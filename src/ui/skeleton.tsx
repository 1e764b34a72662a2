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

export function SkeletonText({ lines = 3 }: { lines?: number }) {
  return (
    <div aria-hidden="true" className="grid gap-2.5">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((line, index) => (
        <div key={line} className={`skeleton h-4 rounded-full ${index === lines - 1 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </div>
  )
}
