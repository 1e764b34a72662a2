import type { ReactNode } from 'react'
import { usePageTitle } from '../page-title.ts'

/** A screen of the admin area: its name, what can be done from here, and the rest. */
export function AdminPage({
  title,
  heading = title,
  above,
  actions,
  children,
}: {
  title: string
  heading?: ReactNode
  /** Above the heading, e.g. the way back. */
  above?: ReactNode
  actions?: ReactNode
  children: ReactNode
}) {
  usePageTitle(title)
  return (
    <div className="mx-auto w-full max-w-328 px-4 pt-4 pb-16 lg:px-6 lg:pt-6">
      <header className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        {/* On phones what can be done comes below a name that leaves no room for it. */}
        <div className="grid min-w-0 flex-1 gap-1 max-md:flex-auto">
          {above}
          <h1>{heading}</h1>
        </div>
        {actions}
      </header>
      {children}
    </div>
  )
}

export const surface = 'card min-w-0 shadow-xs'

/** A surface with a heading. */
export function Panel({ title, actions, children }: { title?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className={surface}>
      {title && (
        <header className="flex min-h-12 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          <h2 className="flex-1">{title}</h2>
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
    <dl className="grid grid-cols-[minmax(6rem,auto)_minmax(0,1fr)] gap-x-4 gap-y-2 p-4">
      {shown.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: facts are a fixed list
        <div key={index} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="min-w-0 wrap-anywhere font-medium">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An identifier or code of the machine's. */
export function Code({ children }: { children: ReactNode }) {
  return <span className="font-mono font-normal text-[0.8125rem]">{children}</span>
}

/** Nothing is there: says so quietly. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="px-4 py-12 text-center text-muted">{children}</p>
}
