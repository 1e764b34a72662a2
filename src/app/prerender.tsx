import { i18n } from '@lingui/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { prerender } from 'react-dom/static'
import { Router } from 'wouter'
import { languageAtom } from '#client/i18n.ts'
import { store } from '#client/session.ts'
import { frequentQuestions } from '#features/site/app/faq.tsx'
import { brandName } from '#shared/brand.ts'
import { type Language, languages } from '#shared/language.ts'
import { type PagePath, pageDetails, pagePaths } from '#shared/pages.ts'
import { findToolPage } from '#tools/pages.ts'
import { publicToolEntries } from '#tools/tool-list.ts'
import type { ToolEntry } from '#tools/ui/page.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { titleOf } from '#ui/page-header.tsx'
import { messages as englishShell } from '../../locale/en/app.po'
import { messages as englishPages } from '../../locale/en/pages.po'
import { messages as englishTools } from '../../locale/en/tools.po'
import { messages as shellTexts } from '../../locale/id/app.po'
import { messages as pageTexts } from '../../locale/id/pages.po'
import { messages as toolTexts } from '../../locale/id/tools.po'
import { App } from './app.tsx'

const studioPage = 'generations/app/studio/studio-page.tsx'
const pricingPage = 'site/app/pricing-page.tsx'
const homePage = 'site/app/first-screen/home-page.tsx'
const authPage = 'account/app/auth-page.tsx'
const legalPage = 'site/app/legal-page.tsx'

/**
 * Screens as in routes.tsx, and descriptions for search engines; only the build reads them. A
 * missing language has no screen.
 */
const publicPages: Partial<Record<PagePath, { screen: string; id: string; en?: string }>> = {
  '/': {
    screen: homePage,
    id: 'Edit foto dengan AI langsung dari HP: hapus latar, rapikan, dan unduh dalam hitungan detik. Bayar per hasil dengan kredit.',
    en: 'Edit photos with AI on your phone: remove backgrounds, tidy up, and download within seconds. Pay per result with credits.',
  },
  '/pricing': {
    screen: pricingPage,
    id: 'Harga kredit Rupa: beli sekali, pakai 30 hari, tanpa perpanjangan otomatis. Bayar per hasil yang jadi.',
    en: 'What Rupa’s credits cost: buy once, use for 30 days, no automatic renewal. Pay for finished results only.',
  },
  '/how-to-use': {
    screen: 'site/app/how-to-use-page.tsx',
    id: 'Cara mengedit foto dengan Rupa: pilih foto, lihat pratinjaunya, lalu unduh hasilnya.',
    en: 'How to edit photos with Rupa: choose a photo, look at its preview, and download the result.',
  },
  '/developers': {
    screen: 'site/app/developers/developers-page.tsx',
    id: 'API Rupa: hapus latar dan semua alat lain dari programmu, dengan kunci uji gratis dan antarmuka remove.bg.',
    en: 'The Rupa API: background removal and every other tool from your own program, with free test keys and the interface of remove.bg.',
  },
  '/customize-edit': {
    screen: 'custom-edits/app/form/custom-edit-page.tsx',
    id: 'Ceritakan hasil yang kamu mau, dan desainer Rupa mengerjakan fotomu dengan tangan.',
    en: 'Say what you want your photo to become, and Rupa’s designers edit it by hand.',
  },
  '/privacy-policy': {
    screen: legalPage,
    id: 'Data apa yang disimpan Rupa, untuk apa, berapa lama, dan bagaimana kamu menghapusnya.',
    en: 'What data Rupa keeps, what for, for how long, and how you delete it.',
  },
  '/terms-of-service': {
    screen: legalPage,
    id: 'Syarat memakai Rupa: akun, kredit, pembayaran, pengembalian, dan hasil editmu.',
    en: 'The terms of using Rupa: accounts, credits, payments, refunds, and your results.',
  },
  '/login': {
    screen: authPage,
    id: 'Masuk ke akun Rupa untuk melanjutkan edit foto, melihat riwayat, dan memakai kreditmu.',
  },
  '/register': {
    screen: authPage,
    id: 'Daftar gratis di Rupa dan langsung dapat kredit untuk mencoba edit foto dengan AI.',
  },
  '/forgot-password': {
    screen: authPage,
    id: 'Lupa kata sandi akun Rupa? Minta tautan untuk membuat kata sandi baru lewat email.',
  },
}

export interface PrerenderedPage {
  path: string
  language: Language
  languages: readonly Language[]
  /** Preloaded by the page. */
  modules: readonly string[]
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
  id: { ...shellTexts, ...toolTexts, ...pageTexts },
  en: { ...shellTexts, ...toolTexts, ...pageTexts, ...englishShell, ...englishTools, ...englishPages },
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

/** The texts of the first page are in the shell's, which are part of the app in Indonesian. */
function modulesOf(screen: string, language: Language): string[] {
  const needsOnlyTools = screen === studioPage || screen === pricingPage
  const parts = screen === homePage ? [] : needsOnlyTools ? ['tools'] : ['tools', 'pages']
  if (language === 'en') parts.unshift('app')
  return [`/src/features/${screen}`, ...parts.map((part) => `/locale/${language}/${part}.po`)]
}

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
    const modules = modulesOf(page.screen, language)
    return [{ path, language, languages: offered, modules, title: titleOf(name), description, picture, facts }]
  })
  const tools = publicToolEntries.flatMap((tool): Drawn[] => {
    const page = findToolPage(tool.id)
    if (!page) return []
    const name = i18n._(tool.name)
    const description = i18n._(page.labels.intro)
    const picture = pictureOf(tool, name)
    const facts = [application(titleOf(name), description)]
    const modules = modulesOf(studioPage, language)
    return [{ path: tool.route, language, languages, modules, title: titleOf(name), description, picture, facts }]
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
