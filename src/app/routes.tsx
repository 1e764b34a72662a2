import { toolRoutes } from 'virtual:tool-routes'
import { useAtomValue } from 'jotai'
import { type ComponentType, lazy, type ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { SignedIn, StaffOnly } from './guards.tsx'
import { loadAdminTexts, loadPageTexts } from './i18n.ts'
import { dutyAtom, isAuthenticatedAtom, store } from './session.ts'

/**
 * A screen, loaded when it is first asked for, and again when that failed. React finds what was asked for early at once, and shows
 * no spinner in between.
 */
function screen<Props>(load: () => Promise<ComponentType<Props>>) {
  let loading: Promise<{ default: ComponentType<Props> }> | undefined
  const once = () => {
    loading ??= load().then(
      (component) => ({ default: component }),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }
  return Object.assign(lazy(once), { load: once })
}

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

const Home = screen(async () => (await import('#features/site/app/home-page.tsx')).HomePage)
const Pricing = screen(async () => (await withTexts(import('#features/site/app/pricing-page.tsx'))).PricingPage)
const HowToUse = screen(async () => (await withTexts(import('#features/site/app/how-to-use-page.tsx'))).HowToUsePage)
const Privacy = screen(async () => (await withTexts(import('#features/site/app/legal-page.tsx'))).PrivacyPage)
const Terms = screen(async () => (await withTexts(import('#features/site/app/legal-page.tsx'))).TermsPage)
const NotFound = screen(async () => (await withTexts(import('#features/site/app/not-found-page.tsx'))).NotFoundPage)
const Auth = screen(async () => (await withTexts(import('#features/account/app/auth-page.tsx'))).AuthPage)
const ResetPassword = screen(
  async () => (await withTexts(import('#features/account/app/reset-password-page.tsx'))).ResetPasswordPage,
)
const Callback = screen(async () => (await withTexts(import('#features/account/app/callback-page.tsx'))).CallbackPage)
const Logout = screen(async () => (await withTexts(import('#features/account/app/logout-page.tsx'))).LogoutPage)
const PasswordDue = screen(
  async () => (await withTexts(import('#features/account/app/password-due-page.tsx'))).PasswordDuePage,
)
const Profile = screen(async () => (await withTexts(import('#features/account/app/profile-page.tsx'))).ProfilePage)
const AdminFrame = screen<{ children: ReactNode }>(
  async () => (await withAdminTexts(import('#features/admin/app/frame/frame.tsx'))).AdminFrame,
)
const Users = screen(async () => (await import('#features/admin/app/users/users-screen.tsx')).UsersScreen)
const User = screen(async () => (await import('#features/admin/app/users/user-screen.tsx')).UserScreen)
const Orders = screen(async () => (await import('#features/admin/app/orders/orders-screen.tsx')).OrdersScreen)
const Order = screen(async () => (await import('#features/admin/app/orders/order-screen.tsx')).OrderScreen)
const Dashboard = screen(
  async () => (await import('#features/admin/app/dashboard/dashboard-screen.tsx')).DashboardScreen,
)
const Tools = screen(async () => (await import('#features/admin/app/tools/tools-screen.tsx')).ToolsScreen)
const Vouchers = screen(async () => (await import('#features/admin/app/vouchers/vouchers-screen.tsx')).VouchersScreen)
const Prices = screen(async () => (await import('#features/admin/app/prices/prices-screen.tsx')).PricesScreen)
const Claims = screen(async () => (await import('#features/admin/app/claims/claims-screen.tsx')).ClaimsScreen)
const Books = screen(async () => (await import('#features/admin/app/books/books-screen.tsx')).BooksScreen)
const Audit = screen(async () => (await import('#features/admin/app/audit/audit-screen.tsx')).AuditScreen)
const Ledger = screen(async () => (await import('#features/admin/app/ledger/ledger-screen.tsx')).LedgerScreen)
const CustomEdit = screen(
  async () => (await withTexts(import('#features/custom-edits/app/form/custom-edit-page.tsx'))).CustomEditPage,
)
const Board = screen(async () => (await import('#features/custom-edits/app/board/board-screen.tsx')).BoardScreen)
const Checkout = screen(async () => (await withTexts(import('#features/billing/app/checkout-page.tsx'))).CheckoutPage)
const PaymentSuccess = screen(
  async () => (await withTexts(import('#features/billing/app/result-pages.tsx'))).PaymentSuccessPage,
)
const PaymentFailed = screen(
  async () => (await withTexts(import('#features/billing/app/result-pages.tsx'))).PaymentFailedPage,
)

/** Pages with a tool's options bring the controls of these. */
async function withControls<Page>(page: Promise<Page>): Promise<Page> {
  const [loaded] = await Promise.all([withTexts(page), import('./ui/controls.css')])
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

const staffOnly = (Page: Screen) => () => (
  <StaffOnly>
    <AdminFrame>
      <Page />
    </AdminFrame>
  </StaffOnly>
)

/** The screen of every path; the build notes the paths for the server, which has no page for any other but a tool to come. */
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
  '/auth/callback': Callback,
  '/auth': () => <Redirect to="/login" replace />,
  '/logout': Logout,
  '/admin/dashboard': staffOnly(Dashboard),
  '/admin/fitur': staffOnly(Tools),
  '/admin/voucher': staffOnly(Vouchers),
  '/admin/request-custom': staffOnly(Board),
  '/admin/billing': staffOnly(Orders),
  '/admin/billing/:id': staffOnly(Order),
  '/admin/users': staffOnly(Users),
  '/admin/users/me': staffOnly(Profile),
  '/admin/users/:id': staffOnly(User),
  '/admin/klaim': staffOnly(Claims),
  '/admin/pembukuan': staffOnly(Books),
  '/admin/audit': staffOnly(Audit),
  '/admin/kredit/harga': staffOnly(Prices),
  '/admin/kredit/riwayat': staffOnly(Ledger),
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
