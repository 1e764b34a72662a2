import { Link } from 'wouter'

export function LinkTabs({
  label,
  tabs,
  current,
  boxed = false,
}: {
  label: string
  tabs: readonly { id: string; name: string; to: string }[]
  current: string
  boxed?: boolean
}) {
  return (
    <nav
      aria-label={label}
      className={
        boxed
          ? 'tabs tabs-box'
          : 'tabs tabs-border mb-4 flex-nowrap overflow-x-auto *:shrink-0 [--tab-border-color:var(--color-primary-ink)]'
      }
    >
      {tabs.map(({ id, name, to }) => (
        <Link
          key={id}
          to={to}
          replace
          className="tab font-semibold text-[0.8125rem] not-aria-[current]:text-muted"
          aria-current={id === current ? 'page' : undefined}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}
