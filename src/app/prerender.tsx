import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { queryClient } from '#client/query.ts'
import { AuthPage } from '#features/account/app/auth-page.tsx'
import { StudioPage } from '#features/generations/app/studio/studio-page.tsx'
import { Hero } from '#features/site/app/first-screen/hero.tsx'
import { HowToUsePage } from '#features/site/app/how-to-use-page.tsx'
import { PricingPage } from '#features/site/app/pricing-page.tsx'
import { builtTools } from '#tools/tool-list.ts'
import { messages as shellTexts } from '../../locale/id/app.po'
import { messages as pageTexts } from '../../locale/id/pages.po'
import { Shell } from './shell/shell.tsx'

interface PrerenderedPage {
  path: string
  /** What a visitor sees first there. */
  screen: ReactNode
  /** The modules routes.tsx loads for it. */
  modules: string[]
}

const home = (
  <>
    <Hero />
    <div className="min-h-dvh bg-base-100" />
  </>
)
const auth = ['/login', '/register', '/forgot-password']

/** The pages visitors open the app at. */
const pages: PrerenderedPage[] = [
  { path: '/', screen: home, modules: ['src/features/site/app/first-screen/home-page.tsx'] },
  ...builtTools.map(({ id, route }) => ({
    path: route,
    screen: <StudioPage tool={id} />,
    modules: ['src/features/generations/app/studio/studio-page.tsx', 'src/ui/controls.css', 'locale/id/pages.po'],
  })),
  {
    path: '/pricing',
    screen: <PricingPage />,
    modules: ['src/features/site/app/pricing-page.tsx', 'locale/id/pages.po'],
  },
  {
    path: '/how-to-use',
    screen: <HowToUsePage />,
    modules: ['src/features/site/app/how-to-use-page.tsx', 'locale/id/pages.po'],
  },
  ...auth.map((path) => ({
    path,
    screen: <AuthPage />,
    modules: ['src/features/account/app/auth-page.tsx', 'locale/id/pages.po'],
  })),
]

/**
 * The first screens as a visitor sees them, in Indonesian; the build puts each into a page
 * (src/dev/prerender.ts).
 */
export function prerenderPages(): { path: string; modules: string[]; markup: string }[] {
  i18n.loadAndActivate({ locale: 'id', messages: { ...shellTexts, ...pageTexts } })
  return pages.map(({ path, screen, modules }) => ({ path, modules, markup: markupOf(path, screen) }))
}

function markupOf(path: string, screen: ReactNode): string {
  const markup = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <QueryClientProvider client={queryClient}>
        <Router ssrPath={path}>
          <div className="prerendered" inert>
            <Shell>{screen}</Shell>
          </div>
        </Router>
      </QueryClientProvider>
    </I18nProvider>,
  )
  // The content security policy refuses styles written in the page; style sheets hold what they
  // start with.
  return markup.replace(/ style="[^"]*"/g, '')
}
