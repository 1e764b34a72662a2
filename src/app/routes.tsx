import { toolRoutes } from 'virtual:tool-routes'
import { useLingui } from '@lingui/react'
import { useAtomValue } from 'jotai'
import type { ComponentType, ReactNode } from 'react'
import { Redirect, Route, Switch, useLocation, useSearch } from 'wouter'
import { loadAdminTexts, loadToolTexts } from '#client/i18n.ts'
import { lazyComponent, lazyWithTexts } from '#client/lazy.ts'
import { isAuthenticatedAtom, requiredActionAtom, store, userAtom } from '#client/session.ts'
import type { StaffPath } from '#features/admin/pages.ts'
import { landingPages } from '#shared/pages.ts'
import { permissionsOf } from '#shared/roles.ts'
import { usePageTitle } from '#ui/page-header.tsx'
import { type AnyPath, anyPaths, detailsOf, findPage, type PagesWith } from './pages.ts'

/** Visitors sign in first and return; users without access are redirected. */
function Guard({ page, children }: { page: AnyPath; children: ReactNode }) {
  const { access, needs } = detailsOf(page)
  const [path] = useLocation()
  const search = useSearch()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const user = useAtomValue(userAtom)
  const action = useAtomValue(requiredActionAtom)
  if (!access) return children
  const from = search === '' ? path : `${path}?${search}`
  if (!signedIn || !user) return <Redirect to="/login" state={{ from }} replace />
  if (access === 'signed-in') return children
  if (user.role === 'user') return <Redirect to={landingPages.user} replace />
  // The profile explains the requirement and offers the set-up.
  if (action === 'second_factor') return <Redirect to="/profile" replace />
  if (needs && !permissionsOf(user).includes(needs)) return <Redirect to={landingPages[user.role]} replace />
  return children
}

const Admin = lazyWithTexts(async () => {
  const [screens] = await Promise.all([import('./admin/admin-screens.tsx'), loadAdminTexts()])
  return screens
}, 'AdminScreen')
const Home = lazyComponent(async () => {
  const screen = await import('#features/site/app/first-screen/home-page.tsx')
  // Before React takes the page over, which takes a slow phone long.
  screen.preloadForPhoto()
  return screen
}, 'HomePage')
const NotFound = lazyWithTexts(() => import('#features/site/app/not-found-page.tsx'), 'NotFoundPage')
const Auth = lazyWithTexts(() => import('#features/account/app/auth-page.tsx'), 'AuthPage')
const Legal = lazyWithTexts(() => import('#features/site/app/legal-page.tsx'), 'LegalPage')
const PaymentResult = lazyWithTexts(() => import('#features/billing/app/result-pages.tsx'), 'ResultPage')
const PasswordDue = lazyWithTexts(() => import('#features/account/app/new-password-pages.tsx'), 'PasswordDuePage')

/** Its parts load the other texts. */
const Studio = lazyWithTexts(
  () => import('#features/generations/app/studio/studio-page.tsx'),
  'StudioPage',
  undefined,
  loadToolTexts,
)

/** Asks the server first, and brings the other texts of the history. */
const OwnEdits = lazyWithTexts(() => import('#features/custom-edits/app/own-edits.tsx'), 'OwnEdits', null)

const Member = lazyWithTexts(() => import('./member-screen.tsx'), 'MemberScreen', undefined, loadToolTexts)

const HomeScreen = Object.assign(() => (useAtomValue(isAuthenticatedAtom) ? <Member /> : <Home />), {
  load: () => (store.get(isAuthenticatedAtom) ? Member : Home).load(),
})

type ScreenPath = Exclude<AnyPath, StaffPath | PagesWith<{ leadsTo: AnyPath }>>

const screens: Record<ScreenPath, ComponentType & { load: () => Promise<unknown> }> = {
  '/': HomeScreen,
  '/pricing': lazyWithTexts(
    () => import('#features/site/app/pricing-page.tsx'),
    'PricingPage',
    undefined,
    loadToolTexts,
  ),
  '/how-to-use': lazyWithTexts(() => import('#features/site/app/how-to-use-page.tsx'), 'HowToUsePage'),
  '/developers': lazyWithTexts(() => import('#features/site/app/developers/developers-page.tsx'), 'DevelopersPage'),
  '/privacy-policy': Legal,
  '/terms-of-service': Legal,
  '/history': lazyWithTexts(
    async () => {
      const { HistoryPage } = await import('#features/generations/app/history/history-page.tsx')
      const screen = () => (
        <HistoryPage>
          <OwnEdits />
        </HistoryPage>
      )
      return { screen }
    },
    'screen',
    undefined,
    loadToolTexts,
  ),
  '/open-with': lazyWithTexts(() => import('#features/generations/app/open-with/open-with-page.tsx'), 'OpenWithPage'),
  '/customize-edit': lazyWithTexts(
    () => import('#features/custom-edits/app/form/custom-edit-page.tsx'),
    'CustomEditPage',
  ),
  '/billing': lazyWithTexts(() => import('#features/billing/app/billing-page.tsx'), 'BillingPage'),
  '/profile': lazyWithTexts(() => import('./profile-screen.tsx'), 'ProfileScreen'),
  '/checkout': lazyWithTexts(() => import('#features/billing/app/checkout-page.tsx'), 'CheckoutPage'),
  '/payment-success': PaymentResult,
  '/payment-failed': PaymentResult,
  '/login': Auth,
  '/register': Auth,
  '/forgot-password': Auth,
  '/reset-password/:token': lazyWithTexts(
    () => import('#features/account/app/new-password-pages.tsx'),
    'ResetPasswordPage',
  ),
  '/shared/:token': lazyWithTexts(async () => {
    const { SharedPage } = await import('#features/shared-results/app/shared-page.tsx')
    const ReportSheet = lazyComponent(
      () => import('#features/content-reports/app/report-sheet.tsx'),
      'ReportSheet',
      null,
    )
    return { screen: () => <SharedPage ReportSheet={ReportSheet} /> }
  }, 'screen'),
  '/guardian/:token': lazyWithTexts(() => import('#features/guardians/app/guardian-page.tsx'), 'GuardianPage'),
  '/keep-factors/:token': lazyWithTexts(() => import('#features/account/app/link-pages.tsx'), 'KeepFactorsPage'),
  '/second-factor/:token': lazyWithTexts(() => import('#features/account/app/link-pages.tsx'), 'FirstFactorPage'),
  '/auth/callback': lazyWithTexts(() => import('#features/account/app/link-pages.tsx'), 'CallbackPage'),
  '/logout': lazyWithTexts(async () => {
    const [{ LogoutPage }, { waitingUploads }] = await Promise.all([
      import('#features/account/app/logout-page.tsx'),
      import('#features/uploads/app/use-job.ts'),
    ])
    const countWaiting = async () => {
      await import('#features/uploads/app/send-uploads.ts')
        .then(({ readUploads }) => readUploads())
        .catch(() => undefined)
      return waitingUploads().length
    }
    return { screen: () => <LogoutPage countWaiting={countWaiting} /> }
  }, 'screen'),
}

const hasScreen = (path: AnyPath): path is ScreenPath => path in screens
const isAdmins = (path: AnyPath): path is StaffPath => path.startsWith('/admin/')

/** A failure surfaces when the screen is rendered. */
export async function loadScreen(address: string): Promise<void> {
  const path = findPage(address)
  const found = path
    ? hasScreen(path) && screens[path]
    : Object.values(toolRoutes).some((route) => route === address) && Studio
  if (found) await found.load().catch(() => undefined)
}

function Title({ path }: { path: AnyPath }) {
  const { i18n } = useLingui()
  const { name, title = name } = detailsOf(path)
  usePageTitle(i18n._(title))
  return null
}

function PageAt({ path }: { path: AnyPath }) {
  const { leadsTo } = detailsOf(path)
  if (leadsTo) return <Redirect to={leadsTo} replace />
  const Screen = hasScreen(path) ? screens[path] : null
  return (
    <Guard page={path}>
      {Screen && (
        <>
          <Title path={path} />
          <Screen />
        </>
      )}
      {isAdmins(path) && <Admin path={path} />}
    </Guard>
  )
}

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
      {anyPaths.map((path) => (
        <Route key={path} path={path}>
          <PageAt path={path} />
        </Route>
      ))}
      <Route component={NotFound} />
    </Switch>
  )
}
