import '#ui/admin/admin.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Menu, Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { userAtom } from '#client/session.ts'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'
import { Crumbs } from './crumbs.tsx'
import { Sidebar } from './sidebar.tsx'

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/**
 * What surrounds every admin screen: places at the side, breadcrumbs above, the palette under
 * Ctrl+K.
 */
export function AdminFrame({ children }: { children: ReactNode }) {
  const { t } = useLingui()
  const isAdmin = useAtomValue(userAtom)?.role === 'admin'
  const [drawer, setDrawer] = useState(false)
  const [searching, setSearching] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const close = useCallback(() => {
    flushSync(() => setDrawer(false))
    opener.current?.focus()
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && drawer) close()
      if (!isAdmin || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setSearching((open) => !open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isAdmin, drawer, close])
  const search = () => {
    setDrawer(false)
    setSearching(true)
  }
  return (
    <div className="admin drawer lg:drawer-open">
      <input type="checkbox" hidden readOnly className="drawer-toggle" checked={drawer} />
      <div inert={drawer} className="drawer-content flex min-h-dvh flex-col">
        <div className="sticky top-0 z-30 flex min-h-13 items-center gap-2 border-line border-b bg-inherit px-3 lg:px-6">
          <button
            ref={opener}
            type="button"
            className="btn btn-ghost btn-square lg:hidden"
            aria-label={t`Menu`}
            aria-expanded={drawer}
            onClick={() => setDrawer(true)}
          >
            <Menu aria-hidden className="size-5" />
          </button>
          <Crumbs />
          {isAdmin && (
            <button type="button" className="btn btn-ghost btn-square lg:hidden" aria-label={t`Cari`} onClick={search}>
              <Search aria-hidden className="size-5" />
            </button>
          )}
        </div>
        <Suspense fallback={<ScreenSpinner />}>{children}</Suspense>
      </div>
      <div className="drawer-side z-50">
        <div aria-hidden className="drawer-overlay" onClick={close} />
        <Sidebar open={drawer} onSearch={search} />
      </div>
      {searching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  )
}
