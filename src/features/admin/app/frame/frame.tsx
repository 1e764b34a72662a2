import '#ui/admin/admin.css'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ArrowUpLeft, LogOut, Menu, Moon, Search, Sun } from 'lucide-react'
import { Fragment, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { formatNumber } from '#client/format.ts'
import { lazyComponent } from '#client/lazy.ts'
import { apiQuery } from '#client/query.ts'
import { userAtom } from '#client/session.ts'
import { themeAtom } from '#client/theme.ts'
import type { Language } from '#shared/language.ts'
import { landingPages, pages } from '#shared/pages.ts'
import { crumbAtom } from '#ui/admin/page.tsx'
import { adminQuery } from '#ui/admin/queries.ts'
import { IconButton } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { LanguageSwitch } from '#ui/language-switch.tsx'
import { Avatar } from '#ui/lists/cells.tsx'
import { Logo, ScreenSpinner } from '#ui/logo.tsx'
import type { OpenWork, PaletteSearch, RoleWork } from '../../contributions.ts'
import { staffPages } from '../../pages.ts'
import type { Period } from '../../rules.ts'
import type { Dashboard } from '../../schemas.ts'
import { type NavEntry, navEntryOf, navFor } from './nav.ts'

export const dashboardQuery = (period: Period) => ({
  ...adminQuery<Dashboard>('dashboard', { period }),
  staleTime: 60_000,
  refetchInterval: 120_000,
})

const versionQuery = apiQuery<{ version: string }>(['version'], '/api/version', { staleTime: Number.POSITIVE_INFINITY })

const Palette = lazyComponent(() => import('./palette.tsx'), 'Palette', null)

interface SidebarProps {
  designerWork: RoleWork
  onTheme: (theme: { mode: 'dark' | 'light' }) => unknown
  onLanguage: (language: Language) => Promise<void>
}

interface FrameProps extends SidebarProps {
  searches: readonly PaletteSearch[]
  children: ReactNode
}

export function AdminFrame({ searches, children, ...settings }: FrameProps) {
  const { t } = useLingui()
  const isAdmin = useAtomValue(userAtom)?.role === 'admin'
  const [open, setOpen] = useState<'drawer' | 'palette' | null>(null)
  const close = () => setOpen(null)
  const search = () => setOpen('palette')
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isAdmin || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((now) => (now === 'palette' ? null : 'palette'))
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isAdmin])
  return (
    <div className="admin lg:flex">
      <aside aria-label={t`Area admin`} className="sticky top-0 h-dvh w-60 shrink-0 border-line border-e max-lg:hidden">
        <Sidebar onSearch={search} {...settings} />
      </aside>
      <Dialog open={open === 'drawer'} onClose={close} title={t`Area admin`} titleHidden layout="start">
        <Sidebar onSearch={search} {...settings} />
      </Dialog>
      <div className="admin-screen flex min-h-dvh min-w-0 flex-1 flex-col">
        <div className="sticky top-0 z-30 flex min-h-13 items-center gap-2 border-line border-b bg-inherit px-3 lg:px-6">
          <IconButton
            icon={Menu}
            label={t`Menu`}
            className="lg:hidden"
            aria-expanded={open === 'drawer'}
            onClick={() => setOpen('drawer')}
          />
          <Crumbs />
          {isAdmin && <IconButton icon={Search} label={t`Cari`} className="lg:hidden" onClick={search} />}
        </div>
        <Suspense fallback={<ScreenSpinner />}>{children}</Suspense>
      </div>
      {open === 'palette' && <Palette searches={searches} onLanguage={settings.onLanguage} onClose={close} />}
    </div>
  )
}

const navItemClass = 'min-h-8 content-center gap-2.5 px-2.5 font-medium pointer-coarse:min-h-11'
const iconClass = 'size-4 text-muted'

function NavItem({ entry, waits, current }: { entry: NavEntry; waits: Partial<OpenWork>; current: boolean }) {
  const { i18n, t } = useLingui()
  const waiting = entry.waiting?.(waits) ?? 0
  const late = entry.late?.(waits) ?? false
  const count = formatNumber(waiting)
  return (
    <li>
      <Link
        to={entry.path}
        className={`${navItemClass} ${current ? 'menu-active ring-1 ring-line' : ''}`}
        aria-current={current ? 'page' : undefined}
      >
        <entry.icon aria-hidden className={iconClass} />
        {i18n._(entry.name)}
        {waiting > 0 && (
          <span
            className={`badge badge-sm rounded-full px-1.5 font-bold ${late ? 'badge-error' : 'border-transparent bg-soft text-on-soft'}`}
          >
            <span aria-hidden>{count}</span>
            <span className="sr-only">
              {late ? t`${count} menunggu, ada yang lewat tenggat` : t`${count} menunggu`}
            </span>
          </span>
        )}
      </Link>
    </li>
  )
}

function ThemeSwitch({ onTheme }: Pick<SidebarProps, 'onTheme'>) {
  const { t } = useLingui()
  useAtomValue(themeAtom)
  const dark = document.documentElement.dataset.theme === 'dark'
  return (
    <IconButton
      icon={dark ? Sun : Moon}
      label={dark ? t`Tampilan terang` : t`Tampilan gelap`}
      className="text-muted"
      onClick={() => void onTheme({ mode: dark ? 'light' : 'dark' })}
    />
  )
}

/** All of it for admins. */
function useOpenWork(designerWork: RoleWork): Partial<OpenWork> {
  const role = useAtomValue(userAtom)?.role
  const dashboard = useQuery({ ...dashboardQuery('30d'), enabled: role === 'admin', select: ({ open }) => open })
  const own = useQuery({ ...adminQuery<unknown>(designerWork.path), enabled: role === 'designer' })
  if (role === 'designer' && own.data !== undefined) return designerWork.openIn(own.data as never)
  return dashboard.data ?? {}
}

function Sidebar({ onSearch, designerWork, onTheme, onLanguage }: SidebarProps & { onSearch: () => void }) {
  const { i18n, t } = useLingui()
  const [path] = useLocation()
  const user = useAtomValue(userAtom)
  const isAdmin = user?.role === 'admin'
  const waits = useOpenWork(designerWork)
  const version = useQuery(versionQuery).data?.version
  if (!user) return null
  const isCurrent = (entry: NavEntry) =>
    path === entry.path || (path.startsWith(`${entry.path}/`) && path !== '/admin/users/me')
  return (
    <div className="flex h-full flex-col gap-1 bg-base-200 px-3 pt-3.5 pb-[calc(0.875rem+env(safe-area-inset-bottom))]">
      <Link to={landingPages[user.role]} className="rounded-field px-2 py-1">
        <Logo />
      </Link>
      {isAdmin && (
        <button
          type="button"
          className="btn btn-outline mt-2 mb-1 justify-start gap-2 border-line bg-base-100 px-2.5 font-normal text-muted"
          onClick={onSearch}
        >
          <Search aria-hidden className="size-4" />
          <span className="flex-1 text-start">{t`Cari…`}</span>
          <kbd className="kbd kbd-sm font-sans max-lg:hidden">Ctrl K</kbd>
        </button>
      )}
      <nav aria-label={t`Navigasi admin`} className="-mx-3 min-h-0 flex-1 overflow-y-auto px-3">
        <ul className="menu w-full p-0 [--menu-active-bg:var(--color-base-100)] [--menu-active-fg:var(--color-base-content)]">
          {navFor(user).map(({ name, entries }) => (
            <Fragment key={entries[0]?.path}>
              {name && <li className="menu-title px-2.5 pt-2.5 pb-1 text-muted text-xs">{i18n._(name)}</li>}
              {entries.map((entry) => (
                <NavItem key={entry.path} entry={entry} current={isCurrent(entry)} waits={waits} />
              ))}
            </Fragment>
          ))}
        </ul>
      </nav>
      <ul className="menu w-full p-0 pt-2">
        <li>
          <Link to="/" className={navItemClass}>
            <ArrowUpLeft aria-hidden className={iconClass} /> {t`Ke aplikasi`}
          </Link>
        </li>
        <li>
          <Link to="/logout" className={navItemClass}>
            <LogOut aria-hidden className={iconClass} /> {i18n._(pages['/logout'].name)}
          </Link>
        </li>
      </ul>
      <div className="mt-2 flex items-center border-line border-t pt-3 *:[.btn]:min-w-0 *:[.btn]:px-2">
        <Link
          to={isAdmin ? '/admin/users/me' : '/profile'}
          className="flex min-w-0 flex-1 items-center gap-2.5 rounded-field p-1 font-semibold"
        >
          <Avatar name={user.name} />
          <span className="truncate">{user.name}</span>
        </Link>
        <ThemeSwitch onTheme={onTheme} />
        <LanguageSwitch onChoose={onLanguage} />
      </div>
      <p className="px-2 pt-1 text-muted text-xs">{version && t`Versi ${version}`}</p>
    </div>
  )
}

function Crumbs() {
  const { i18n, t } = useLingui()
  const [path] = useLocation()
  const detail = useAtomValue(crumbAtom)
  const entry = navEntryOf(path)
  const role = useAtomValue(userAtom)?.role ?? 'admin'
  const trail: { to: string; name: string }[] = [{ to: landingPages[role], name: t`Admin` }]
  if (entry) trail.push({ to: entry.path, name: i18n._(entry.name) })
  if (path === '/admin/users/me') trail.push({ to: path, name: i18n._(staffPages['/admin/users/me'].name) })
  else if (entry && path !== entry.path) trail.push({ to: path, name: detail ?? '…' })
  return (
    <nav aria-label={t`Jejak navigasi`} className="breadcrumbs min-w-0 flex-1 py-0">
      <ol className="text-muted">
        {trail.map(({ to, name }, index) => (
          <li
            key={`${to} ${name}`}
            className={index === 0 ? 'max-sm:hidden' : `min-w-0 ${index === 1 ? 'max-sm:before:hidden!' : ''}`}
          >
            {index === trail.length - 1 ? (
              <span
                aria-current="page"
                className="block! cursor-default! truncate font-semibold text-base-content no-underline!"
              >
                {name}
              </span>
            ) : (
              <Link to={to}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
