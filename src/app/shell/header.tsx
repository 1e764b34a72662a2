import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { lazyComponent, lazyWithTexts } from '#client/lazy.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { chooseLanguage } from '#features/account/app/appearance.ts'
import { useUploads } from '#features/uploads/app/use-job.ts'
import { brandName } from '#shared/brand.ts'
import { pageDetails, pagesIn } from '#shared/pages.ts'
import { IconButton, LinkButton } from '#ui/button.tsx'
import { LanguageSwitch } from '#ui/language-switch.tsx'
import { Logo } from '#ui/logo.tsx'
import { MenuButton, MenuPanel } from '#ui/menu.tsx'
import { Skeleton, SkeletonText } from '#ui/skeleton.tsx'

const AllToolLinks = lazyWithTexts(() => import('./tool-links.tsx'), 'AllToolLinks', <SkeletonText lines={6} />)

export const toolMenuId = 'tool-menu'

/** Below its button in the header, or a sheet above the dock. */
export function ToolMenu() {
  const { t } = useLingui()
  return (
    <MenuPanel
      id={toolMenuId}
      role="dialog"
      aria-label={t`Alat`}
      className="tool-menu md:w-[44rem] md:max-w-[calc(100vw-1rem)]"
    >
      <div className="sticky -top-5 z-1 -mx-4 -mt-5 flex items-center bg-base-100 px-4 pt-5 pb-2 pl-7 md:hidden">
        <h2 className="flex-1 text-xl font-bold">{t`Alat`}</h2>
        <IconButton icon={X} label={t`Tutup`} popoverTarget={toolMenuId} popoverTargetAction="hide" />
      </div>
      <AllToolLinks />
    </MenuPanel>
  )
}

function NavLink({ to, children }: { to: string; children: ReactNode }) {
  const [path] = useLocation()
  return (
    <Link
      to={to}
      className="btn btn-ghost px-3 aria-[current]:bg-soft aria-[current]:text-on-soft"
      aria-current={path === to ? 'page' : undefined}
    >
      {children}
    </Link>
  )
}

const placeholder = <Skeleton className="h-11 w-24 rounded-full" />
const AccountMenu = lazyComponent(() => import('./account-menu.tsx'), 'AccountMenu', placeholder)
const BalanceChip = lazyWithTexts(() => import('#features/credits/app/balance-chip.tsx'), 'BalanceChip', placeholder)
const UploadList = lazyWithTexts(() => import('#features/uploads/app/upload-list.tsx'), 'UploadList', null)

function Uploads({ signedIn }: { signedIn: boolean }) {
  const any = useUploads().length > 0
  const [wanted, setWanted] = useState(any)
  if (any && !wanted) setWanted(true)
  useEffect(() => void (signedIn && UploadList.load().catch(() => undefined)), [signedIn])
  return wanted && <UploadList />
}

export function Header({ bare }: { bare: boolean }) {
  const { t, i18n } = useLingui()
  const [path] = useLocation()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const from = { from: path }
  const links = [...pagesIn('header'), ...(signedIn ? pagesIn('header-signed-in') : [])]
  return (
    <header className="app-header sticky top-0 z-40 bg-base-200/88 pt-[env(safe-area-inset-top)] backdrop-blur-md backdrop-saturate-140">
      <div className="page flex h-15 items-center gap-1 md:h-18">
        <Link
          to="/"
          aria-label={t`${brandName}, ke beranda`}
          className="mr-auto inline-flex min-h-11 min-w-0 items-center overflow-hidden rounded-field md:mr-5"
        >
          <Logo />
        </Link>
        {!bare && (
          <nav aria-label={t`Navigasi`} className="mr-auto hidden shrink-0 items-center md:flex">
            <MenuButton opens={toolMenuId} className="[anchor-name:--tools]">
              {t`Alat`}
            </MenuButton>
            {links.map((to) => (
              <NavLink key={to} to={to}>
                {i18n._(pageDetails(to).name)}
              </NavLink>
            ))}
          </nav>
        )}
        {bare && <span className="mr-auto max-md:hidden" />}
        <div className="flex shrink-0 items-center gap-1.5">
          <Uploads signedIn={signedIn} />
          {!signedIn && !bare && <LanguageSwitch onChoose={chooseLanguage} />}
          {signedIn && !bare && (
            <>
              <BalanceChip />
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
