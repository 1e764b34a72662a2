import '../admin.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Menu, Search } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
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
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setDrawer(false)
      if (!isAdmin || event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setSearching((open) => !open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isAdmin])
  const search = () => {
    setDrawer(false)
    setSearching(true)
  }
  return (
    <div className="adm">
      <Sidebar open={drawer} onSearch={search} />
      {drawer && <div aria-hidden className="adm-veil" onClick={() => setDrawer(false)} />}
      <div className="adm-main">
        <div className="adm-bar">
          <button
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
      {searching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  )
}
