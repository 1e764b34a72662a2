import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { onlineAtom } from '#client/connection.ts'
import { showIndonesianOnly } from '#client/i18n.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { sessionEndedAtom } from '#client/session.ts'
import { findPage, pageDetails } from '#shared/pages.ts'
import { Snackbar } from '#ui/snackbar.tsx'
import { Dock } from './dock.tsx'
import { Header } from './header.tsx'
import { useScrollMemory } from './scroll-memory.ts'

const SessionEnded = lazyWithTexts(() => import('./session-ended.tsx'), 'SessionEnded', null)
const Announcements = lazyWithTexts(
  () => import('#features/announcements/app/announcements.tsx'),
  'Announcements',
  null,
)
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
  const frame = page && pageDetails(page).frame
  const bare = frame === 'bare'
  const ended = useAtomValue(sessionEndedAtom)
  useEffect(() => showIndonesianOnly(bare), [bare])
  return (
    <div className="flex min-h-dvh flex-col pb-(--bottom-room)" data-bare={bare || undefined}>
      <a
        href="#main"
        className="btn fixed top-2 left-2 z-70 bg-base-100 shadow-lift not-focus:-translate-y-[300%]"
      >{t`Langsung ke isi`}</a>
      <OfflineLine />
      {frame !== 'admin' && <Header bare={bare} />}
      {!bare && ended && <SessionEnded />}
      {!bare && frame !== 'admin' && <Announcements />}
      <main id="main" ref={main} tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      {frame === undefined && <Dock />}
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
          {/* Keeps clear of the uploads button in the middle of narrow phones. */}
          <span className="pr-12" aria-hidden="true">
            <span className="block rounded-b-xl bg-base-content px-3 pt-px pb-0.75 font-semibold text-base-100 text-xs/5 transition-[translate] delay-400 duration-300 starting:-translate-y-full [:root:has(.studio-layout)_&]:hidden">{t`Offline`}</span>
          </span>
          <span className="sr-only">{t`Kamu sedang offline. Unggahan terkirim begitu kamu online lagi.`}</span>
        </>
      )}
    </div>
  )
}
