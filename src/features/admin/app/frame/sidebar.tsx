import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ArrowUpLeft, LogOut, Moon, Search, Sun } from 'lucide-react'
import { Link, useLocation } from 'wouter'
import { formatNumber } from '#client/format.ts'
import { store, userAtom } from '#client/session.ts'
import { setTheme, themeAtom } from '#client/theme.ts'
import { landingPages, pages } from '#contract/pages.ts'
import { chooseLanguage } from '#features/account/app/account.ts'
import { initialsOf } from '#ui/initials.ts'
import { LanguageSwitch } from '#ui/language-switch.tsx'
import { Logo } from '#ui/logo.tsx'
import { boardCountsQuery, dashboardQuery } from '../calls.ts'
import { type NavEntry, navFor, type Waiting } from './nav.ts'

function Place({ entry, waits, current }: { entry: NavEntry; waits: Waiting; current: boolean }) {
  const { i18n, t } = useLingui()
  const waiting = entry.waiting?.(waits) ?? 0
  const late = entry.late?.(waits) ?? false
  const count = formatNumber(waiting)
  return (
    <Link to={entry.path} className="adm-link" aria-current={current ? 'page' : undefined}>
      <entry.icon aria-hidden />
      {i18n._(entry.name)}
      {waiting > 0 && (
        <span className="adm-count" data-late={late || undefined}>
          <span aria-hidden>{count}</span>
          <span className="sr-only">{late ? t`${count} menunggu, ada yang lewat tenggat` : t`${count} menunggu`}</span>
        </span>
      )}
    </Link>
  )
}

function ThemeSwitch() {
  const { t } = useLingui()
  useAtomValue(themeAtom)
  const dark = document.documentElement.dataset.theme === 'dark'
  return (
    <button
      type="button"
      className="btn btn-ghost btn-square text-muted"
      aria-label={dark ? t`Tampilan terang` : t`Tampilan gelap`}
      onClick={() => setTheme({ ...store.get(themeAtom), mode: dark ? 'light' : 'dark' })}
    >
      {dark ? <Sun aria-hidden className="size-4" /> : <Moon aria-hidden className="size-4" />}
    </button>
  )
}

/** What waits now: all of it for admins, the requests for designers. */
function useWaiting(): Waiting {
  const role = useAtomValue(userAtom)?.role
  const dashboard = useQuery({ ...dashboardQuery('30d'), enabled: role === 'admin', select: ({ open }) => open })
  const board = useQuery({ ...boardCountsQuery, enabled: role === 'designer' })
  if (role === 'designer' && board.data) return { requests: board.data.open, requestsOverdue: board.data.overdue }
  return dashboard.data ?? {}
}

/** The places of the admin area; on phones a drawer. */
export function Sidebar({ open, onSearch }: { open: boolean; onSearch: () => void }) {
  const { i18n, t } = useLingui()
  const [path] = useLocation()
  const user = useAtomValue(userAtom)
  const isAdmin = user?.role === 'admin'
  const waits = useWaiting()
  if (!user) return null
  const isCurrent = (entry: NavEntry) =>
    path === entry.path || (path.startsWith(`${entry.path}/`) && path !== '/admin/users/me')
  return (
    <aside className="adm-side" data-open={open || undefined} aria-label={t`Area admin`}>
      <Link to={landingPages[user.role]} className="rounded-field px-2 py-1">
        <Logo />
      </Link>
      {isAdmin && (
        <button type="button" className="adm-search" onClick={onSearch}>
          <Search aria-hidden className="size-4" />
          <span className="flex-1 text-start">{t`Cari…`}</span>
          <kbd className="adm-key max-lg:hidden">Ctrl K</kbd>
        </button>
      )}
      <nav aria-label={t`Navigasi admin`} className="grid gap-0.5">
        {navFor(user.role).map(({ name, entries }) => (
          <div key={entries[0]?.path} className="grid gap-0.5">
            {name && <p className="adm-group">{i18n._(name)}</p>}
            {entries.map((entry) => (
              <Place key={entry.path} entry={entry} current={isCurrent(entry)} waits={waits} />
            ))}
          </div>
        ))}
      </nav>
      <div className="mt-auto grid grid-cols-1 gap-0.5 pt-4">
        <Link to="/" className="adm-link">
          <ArrowUpLeft aria-hidden /> {t`Ke aplikasi`}
        </Link>
        <Link to="/logout" className="adm-link">
          <LogOut aria-hidden /> {i18n._(pages['/logout'].name)}
        </Link>
        <div className="adm-me mt-2 flex items-center border-line border-t pt-3">
          <Link
            to={isAdmin ? '/admin/users/me' : '/profile'}
            className="flex min-w-0 flex-1 items-center gap-2.5 rounded-field p-1 font-semibold"
          >
            <span aria-hidden className="adm-avatar">
              {initialsOf(user.name)}
            </span>
            <span className="truncate">{user.name}</span>
          </Link>
          <ThemeSwitch />
          <LanguageSwitch onChoose={chooseLanguage} />
        </div>
      </div>
    </aside>
  )
}
