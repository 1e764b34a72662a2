import { useLingui } from '@lingui/react/macro'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { ApiError } from '#app/api.ts'
import { errorText } from '#app/errors.ts'
import { Button } from '#app/ui/button.tsx'
import { usePageTitle } from '#app/ui/page-title.ts'

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

/** What was asked for did not come: says why, and asks again. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { t } = useLingui()
  const missing = error instanceof ApiError && error.status === 404
  return (
    <div role="alert" className="grid justify-items-center gap-3 px-4 py-12 text-center">
      <TriangleAlert aria-hidden className="size-6 text-error" />
      <p className="max-w-sm">{errorText(error)}</p>
      {!missing && <Button variant="outline" onClick={onRetry}>{t`Coba lagi`}</Button>}
    </div>
  )
}

/** Nothing is there: says so quietly. */
export function Nothing({ children }: { children: ReactNode }) {
  return <p className="px-4 py-12 text-center text-muted">{children}</p>
}
