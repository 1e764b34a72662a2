import type { ReactNode } from 'react'

/** Nothing here yet: says so, and what to do. */
export function EmptyState({
  picture,
  title,
  children,
  action,
}: {
  picture?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="mx-auto grid max-w-sm justify-items-center gap-3 px-4 py-12 text-center">
      {picture}
      <h2 className="text-xl font-bold">{title}</h2>
      {children && <p className="leading-relaxed text-muted">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
