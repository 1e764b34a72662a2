import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { Coins, History, House, LayoutGrid, User } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { isAuthenticatedAtom } from '#client/session.ts'
import { BottomSheet } from '#ui/dialog.tsx'
import { ToolMenu } from './tool-menu.tsx'

function DockLink({
  to,
  current,
  icon,
  children,
}: {
  to: string
  current: boolean
  icon: ReactNode
  children: string
}) {
  return (
    <Link to={to} className="dock-item" aria-current={current ? 'page' : undefined}>
      {icon}
      <span>{children}</span>
    </Link>
  )
}

/** The phone's bottom bar. */
export function Dock() {
  const { t } = useLingui()
  const [path] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [toolsOn, setToolsOn] = useState<string | null>(null)
  const icon = 'size-[1.375rem]'
  return (
    <>
      <nav aria-label={t`Menu utama`} className="app-dock md:hidden">
        <DockLink to="/" current={path === '/'} icon={<House aria-hidden className={icon} />}>
          {t`Beranda`}
        </DockLink>
        <button
          type="button"
          className="dock-item"
          aria-haspopup="dialog"
          data-current={Object.values(toolRoutes).includes(path as `/${string}`) || undefined}
          onClick={() => setToolsOn(path)}
        >
          <LayoutGrid aria-hidden className={icon} />
          <span>{t`Alat`}</span>
        </button>
        <DockLink to="/history" current={path === '/history'} icon={<History aria-hidden className={icon} />}>
          {t`Riwayat`}
        </DockLink>
        <DockLink
          to={signedIn ? '/billing' : '/pricing'}
          current={path === '/billing' || path === '/pricing'}
          icon={<Coins aria-hidden className={icon} />}
        >
          {t`Kredit`}
        </DockLink>
        <DockLink
          to="/profile"
          current={path === '/profile' || path === '/admin/users/me'}
          icon={<User aria-hidden className={icon} />}
        >
          {t`Akun`}
        </DockLink>
      </nav>
      <BottomSheet open={toolsOn === path} onClose={() => setToolsOn(null)} title={t`Alat`}>
        <ToolMenu />
      </BottomSheet>
    </>
  )
}
