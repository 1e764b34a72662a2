import '#ui/admin/admin.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Menu, Search } from 'lucide-react'
import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { lazyComponent } from '#client/lazy.ts'
import { userAtom } from '#client/session.ts'
import { Dialog } from '#ui/dialog.tsx'
import { ScreenSpinner } from '#ui/screen-spinner.tsx'
import { Crumbs } from './crumbs.tsx'
import { Sidebar } from './sidebar.tsx'

const Palette = lazyComponent(() => import('./palette.tsx'), 'Palette')

/**
 * What surrounds every admin screen: places at the side, on phones in a drawer, breadcrumbs above,
 * the palette under Ctrl+K.
 */
export function AdminFrame({ children }: { children: ReactNode }) {
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
      <aside
        aria-label={t`Area admin`}
        className="sticky top-0 h-dvh w-60 shrink-0 overflow-y-auto border-line border-e max-lg:hidden"
      >
        <Sidebar onSearch={search} />
      </aside>
      <Dialog open={open === 'drawer'} onClose={close} title={t`Area admin`} titleHidden place="start">
        <Sidebar onSearch={search} />
      </Dialog>
      <div className="admin-screen flex min-h-dvh min-w-0 flex-1 flex-col">
        <div className="sticky top-0 z-30 flex min-h-13 items-center gap-2 border-line border-b bg-inherit px-3 lg:px-6">
          <button
            type="button"
            className="btn btn-ghost btn-square lg:hidden"
            aria-label={t`Menu`}
            aria-expanded={open === 'drawer'}
            onClick={() => setOpen('drawer')}
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
      {open === 'palette' && (
        <Suspense fallback={null}>
          <Palette onClose={close} />
        </Suspense>
      )}
    </div>
  )
}
