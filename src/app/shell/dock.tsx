import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Coins, History, House, LayoutGrid, type LucideIcon, User } from 'lucide-react'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { isAuthenticatedAtom } from '#client/session.ts'
import { type PagePath, type PagesIn, pageDetails, pagesIn } from '#shared/pages.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { ToolMenu } from './tool-menu.tsx'

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

export function Dock() {
  const { t } = useLingui()
  const [path] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [toolsOn, setToolsOn] = useState<string | null>(null)
  const onTool = Object.values(toolRoutes).includes(path as `/${string}`)
  const [home, ...others] = pagesIn('dock')
  return (
    <>
      <nav aria-label={t`Menu utama`} className="dock z-40 border-line text-muted md:hidden">
        {home && <DockLink page={home} />}
        <button
          type="button"
          className={`${item} ${onTool ? 'dock-active text-primary-ink' : ''}`}
          aria-haspopup="dialog"
          onClick={() => setToolsOn(path)}
        >
          <LayoutGrid aria-hidden className={icon} />
          <span>{t`Alat`}</span>
        </button>
        {others.map((page) => (
          <DockLink key={page} page={page} to={page === '/billing' && !signedIn ? '/pricing' : page} />
        ))}
      </nav>
      <BottomSheet open={toolsOn === path} onClose={() => setToolsOn(null)} title={t`Alat`}>
        <ToolMenu />
      </BottomSheet>
    </>
  )
}
