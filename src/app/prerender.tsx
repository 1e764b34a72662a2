import { i18n } from '@lingui/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { prerender } from 'react-dom/static'
import { Router } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { store } from '#client/session.ts'
import { frequentQuestions } from '#features/site/app/frequent-questions.ts'
import { brandName } from '#shared/brand.ts'
import { type Language, languages } from '#shared/language.ts'
import { type PagePath, pageDetails, pagePaths } from '#shared/pages.ts'
import { findToolPage } from '#tools/pages.ts'
import { publicToolEntries } from '#tools/tool-list.ts'
import type { ToolEntry } from '#tools/ui/tool-entry.ts'
import { ToolIcon } from '#tools/ui/tool-icon.tsx'
import { titleOf } from '#ui/page-title.ts'
import { messages as englishShell } from '../../locale/en/app.po'
import { messages as englishPages } from '../../locale/en/pages.po'
import { messages as shellTexts } from '../../locale/id/app.po'
import { messages as pageTexts } from '../../locale/id/pages.po'
import { App } from './app.tsx'
import { publicPages } from './public-pages.ts'

export interface PrerenderedPage {
  path: string
  language: Language
  languages: readonly Language[]
  title: string
  description: string
  markup: string
  picture: LinkPicture
  /** JSON-LD (schema.org) without address and picture. */
  facts: Record<string, unknown>[]
}

export interface LinkPicture {
  headline: string
  /** Tool whose pictures in public/samples/tools are shown. */
  tool: string
  showcase?: 'pair' | 'result'
  /** Icon as SVG, with the app's colours by name. */
  mark: string
}

const messages = {
  id: { ...shellTexts, ...pageTexts },
  en: { ...shellTexts, ...pageTexts, ...englishShell, ...englishPages },
}

/**
 * Renders each page as a first-time visitor sees it, in each language; see src/build/prerender.ts.
 */
export async function prerenderPages(): Promise<PrerenderedPage[]> {
  const pages: PrerenderedPage[] = []
  for (const language of languages) {
    i18n.loadAndActivate({ locale: language, messages: messages[language] })
    store.set(languageAtom, language)
    for (const page of pagesIn(language)) pages.push({ ...page, markup: await markupOf(page.path) })
  }
  return pages
}

type Drawn = Omit<PrerenderedPage, 'markup'>

function pagesIn(language: Language): Drawn[] {
  const [sample] = publicToolEntries as [ToolEntry, ...ToolEntry[]]
  const own = pagePaths.flatMap((path): Drawn[] => {
    const page = publicPages[path]
    const description = page?.[language]
    if (!page || !description) return []
    const name = nameOf(path)
    const facts = path === '/' ? [application(brandName, description)] : path === '/how-to-use' ? [questions()] : []
    const offered = page.en ? languages : (['id'] as const)
    const picture = pictureOf(publicToolEntries.find(({ route }) => route === path) ?? sample, name)
    return [{ path, language, languages: offered, title: titleOf(name), description, picture, facts }]
  })
  const tools = publicToolEntries.flatMap((tool): Drawn[] => {
    const page = findToolPage(tool.id)
    if (!page) return []
    const name = i18n._(tool.name)
    const description = i18n._(page.labels.intro)
    const picture = pictureOf(tool, name)
    const facts = [application(titleOf(name), description)]
    return [{ path: tool.route, language, languages, title: titleOf(name), description, picture, facts }]
  })
  return [...own, ...tools]
}

function nameOf(path: PagePath): string {
  const { name, title = name } = pageDetails(path)
  return i18n._(title)
}

function pictureOf({ id, icon, showcase }: ToolEntry, headline: string): LinkPicture {
  return { headline, tool: id, ...(showcase && { showcase }), mark: renderToStaticMarkup(<ToolIcon mark={icon} />) }
}

const application = (name: string, description: string) => ({
  '@type': 'SoftwareApplication',
  name,
  description,
  applicationCategory: 'MultimediaApplication',
  operatingSystem: 'Android, iOS, Windows, macOS, Linux',
})

const questions = () => ({
  '@type': 'FAQPage',
  mainEntity: frequentQuestions.map(({ ask, answer }) => ({
    '@type': 'Question',
    name: i18n._(ask),
    acceptedAnswer: { '@type': 'Answer', text: i18n._(answer) },
  })),
})

async function markupOf(path: string): Promise<string> {
  const errors: unknown[] = []
  const { prelude } = await prerender(
    <Router ssrPath={path}>
      <App onShown={() => undefined} />
    </Router>,
    // The content security policy blocks the inline scripts by which React would move late parts.
    { progressiveChunkSize: Number.POSITIVE_INFINITY, onError: (error) => void errors.push(error) },
  )
  if (errors.length > 0) throw new AggregateError(errors, `${path} cannot be prerendered`)
  const markup = await new Response(prelude).text()
  // The policy blocks style attributes in documents as well; main.tsx applies them later.
  return markup.replaceAll(' style="', ' data-style="')
}
