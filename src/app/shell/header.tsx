import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { LayoutGrid, LogOut, User } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { brandName } from '#contract/brand.ts'
import { isAuthenticatedAtom, userAtom } from '../session.ts'
import { LinkButton } from '../ui/button.tsx'
import { Logo } from '../ui/logo.tsx'
import { Menu } from '../ui/menu.tsx'
import { LanguageSwitch } from './language-switch.tsx'
import { ToolMenu } from './tool-menu.tsx'

function NavLink({ to, children }: { to: string; children: ReactNode }) {
  const [path] = useLocation()
  return (
    <Link to={to} className="nav-link" aria-current={path === to ? 'page' : undefined}>
      {children}
    </Link>
  )
}

function AccountMenu() {
  const { t } = useLingui()
  const user = useAtomValue(userAtom)
  const item = 'flex min-h-11 items-center gap-3 rounded-field px-3 font-medium hover:bg-base-200'
  return (
    <Menu label={<span className="max-w-32 truncate">{user?.name}</span>} className="right-0 w-56">
      <p className="truncate px-3 py-2 text-sm text-muted">{user?.email}</p>
      {user && user.role !== 'user' && (
        <Link to={user.role === 'admin' ? '/admin/dashboard' : '/admin/request-custom'} className={item}>
          <LayoutGrid aria-hidden className="size-5" /> {t`Area admin`}
        </Link>
      )}
      <Link to="/profile" className={item}>
        <User aria-hidden className="size-5" /> {t`Akun`}
      </Link>
      <Link to="/logout" className={item}>
        <LogOut aria-hidden className="size-5" /> {t`Keluar`}
      </Link>
    </Menu>
  )
}

/** Top bar: on phones the logo and the balance, on wide screens the whole navigation. */
export function Header({ balance, status, bare }: { balance: ReactNode; status: ReactNode; bare: boolean }) {
  const { t } = useLingui()
  const [path] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const from = { from: path }
  return (
    <header className="app-header">
      <div className="page flex h-15 items-center gap-1 md:h-18">
        <Link
          to="/"
          aria-label={t`${brandName}, ke beranda`}
          className="mr-auto inline-flex min-h-11 min-w-0 items-center overflow-hidden rounded-field md:mr-5"
        >
          <Logo />
        </Link>
        {!bare && (
          <nav aria-label={t`Navigasi`} className="mr-auto hidden items-center md:flex">
            <Menu label={t`Alat`} className="left-0 w-[44rem]">
              <ToolMenu columns="grid-cols-2" />
            </Menu>
            <NavLink to="/pricing">{t`Harga`}</NavLink>
            <NavLink to="/how-to-use">{t`Cara pakai`}</NavLink>
            {signedIn && <NavLink to="/history">{t`Riwayat`}</NavLink>}
          </nav>
        )}
        {bare && <span className="mr-auto max-md:hidden" />}
        <div className="flex shrink-0 items-center gap-1.5">
          {status}
          {!signedIn && !bare && <LanguageSwitch />}
          {signedIn && !bare && (
            <>
              {balance}
              <span className="max-md:hidden">
                <AccountMenu />
              </span>
            </>
          )}
          {!signedIn && !bare && (
            <>
              <LinkButton variant="ghost" to="/login" state={from} className="max-md:hidden">
                {t`Masuk`}
              </LinkButton>
              <LinkButton variant="primary" to="/register" state={from} className="max-md:hidden">
                {t`Daftar gratis`}
              </LinkButton>
              <LinkButton variant="soft" to="/login" state={from} className="md:hidden">
                {t`Masuk`}
              </LinkButton>
            </>
          )}
        </div>
      </div>
    </header>
  )
}
