import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import { matchesPath } from '#shared/pages.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'

export interface PageHead {
  language: Language
  title: string
  description: string
  url?: string
  picture?: { url: string; contentType: string; width: number; height: number }
  status: 200 | 404
}

export type HeadOf = (asked: {
  path: string
  language: string | undefined
  acceptLanguage: string | undefined
}) => Promise<PageHead | undefined>

const locales: Record<Language, string> = { id: 'id_ID', en: 'en_GB' }

/** Excluded from search engines. */
export function withPageHead(document: string, { language, title, description, url, picture }: PageHead): string {
  const properties = {
    'og:type': 'website',
    'og:site_name': brandName,
    'og:title': title,
    'og:description': description,
    'og:locale': locales[language],
    ...(url && { 'og:url': url }),
    ...(picture && {
      'og:image': picture.url,
      'og:image:type': picture.contentType,
      'og:image:width': String(picture.width),
      'og:image:height': String(picture.height),
      'og:image:alt': title,
    }),
  }
  const tags = [
    '<meta name="robots" content="noindex, nofollow, noimageindex">',
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escaped(value)}">`),
    `<meta name="twitter:card" content="${picture && picture.width > picture.height ? 'summary_large_image' : 'summary'}">`,
  ]
  return document
    .replace('<html lang="id"', `<html lang="${language}"`)
    .replace(/(?<=<title>)[^<]*/, () => escaped(title))
    .replace(/(?<=<meta name="description" content=")[^"]*/, () => escaped(description))
    .replace('</head>', (end) => tags.join('') + end)
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export type FindPage = (address: string) => string | undefined

export function pageFinder(pagePaths: readonly string[], tools: ToolRegistry): FindPage {
  const paths = [...pagePaths, ...Object.values(tools).map(({ route }) => route)]
  return (address) => paths.find((path) => matchesPath(address, path))
}
