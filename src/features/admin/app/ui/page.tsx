import type { ReactNode } from 'react'
import { usePageTitle } from '#ui/page-title.ts'

/** A screen of the admin area: its name, what can be done from here, and the rest. */
export function AdminPage({
  title,
  heading = title,
  actions,
  children,
}: {
  title: string
  heading?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  usePageTitle(title)
  return (
    <div className="adm-page">
      <header>
        {/* On phones what can be done comes below a name that leaves no room for it. */}
        <h1 className="min-w-0 flex-1 max-md:flex-auto">{heading}</h1>
        {actions}
      </header>
      {children}
    </div>
  )
}

/** A surface with a heading. */
export function Panel({
  title,
  actions,
  children,
  className = '',
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={`adm-panel ${className}`}>
      {title && (
        <header>
          <h2>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

/** Names and values in two columns. */
export function Facts({
  items,
}: {
  items: readonly (readonly [ReactNode, ReactNode] | null | undefined | false | '')[]
}) {
  const shown = items.filter((item): item is readonly [ReactNode, ReactNode] => Boolean(item))
  return (
    <dl className="adm-facts">
      {shown.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts are a fixed list
        <div key={index} className="contents">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Nothing is there: says so quietly. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="px-4 py-12 text-center text-muted">{children}</p>
}
