import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { queryClient } from '#client/query.ts'
import { type PagesWith, pageDetails } from '#contract/pages.ts'
import { AuthPage } from '#features/account/app/auth-page.tsx'
import { StudioPage } from '#features/generations/app/studio/studio-page.tsx'
import { Hero } from '#features/site/app/first-screen/hero.tsx'
import { HowToUsePage } from '#features/site/app/how-to-use-page.tsx'
import { PricingPage } from '#features/site/app/pricing-page.tsx'
import { builtTools } from '#tools/tool-list.ts'
import { titleOf } from '#ui/page-title.ts'
import { messages as shellTexts } from '../../locale/id/app.po'
import { messages as pageTexts } from '../../locale/id/pages.po'
import { Shell } from './shell/shell.tsx'

interface Prerendered {
  /** What a visitor sees first there. */
  screen: ReactNode
  /** The modules routes.tsx loads for it. */
  modules: string[]
}

const texts = 'locale/id/pages.po'
const home = (
  <>
    <Hero />
    <div className="min-h-dvh bg-base-100" />
  </>
)
const auth = { screen: <AuthPage />, modules: ['src/features/account/app/auth-page.tsx', texts] }

const screens: Record<PagesWith<{ prerendered: true }>, Prerendered> = {
  '/': { screen: home, modules: ['src/features/site/app/first-screen/home-page.tsx'] },
  '/pricing': { screen: <PricingPage />, modules: ['src/features/site/app/pricing-page.tsx', texts] },
  '/how-to-use': { screen: <HowToUsePage />, modules: ['src/features/site/app/how-to-use-page.tsx', texts] },
  '/login': auth,
  '/register': auth,
  '/forgot-password': auth,
}
const studio = ['src/features/generations/app/studio/studio-page.tsx', texts]

/**
 * The first screens as a visitor sees them, in Indonesian; the build puts each into a page
 * (src/dev/prerender.ts).
 */
export function prerenderPages(): { path: string; title: string; modules: string[]; markup: string }[] {
  i18n.loadAndActivate({ locale: 'id', messages: { ...shellTexts, ...pageTexts } })
  const own = Object.entries(screens).map(([path, page]) => ({
    ...page,
    path,
    name: path === '/' ? '' : i18n._(pageDetails(path as keyof typeof screens).name),
  }))
  const tools = builtTools.map(({ id, route, name }) => ({
    path: route,
    name: i18n._(name),
    screen: <StudioPage tool={id} />,
    modules: studio,
  }))
  return [...own, ...tools].map(({ path, name, screen, modules }) => ({
    path,
    title: name && titleOf(name),
    modules,
    markup: markupOf(path, screen),
  }))
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
