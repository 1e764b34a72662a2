import { type ComponentType, lazy } from 'react'
import { Redirect, Route, Switch } from 'wouter'
import type { StudioPage } from '#features/generations/app/studio/studio-page.tsx'
import { SignedIn, StaffOnly } from './guards.tsx'
import { loadPageTexts } from './i18n.ts'
import { builtTools, comingTools } from './tool-list.ts'

type Load = () => Promise<{ default: ComponentType }>

/** A screen together with its texts. */
async function withTexts<Screen>(screen: Promise<Screen>): Promise<Screen> {
  const [loaded] = await Promise.all([screen, loadPageTexts()])
  return loaded
}

/** A tool's page brings the controls of its options. */
async function loadStudio(): Promise<{ default: typeof StudioPage }> {
  const [page] = await Promise.all([
    import('#features/generations/app/studio/studio-page.tsx'),
    import('./ui/controls.css'),
    loadPageTexts(),
  ])
  return { default: page.StudioPage }
}

/** The balance from one feature, orders and history from another. */
async function loadBilling(): Promise<{ default: ComponentType }> {
  const [{ BillingPage }, { Records }] = await withTexts(
    Promise.all([import('#features/credits/app/billing-page.tsx'), import('#features/billing/app/records.tsx')]),
  )
  return {
    default: () => (
      <BillingPage>
        <Records />
      </BillingPage>
    ),
  }
}

/** Every screen, loaded when it is first asked for. */
const loads = {
  home: async () => ({ default: (await import('#features/site/app/home-page.tsx')).HomePage }),
  pricing: async () => ({ default: (await withTexts(import('#features/site/app/pricing-page.tsx'))).PricingPage }),
  howToUse: async () => ({ default: (await withTexts(import('#features/site/app/how-to-use-page.tsx'))).HowToUsePage }),
  privacy: async () => ({ default: (await withTexts(import('#features/site/app/legal-page.tsx'))).PrivacyPage }),
  terms: async () => ({ default: (await withTexts(import('#features/site/app/legal-page.tsx'))).TermsPage }),
  comingSoon: async () => ({
    default: (await withTexts(import('#features/site/app/coming-soon-page.tsx'))).ComingSoonPage,
  }),
  notFound: async () => ({ default: (await withTexts(import('#features/site/app/not-found-page.tsx'))).NotFoundPage }),
  auth: async () => ({ default: (await withTexts(import('#features/account/app/auth-page.tsx'))).AuthPage }),
  resetPassword: async () => ({
    default: (await withTexts(import('#features/account/app/reset-password-page.tsx'))).ResetPasswordPage,
  }),
  callback: async () => ({
    default: (await withTexts(import('#features/account/app/callback-page.tsx'))).CallbackPage,
  }),
  logout: async () => ({ default: (await withTexts(import('#features/account/app/logout-page.tsx'))).LogoutPage }),
  profile: async () => ({ default: (await withTexts(import('#features/account/app/profile-page.tsx'))).ProfilePage }),
  history: async () => ({
    default: (await withTexts(import('#features/generations/app/history/history-page.tsx'))).HistoryPage,
  }),
  billing: loadBilling,
  checkout: async () => ({
    default: (await withTexts(import('#features/billing/app/checkout-page.tsx'))).CheckoutPage,
  }),
  paymentSuccess: async () => ({
    default: (await withTexts(import('#features/billing/app/result-pages.tsx'))).PaymentSuccessPage,
  }),
  paymentFailed: async () => ({
    default: (await withTexts(import('#features/billing/app/result-pages.tsx'))).PaymentFailedPage,
  }),
} satisfies Record<string, Load>

const Studio = lazy(loadStudio)
const HistoryScreen = lazy(loads.history)
const Home = lazy(loads.home)
const Pricing = lazy(loads.pricing)
const HowToUse = lazy(loads.howToUse)
const Privacy = lazy(loads.privacy)
const Terms = lazy(loads.terms)
const ComingSoon = lazy(loads.comingSoon)
const NotFound = lazy(loads.notFound)
const Auth = lazy(loads.auth)
const ResetPassword = lazy(loads.resetPassword)
const Callback = lazy(loads.callback)
const Logout = lazy(loads.logout)
const Profile = lazy(loads.profile)
const Billing = lazy(loads.billing)
const Checkout = lazy(loads.checkout)
const PaymentSuccess = lazy(loads.paymentSuccess)
const PaymentFailed = lazy(loads.paymentFailed)

/** Screens people open the app at; their code is asked for before React runs. */
const early: Record<string, () => Promise<unknown>> = {
  ...Object.fromEntries(builtTools.map((tool) => [tool.route, loadStudio])),
  '/history': loads.history,
  '/': loads.home,
  '/login': loads.auth,
  '/register': loads.auth,
  '/billing': loads.billing,
  '/checkout': loads.checkout,
  '/payment-success': loads.paymentSuccess,
  '/payment-failed': loads.paymentFailed,
  '/profile': loads.profile,
}

/** Starts loading the screen of a path; a failure shows when the screen itself is asked for. */
export async function loadScreen(path: string): Promise<void> {
  await early[path]?.().catch(() => undefined)
}

const adminScreens = [
  'dashboard',
  'fitur',
  'voucher',
  'request-custom',
  'billing',
  'users',
  'kredit/harga',
  'kredit/riwayat',
]

/** Which screen a path shows. */
export function Routes() {
  return (
    <Switch>
      <Route path="/" component={Home} />
      {builtTools.map((tool) => (
        <Route key={tool.id} path={tool.route}>
          <Studio tool={tool.id} />
        </Route>
      ))}
      <Route path="/history" component={HistoryScreen} />
      {comingTools.map((tool) => (
        <Route key={tool.id} path={tool.route} component={ComingSoon} />
      ))}
      <Route path="/billing">
        <SignedIn>
          <Billing />
        </SignedIn>
      </Route>
      <Route path="/profile">
        <SignedIn>
          <Profile />
        </SignedIn>
      </Route>
      <Route path="/pricing" component={Pricing} />
      <Route path="/how-to-use" component={HowToUse} />
      <Route path="/privacy-policy" component={Privacy} />
      <Route path="/terms-of-service" component={Terms} />
      <Route path="/checkout">
        <SignedIn>
          <Checkout />
        </SignedIn>
      </Route>
      <Route path="/payment-success">
        <SignedIn>
          <PaymentSuccess />
        </SignedIn>
      </Route>
      <Route path="/payment-failed">
        <SignedIn>
          <PaymentFailed />
        </SignedIn>
      </Route>

      {['/login', '/register', '/forgot-password'].map((path) => (
        <Route key={path} path={path} component={Auth} />
      ))}
      <Route path="/reset-password/:token" component={ResetPassword} />
      <Route path="/auth/callback" component={Callback} />
      <Route path="/auth">
        <Redirect to="/login" replace />
      </Route>
      <Route path="/logout" component={Logout} />

      <Route path="/admin/users/me">
        <StaffOnly>
          <Profile />
        </StaffOnly>
      </Route>
      {adminScreens.map((screen) => (
        <Route key={screen} path={`/admin/${screen}`}>
          <StaffOnly>
            <ComingSoon />
          </StaffOnly>
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  )
}
