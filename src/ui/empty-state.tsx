import type { ReactNode } from 'react'

export function EmptyState({
  picture,
  title,
  heading: Heading = 'h2',
  children,
  action,
}: {
  picture?: ReactNode
  title: ReactNode
  /** `h1` where it is the screen's only content. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
  action?: ReactNode
}) {
  return (
    <div className="mx-auto grid max-w-sm grid-cols-1 justify-items-center gap-3 px-4 py-12 text-center">
      {picture}
      <Heading className="text-xl font-bold">{title}</Heading>
      {children && <p className="leading-relaxed text-muted">{children}</p>}
      {action && <div className="mt-3">{action}</div>}
    </div>
  )
}
