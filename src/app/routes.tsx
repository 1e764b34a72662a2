import { toolRoutes } from 'virtual:tool-routes'
import { useAtomValue } from 'jotai'
import type { ComponentType } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { loadAdminTexts, loadPageTexts } from '#client/i18n.ts'
import { dutyAtom, isAuthenticatedAtom, store } from '#client/session.ts'
import { type AdminPath, adminPaths } from './admin-paths.ts'
import { SignedIn, StaffOnly } from './guards.tsx'
import { screen } from './screen.ts'

/** A page together with its texts. */
async function withTexts<Page>(page: Promise<Page>): Promise<Page> {
  const [loaded] = await Promise.all([page, loadPageTexts()])
  return loaded
}

/** A screen of the admin area together with its texts. */
async function withAdminTexts<Page>(page: Promise<Page>): Promise<Page> {
  const [loaded] = await Promise.all([withTexts(page), loadAdminTexts()])
  return loaded
}

const Admin = screen<{ path: AdminPath }>(async () => (await withAdminTexts(import('./admin-screens.tsx'))).AdminScreen)
const Home = screen(async () => (await import('#features/site/app/first-screen/home-page.tsx')).HomePage)
const Pricing = screen(async () => (await withTexts(import('#features/site/app/pricing-page.tsx'))).PricingPage)
const HowToUse = screen(async () => (await withTexts(import('#features/site/app/how-to-use-page.tsx'))).HowToUsePage)
const Privacy = screen(async () => (await withTexts(import('#features/site/app/legal-page.tsx'))).PrivacyPage)
const Terms = screen(async () => (await withTexts(import('#features/site/app/legal-page.tsx'))).TermsPage)
const NotFound = screen(async () => (await withTexts(import('#features/site/app/not-found-page.tsx'))).NotFoundPage)
const Auth = screen(async () => {
  const page = await withTexts(import('#features/account/app/auth-page.tsx'))
  await page.loadProviders()
  return page.AuthPage
})
const ResetPassword = screen(
  async () => (await withTexts(import('#features/account/app/reset-password-page.tsx'))).ResetPasswordPage,
)
const KeepFactors = screen(
  async () => (await withTexts(import('#features/account/app/keep-factors-page.tsx'))).KeepFactorsPage,
)
const FirstFactor = screen(
  async () => (await withTexts(import('#features/account/app/first-factor-page.tsx'))).FirstFactorPage,
)
const Callback = screen(async () => (await withTexts(import('#features/account/app/callback-page.tsx'))).CallbackPage)
const Logout = screen(async () => (await withTexts(import('#features/account/app/logout-page.tsx'))).LogoutPage)
const PasswordDue = screen(
  async () => (await withTexts(import('#features/account/app/password-due-page.tsx'))).PasswordDuePage,
)
const Profile = screen(async () => (await withTexts(import('#features/account/app/profile-page.tsx'))).ProfilePage)
const CustomEdit = screen(
  async () => (await withTexts(import('#features/custom-edits/app/form/custom-edit-page.tsx'))).CustomEditPage,
)
const Checkout = screen(async () => (await withTexts(import('#features/billing/app/checkout-page.tsx'))).CheckoutPage)
const PaymentSuccess = screen(
  async () => (await withTexts(import('#features/billing/app/result-pages.tsx'))).PaymentSuccessPage,
)
const PaymentFailed = screen(
  async () => (await withTexts(import('#features/billing/app/result-pages.tsx'))).PaymentFailedPage,
)

/** Pages with a tool's options bring the controls of these. */
async function withControls<Page>(page: Promise<Page>): Promise<Page> {
  const [loaded] = await Promise.all([withTexts(page), import('#ui/controls.css')])
  return loaded
}

const Studio = screen(
  async () => (await withControls(import('#features/generations/app/studio/studio-page.tsx'))).StudioPage,
)
/** The history of the tools, with what was asked of the designers above it. */
const HistoryScreen = screen(async () => {
  const [{ HistoryPage }, { OwnRequests }] = await withControls(
    Promise.all([
      import('#features/generations/app/history/history-page.tsx'),
      import('#features/custom-edits/app/own-requests.tsx'),
    ]),
  )
  return () => (
    <HistoryPage>
      <OwnRequests />
    </HistoryPage>
  )
})

/** Who is signed in finds what they were doing; the parts come from three features. */
const MemberHome = screen(async () => {
  const [{ MemberHome }, { UnpaidOrder }, { RecentWork }] = await withTexts(
    Promise.all([
      import('#features/site/app/member-home.tsx'),
      import('#features/billing/app/unpaid-order.tsx'),
      import('#features/generations/app/recent/recent-work.tsx'),
    ]),
  )
  return () => (
    <MemberHome>
      <UnpaidOrder />
      <RecentWork />
    </MemberHome>
  )
})

function HomeScreen() {
  return useAtomValue(isAuthenticatedAtom) ? <MemberHome /> : <Home />
}

/** The balance from one feature, orders and history from another. */
const Billing = screen(async () => {
  const [{ BillingPage }, { Records }] = await withTexts(
    Promise.all([import('#features/credits/app/billing-page.tsx'), import('#features/billing/app/records.tsx')]),
  )
  return () => (
    <BillingPage>
      <Records />
    </BillingPage>
  )
})

/** Screens people open the app at; their code is asked for before React runs. */
const early: Record<string, { load: () => Promise<unknown> }> = {
  ...Object.fromEntries(Object.values(toolRoutes).map((route) => [route, Studio])),
  '/': { load: () => (store.get(isAuthenticatedAtom) ? MemberHome : Home).load() },
  '/pricing': Pricing,
  '/how-to-use': HowToUse,
  '/login': Auth,
  '/register': Auth,
  '/forgot-password': Auth,
  '/history': HistoryScreen,
  '/customize-edit': CustomEdit,
  '/billing': Billing,
  '/checkout': Checkout,
  '/payment-success': PaymentSuccess,
  '/payment-failed': PaymentFailed,
  '/profile': Profile,
}

/** Starts loading the screen of a path; a failure shows when the screen itself is asked for. */
export async function loadScreen(path: string): Promise<void> {
  await early[path]?.load().catch(() => undefined)
}

type Screen = ComponentType

const signedIn = (Page: Screen) => () => (
  <SignedIn>
    <Page />
  </SignedIn>
)

const adminScreen = (path: AdminPath) => () => (
  <StaffOnly>
    <Admin path={path} />
  </StaffOnly>
)

/**
 * The screen of every path; the build notes the paths for the server, which has no page for any
 * other but a tool to come.
 */
const screens: Record<string, Screen> = {
  '/': HomeScreen,
  ...Object.fromEntries(Object.entries(toolRoutes).map(([tool, route]) => [route, () => <Studio tool={tool} />])),
  '/history': HistoryScreen,
  '/customize-edit': CustomEdit,
  '/billing': signedIn(Billing),
  '/profile': signedIn(Profile),
  '/pricing': Pricing,
  '/how-to-use': HowToUse,
  '/privacy-policy': Privacy,
  '/terms-of-service': Terms,
  '/checkout': signedIn(Checkout),
  '/payment-success': signedIn(PaymentSuccess),
  '/payment-failed': signedIn(PaymentFailed),
  '/login': Auth,
  '/register': Auth,
  '/forgot-password': Auth,
  '/reset-password/:token': ResetPassword,
  '/keep-factors/:token': KeepFactors,
  '/second-factor/:token': signedIn(FirstFactor),
  '/auth/callback': Callback,
  '/auth': () => <Redirect to="/login" replace />,
  '/logout': Logout,
  ...Object.fromEntries(adminPaths.map((path) => [path, adminScreen(path)])),
}

export const pagePaths = Object.keys(screens)

/** Which screen a path shows. */
export function Routes() {
  const [path] = useLocation()
  if (useAtomValue(dutyAtom) === 'password' && path !== '/logout') return <PasswordDue />
  return (
    <Switch>
      {Object.entries(screens).map(([path, Page]) => (
        <Route key={path} path={path}>
          <Page />
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  )
}
