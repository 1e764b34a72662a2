import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react'
import { useAtomValue } from 'jotai'
import type { ComponentType } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { loadAdminTexts, loadPageTexts } from '#client/i18n.ts'
import { isAuthenticatedAtom, requiredActionAtom, store } from '#client/session.ts'
import { findPage, type PagePath, type PagesWith, pageDetails, pagePaths } from '#contract/pages.ts'
import { usePageTitle } from '#ui/page-title.ts'
import type { AdminPath } from './admin-screens.tsx'
import { Guard } from './guards.tsx'
import { screen } from './screen.ts'

/** A screen together with the texts of pages. */
const page = (load: () => Promise<ComponentType>) =>
  screen(async () => {
    const [component] = await Promise.all([load(), loadPageTexts()])
    return component
  })

const Admin = screen<{ path: AdminPath }>(async () => {
  const [{ AdminScreen }] = await Promise.all([import('./admin-screens.tsx'), loadPageTexts(), loadAdminTexts()])
  return AdminScreen
})
const Home = screen(async () => (await import('#features/site/app/first-screen/home-page.tsx')).HomePage)
const Pricing = page(async () => (await import('#features/site/app/pricing-page.tsx')).PricingPage)
const HowToUse = page(async () => (await import('#features/site/app/how-to-use-page.tsx')).HowToUsePage)
const Privacy = page(async () => (await import('#features/site/app/legal-page.tsx')).PrivacyPage)
const Terms = page(async () => (await import('#features/site/app/legal-page.tsx')).TermsPage)
const NotFound = page(async () => (await import('#features/site/app/not-found-page.tsx')).NotFoundPage)
const Auth = page(async () => {
  const { AuthPage, loadProviders } = await import('#features/account/app/auth-page.tsx')
  await loadProviders()
  return AuthPage
})
const ResetPassword = page(
  async () => (await import('#features/account/app/reset-password-page.tsx')).ResetPasswordPage,
)
const KeepFactors = page(async () => (await import('#features/account/app/keep-factors-page.tsx')).KeepFactorsPage)
const FirstFactor = page(async () => (await import('#features/account/app/first-factor-page.tsx')).FirstFactorPage)
const Callback = page(async () => (await import('#features/account/app/callback-page.tsx')).CallbackPage)
const Logout = page(async () => (await import('#features/account/app/logout-page.tsx')).LogoutPage)
const PasswordDue = page(async () => (await import('#features/account/app/password-due-page.tsx')).PasswordDuePage)
const Profile = page(async () => (await import('#features/account/app/profile-page.tsx')).ProfilePage)
const CustomEdit = page(
  async () => (await import('#features/custom-edits/app/form/custom-edit-page.tsx')).CustomEditPage,
)
const Checkout = page(async () => (await import('#features/billing/app/checkout-page.tsx')).CheckoutPage)
const PaymentSuccess = page(async () => (await import('#features/billing/app/result-pages.tsx')).PaymentSuccessPage)
const PaymentFailed = page(async () => (await import('#features/billing/app/result-pages.tsx')).PaymentFailedPage)

const Studio = screen<{ tool: string }>(async () => {
  const [{ StudioPage }] = await Promise.all([
    import('#features/generations/app/studio/studio-page.tsx'),
    loadPageTexts(),
  ])
  return StudioPage
})
/** The history of the tools, with what was asked of the designers above it. */
const HistoryScreen = page(async () => {
  const [{ HistoryPage }, { OwnEdits }] = await Promise.all([
    import('#features/generations/app/history/history-page.tsx'),
    import('#features/custom-edits/app/own-edits.tsx'),
  ])
  return () => (
    <HistoryPage>
      <OwnEdits />
    </HistoryPage>
  )
})

/** Who is signed in finds what they were doing; the parts come from three features. */
const MemberHome = page(async () => {
  const [{ MemberHome }, { UnpaidOrder }, { RecentWork }] = await Promise.all([
    import('#features/site/app/member-home.tsx'),
    import('#features/billing/app/unpaid-order.tsx'),
    import('#features/generations/app/recent/recent-work.tsx'),
  ])
  return () => (
    <MemberHome>
      <UnpaidOrder />
      <RecentWork />
    </MemberHome>
  )
})

/** Visitors see what the product is, members their own. */
const HomeScreen = Object.assign(() => (useAtomValue(isAuthenticatedAtom) ? <MemberHome /> : <Home />), {
  load: () => (store.get(isAuthenticatedAtom) ? MemberHome : Home).load(),
})

/** The balance from one feature, orders and history from another. */
const Billing = page(async () => {
  const [{ BillingPage }, { Records }] = await Promise.all([
    import('#features/credits/app/billing-page.tsx'),
    import('#features/billing/app/records.tsx'),
  ])
  return () => (
    <BillingPage>
      <Records />
    </BillingPage>
  )
})

type ScreenPath = Exclude<PagePath, AdminPath | PagesWith<{ leadsTo: PagePath }>>

/** The screen of each page; the admin area has its own. */
const screens: Record<ScreenPath, ComponentType & { load: () => Promise<unknown> }> = {
  '/': HomeScreen,
  '/pricing': Pricing,
  '/how-to-use': HowToUse,
  '/privacy-policy': Privacy,
  '/terms-of-service': Terms,
  '/history': HistoryScreen,
  '/customize-edit': CustomEdit,
  '/billing': Billing,
  '/profile': Profile,
  '/checkout': Checkout,
  '/payment-success': PaymentSuccess,
  '/payment-failed': PaymentFailed,
  '/login': Auth,
  '/register': Auth,
  '/forgot-password': Auth,
  '/reset-password/:token': ResetPassword,
  '/keep-factors/:token': KeepFactors,
  '/second-factor/:token': FirstFactor,
  '/auth/callback': Callback,
  '/logout': Logout,
}

const hasScreen = (path: PagePath): path is ScreenPath => path in screens
const isAdmins = (path: PagePath): path is AdminPath => path.startsWith('/admin/')

/**
 * Starts loading the screen of an address, before React runs; a failure shows when the screen
 * itself is asked for.
 */
export async function loadScreen(address: string): Promise<void> {
  const path = findPage(address)
  const found = path
    ? hasScreen(path) && screens[path]
    : Object.values(toolRoutes).some((route) => route === address) && Studio
  if (found) await found.load().catch(() => undefined)
}

/** The page's name in the title, unless its screen, which comes after, says more. */
function Title({ path }: { path: PagePath }) {
  const { i18n } = useLingui()
  usePageTitle(path === '/' ? '' : i18n._(pageDetails(path).name))
  return null
}

/** What an address of this path shows to whom it is for. */
function PageAt({ path }: { path: PagePath }) {
  const { access, leadsTo } = pageDetails(path)
  if (leadsTo) return <Redirect to={leadsTo} replace />
  const Screen = hasScreen(path) ? screens[path] : null
  return (
    <Guard access={access}>
      <Title path={path} />
      {Screen && <Screen />}
      {isAdmins(path) && <Admin path={path} />}
    </Guard>
  )
}

/** Which screen an address shows. */
export function Routes() {
  const [address] = useLocation()
  if (useAtomValue(requiredActionAtom) === 'password' && address !== '/logout') return <PasswordDue />
  return (
    <Switch>
      {Object.entries(toolRoutes).map(([tool, route]) => (
        <Route key={tool} path={route}>
          <Studio tool={tool} />
        </Route>
      ))}
      {pagePaths.map((path) => (
        <Route key={path} path={path}>
          <PageAt path={path} />
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  )
}
