import type { Key, ReactNode } from 'react'
import { Link } from 'wouter'

/** With very large text on a phone its rows put one thing below the other. */
export function Panel({ title, actions, children }: { title?: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="card @container min-w-0 shadow-xs">
      {title && (
        <header className="flex min-h-12 flex-wrap items-center gap-2 border-line border-b px-4 py-2">
          <h2 className="flex-1 font-bold text-[0.9375rem]">{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

export function EmptyMessage({ children }: { children: ReactNode }) {
  return <p className="px-4 py-12 text-center text-muted">{children}</p>
}

interface Row {
  key: Key
  title?: ReactNode
  text?: ReactNode
  note?: ReactNode
  end?: ReactNode
  below?: ReactNode
}

export function Rows({ rows, empty }: { rows: readonly Row[]; empty?: ReactNode }) {
  if (rows.length === 0) return empty && <EmptyMessage>{empty}</EmptyMessage>
  return (
    <ul className="list">
      {rows.map(({ key, title, text, note, end, below }) => (
        <li key={key} className="list-row items-center gap-y-2 px-4 py-2.5 @max-2xs:flex @max-2xs:flex-wrap">
          <div className="list-col-grow grid min-w-0 @max-2xs:w-full">
            {title && <span className="font-semibold">{title}</span>}
            {text && <span>{text}</span>}
            {note && <span className="text-muted text-xs">{note}</span>}
          </div>
          {end}
          {below && <div className={`list-col-wrap col-start-1 ${end ? 'col-span-2' : ''}`}>{below}</div>}
        </li>
      ))}
    </ul>
  )
}

export function Details({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[fit-content(45%)_minmax(0,1fr)] gap-x-4 gap-y-2 p-4 @max-2xs:grid-cols-1">
      {children}
    </dl>
  )
}

/** Hidden without a value. */
export function Detail({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere font-medium">{children}</dd>
    </>
  )
}

export function Code({ children }: { children: ReactNode }) {
  return <span className="font-mono font-normal text-[0.8125rem]">{children}</span>
}

export const linkClass = 'link link-hover font-semibold'

export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} className={linkClass}>
      {children}
    </Link>
  )
}
