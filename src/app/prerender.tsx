import { i18n } from '@lingui/core'
import { I18nProvider } from '@lingui/react'
import { renderToStaticMarkup } from 'react-dom/server'
import { Router } from 'wouter'
import { Hero } from '#features/site/app/hero.tsx'
import { messages } from '../../locale/id/app.po'
import { Shell } from './shell/shell.tsx'

/** The top of the home page as a visitor sees it first, in Indonesian; the build puts it into the page (src/dev/prerender.ts). */
export function prerenderHome(): string {
  i18n.loadAndActivate({ locale: 'id', messages })
  const page = renderToStaticMarkup(
    <I18nProvider i18n={i18n}>
      <Router ssrPath="/">
        <div className="prerendered" inert>
          <Shell>
            <Hero />
            <div className="min-h-dvh bg-base-100" />
          </Shell>
        </div>
      </Router>
    </I18nProvider>,
  )
  // The content security policy refuses styles written in the page; style sheets hold what they start with.
  return page.replace(/ style="[^"]*"/g, '')
}
