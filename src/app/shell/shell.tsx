import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Coins, History, House, LayoutGrid, type LucideIcon, User } from 'lucide-react'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { Link, useLocation } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { showIndonesianOnly } from '#client/i18n.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { isAuthenticatedAtom, sessionEndedAtom } from '#client/session.ts'
import { type PagePath, type PagesIn, pageDetails, pagesIn } from '#shared/pages.ts'
import { Snackbar } from '#ui/snackbar.tsx'
import { detailsOf, findPage } from '../pages.ts'
import { Header, ToolMenu, toolMenuId } from './header.tsx'

const icons: Record<PagesIn<'dock'>, LucideIcon> = {
  '/': House,
  '/history': History,
  '/billing': Coins,
  '/profile': User,
}
const highlightedEntry: Record<string, PagePath> = { '/pricing': '/billing', '/admin/users/me': '/profile' }
const icon = 'size-[1.375rem]'

/** Five labels share the width of a phone. */
const item = 'text-[min(0.75rem,4.2vw)] font-semibold focus-visible:-outline-offset-4 aria-[current]:text-primary-ink'

function DockLink({ page, to = page }: { page: PagesIn<'dock'>; to?: PagePath }) {
  const { i18n } = useLingui()
  const [path] = useLocation()
  const Icon = icons[page]
  return (
    <Link to={to} className={item} aria-current={(highlightedEntry[path] ?? path) === page ? 'page' : undefined}>
      <Icon aria-hidden className={icon} />
      <span>{i18n._(pageDetails(page).name)}</span>
    </Link>
  )
}

function Dock() {
  const { t } = useLingui()
  const [path] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const onTool = Object.values(toolRoutes).includes(path as `/${string}`)
  const [home, ...others] = pagesIn('dock')
  return (
    <nav aria-label={t`Menu utama`} className="dock z-40 border-line text-muted md:hidden">
      {home && <DockLink page={home} />}
      <button
        type="button"
        className={`${item} ${onTool ? 'dock-active text-primary-ink' : ''}`}
        aria-haspopup="dialog"
        popoverTarget={toolMenuId}
      >
        <LayoutGrid aria-hidden className={icon} />
        <span>{t`Alat`}</span>
      </button>
      {others.map((page) => (
        <DockLink key={page} page={page} to={page === '/billing' && !signedIn ? '/pricing' : page} />
      ))}
    </nav>
  )
}

const growTimeoutMs = 3000

/** Scrolls as soon as the page is high enough, unless the user scrolls first. */
function scrollWhenPossible(wanted: number): () => void {
  const attempt = () => {
    if (document.documentElement.scrollHeight - window.innerHeight < wanted) return
    window.scrollTo(0, wanted)
    stop()
  }
  const growth = new ResizeObserver(attempt)
  const timer = setTimeout(() => stop(), growTimeoutMs)
  const stop = () => {
    growth.disconnect()
    clearTimeout(timer)
    for (const event of ['wheel', 'touchmove', 'keydown']) window.removeEventListener(event, stop)
  }
  for (const event of ['wheel', 'touchmove', 'keydown']) window.addEventListener(event, stop, { passive: true })
  growth.observe(document.body)
  return stop
}

function useScrollMemory(path: string): void {
  const shown = useRef(path)
  const positions = useRef(new Map<string, number>())
  const returnedTo = useRef<string | null>(null)

  useEffect(() => {
    const remember = () => {
      positions.current.set(shown.current, window.scrollY)
    }
    const back = () => {
      returnedTo.current = window.location.pathname
    }
    // The path stays, so that nothing else scrolls.
    const scrollUpHere = ({ target }: MouseEvent) => {
      const { origin, pathname } = window.location
      if ((target as Element).closest('a')?.href !== `${origin}${pathname}`) return
      const isCalm = window.matchMedia('(prefers-reduced-motion: reduce)').matches
      window.scrollTo({ top: 0, behavior: isCalm ? 'instant' : 'smooth' })
    }
    window.addEventListener('scroll', remember, { passive: true })
    window.addEventListener('popstate', back)
    // Before a link changes the path.
    window.addEventListener('click', scrollUpHere, true)
    return () => {
      window.removeEventListener('scroll', remember)
      window.removeEventListener('popstate', back)
      window.removeEventListener('click', scrollUpHere, true)
    }
  }, [])

  // Runs before the browser's scroll event of the new page, which must not count for the old one.
  useLayoutEffect(() => {
    if (shown.current === path) return
    shown.current = path
    const wanted = returnedTo.current === path ? (positions.current.get(path) ?? 0) : 0
    returnedTo.current = null
    if (wanted === 0) {
      window.scrollTo(0, 0)
      return
    }
    return scrollWhenPossible(wanted)
  }, [path])
}

const SessionEnded = lazyWithTexts(() => import('./notices.tsx'), 'SessionEnded', null)
const Announcements = lazyWithTexts(
  () => import('#features/announcements/app/announcements.tsx'),
  'Announcements',
  null,
)
const AgeBanner = lazyWithTexts(() => import('#features/guardians/app/age-banner.tsx'), 'AgeBanner', null)
const UpdatePrompt = lazyWithTexts(() => import('#features/installed-app/app/update-prompt.tsx'), 'UpdatePrompt', null)

function useFreshPage(path: string) {
  const main = useRef<HTMLElement>(null)
  const shown = useRef(path)
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    main.current?.focus({ preventScroll: true })
  }, [path])
  return main
}

export function Shell({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const [path] = useLocation()
  useScrollMemory(path)
  const main = useFreshPage(path)
  const page = findPage(path)
  const frame = page && detailsOf(page).frame
  const bare = frame === 'bare'
  const hasDock = frame === undefined
  const ended = useAtomValue(sessionEndedAtom)
  const signedIn = useAtomValue(isAuthenticatedAtom)
  useEffect(() => showIndonesianOnly(bare), [bare])
  return (
    <div
      className="app-shell flex min-h-dvh flex-col pb-(--bottom-room)"
      data-bare={bare || undefined}
      data-dock={hasDock || undefined}
    >
      <a
        href="#main"
        className="btn fixed top-2 left-2 z-70 bg-base-100 shadow-lift not-focus:-translate-y-[300%]"
      >{t`Langsung ke isi`}</a>
      <OfflineLine />
      {frame !== 'admin' && <Header bare={bare} />}
      {!bare && ended && <SessionEnded />}
      {!bare && frame !== 'admin' && <Announcements />}
      {!bare && frame !== 'admin' && signedIn && <AgeBanner />}
      <main id="main" ref={main} tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      {hasDock && <Dock />}
      {/* Another page closes it. */}
      {!bare && frame !== 'admin' && <ToolMenu key={path} />}
      <UpdatePrompt />
      <Snackbar />
    </div>
  )
}

/** Takes no space and blocks no input. */
function OfflineLine() {
  const { t } = useLingui()
  const online = useAtomValue(onlineAtom)
  return (
    <div
      role="status"
      className="pointer-events-none fixed inset-x-0 top-[env(safe-area-inset-top)] z-50 grid justify-items-center *:[grid-area:1/1]"
    >
      {!online && (
        <>
          <svg
            aria-hidden="true"
            className="-mt-px h-3 w-full overflow-visible fill-none stroke-3 stroke-primary-ink transition-[clip-path] duration-900 [clip-path:inset(-1rem)] [stroke-linecap:round] starting:[clip-path:inset(-1rem_100%_-1rem_0)]"
            viewBox="0 0 600 12"
            preserveAspectRatio="none"
          >
            <path
              vectorEffect="non-scaling-stroke"
              d="M0 4c22-4 41 4 66 2s38-5 63-3 40 5 64 3 44-5 68-3 36 4 62 3 41-4 66-2 40 4 63 2 42-4 67-2 52 4 81 1"
            />
          </svg>
          {/* Keeps clear of the uploads button of narrow phones, which large text moves to the left. */}
          <span className="mr-[calc(144px-6rem)]" aria-hidden="true">
            <span className="block rounded-b-xl bg-base-content px-3 pt-[min(0.5rem,10px)] font-semibold text-base-100 text-[min(0.75rem,14px)] transition-[translate] delay-400 duration-300 starting:-translate-y-full in-data-studio:hidden">{t`Offline`}</span>
          </span>
          <span className="sr-only">{t`Kamu sedang offline. Unggahan terkirim begitu kamu online lagi.`}</span>
        </>
      )}
    </div>
  )
}
