import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { showIndonesianOnly } from '#client/i18n.ts'
import { lazyWithTexts } from '#client/lazy.ts'
import { sessionEndedAtom } from '#client/session.ts'
import { findPage, pageDetails } from '#contract/pages.ts'
import { Snackbar } from '#ui/snackbar.tsx'
import { Dock } from './dock.tsx'
import { Header } from './header.tsx'
import { useScrollMemory } from './scroll-memory.ts'

const SessionEnded = lazyWithTexts(() => import('./session-ended.tsx'), 'SessionEnded')

export interface ShellSlots {
  /** The balance, in the top bar. */
  balance?: ReactNode
  /** Uploads on their way, in the top bar. */
  uploadList?: ReactNode
  /** The line that tells "offline". */
  offlineLine?: ReactNode
  /** Asks to take a new version. */
  updatePrompt?: ReactNode
}

/** A new page is where the keyboard and the screen reader are. */
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

/** What surrounds every screen. */
export function Shell({
  balance,
  uploadList,
  offlineLine,
  updatePrompt,
  children,
}: ShellSlots & { children: ReactNode }) {
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
      {offlineLine}
      {frame !== 'admin' && <Header balance={balance} status={uploadList} bare={bare} />}
      {!bare && ended && (
        <Suspense>
          <SessionEnded />
        </Suspense>
      )}
      <main id="main" ref={main} tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      {frame === undefined && <Dock />}
      {updatePrompt}
      <Snackbar />
    </div>
  )
}
