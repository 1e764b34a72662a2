import { i18n } from '@lingui/core'
import { prerender } from 'react-dom/static'
import { Router } from 'wouter'
import { pageDetails, pagePaths } from '#contract/pages.ts'
import { findToolPage } from '#tools/pages.ts'
import { builtTools } from '#tools/tool-list.ts'
import { titleOf } from '#ui/page-title.ts'
import { messages as shellTexts } from '../../locale/id/app.po'
import { messages as pageTexts } from '../../locale/id/pages.po'
import { App } from './app.tsx'

export interface PrerenderedPage {
  path: string
  title: string
  description: string
  markup: string
}

/**
 * The pages as a visitor sees them first, in Indonesian; the build puts each into a document
 * (src/dev/prerender.ts).
 */
export async function prerenderPages(): Promise<PrerenderedPage[]> {
  i18n.loadAndActivate({ locale: 'id', messages: { ...shellTexts, ...pageTexts } })
  const own = pagePaths.flatMap((path) => {
    const { name, prerendered } = pageDetails(path)
    return prerendered ? [{ path, name: path === '/' ? '' : i18n._(name), ...prerendered }] : []
  })
  const tools = builtTools.map(({ id, route, name, tagline }) => ({
    path: route,
    name: i18n._(name),
    description: i18n._(findToolPage(id)?.labels.intro ?? tagline),
  }))
  const pages: PrerenderedPage[] = []
  for (const { path, name, description } of [...own, ...tools]) {
    pages.push({ path, title: titleOf(name), description, markup: await markupOf(path) })
  }
  return pages
}

async function markupOf(path: string): Promise<string> {
  const errors: unknown[] = []
  const { prelude } = await prerender(
    <Router ssrPath={path}>
      <App onShown={() => undefined} />
    </Router>,
    // The content security policy refuses the scripts by which React would place parts later.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void errors.push(error) },
  )
  if (errors.length > 0) throw new AggregateError(errors, `${path} cannot be prerendered`)
  const markup = await new Response(prelude).text()
  // The policy refuses styles written in a document as well; main.tsx sets them when it comes.
  return markup.replaceAll(' style="', ' data-style="')
}
