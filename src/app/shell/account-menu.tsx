import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import { LayoutGrid, LogOut, User } from 'lucide-react'
import { Link } from 'wouter'
import { userAtom } from '#client/session.ts'
import { landingPages, pageDetails, pagesIn } from '#shared/pages.ts'
import { MenuButton, MenuPanel } from '#ui/menu.tsx'

export function AccountMenu() {
  const { t, i18n } = useLingui()
  const user = useAtomValue(userAtom)
  const item = 'flex min-h-11 items-center gap-3 rounded-field px-3 font-medium hover:bg-base-200'
  return (
    <>
      <MenuButton opens="account-menu" className="[anchor-name:--account-menu]">
        <span className="max-w-32 truncate">{user?.name}</span>
      </MenuButton>
      <MenuPanel id="account-menu" className="dropdown-end w-56 [position-anchor:--account-menu]">
        <p className="wrap-anywhere px-3 py-2 text-sm text-muted">{user?.email}</p>
        {user && user.role !== 'user' && (
          <Link to={landingPages[user.role]} className={item}>
            <LayoutGrid aria-hidden className="size-5" /> {t`Area admin`}
          </Link>
        )}
        {pagesIn('account').map((to) => {
          const Icon = to === '/logout' ? LogOut : User
          return (
            <Link key={to} to={to} className={item}>
              <Icon aria-hidden className="size-5" /> {i18n._(pageDetails(to).name)}
            </Link>
          )
        })}
      </MenuPanel>
    </>
  )
}
