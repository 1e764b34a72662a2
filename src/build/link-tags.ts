import type { PrerenderedPage } from '../app/prerender.tsx'
import { brandName } from '../shared/brand.ts'
import type { Language } from '../shared/language.ts'
import { publicUrlPlaceholder } from '../shared/public-address.ts'
import { linkPictureSize } from './link-pictures.ts'

const locales: Record<Language, string> = { id: 'id_ID', en: 'en_GB' }

export const escapeText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

const addressIn = (path: string, language: Language) =>
  `${publicUrlPlaceholder}${path}${language === 'id' ? '' : `?lang=${language}`}`

/** Alternate links of a page's languages, and the default. */
const versions = ({ path, languages }: PrerenderedPage) =>
  languages.length < 2
    ? []
    : [
        ...languages.map((language) => ({ hreflang: language as string, href: addressIn(path, language) })),
        { hreflang: 'x-default', href: addressIn(path, 'id') },
      ]

/** Head tags for search engines and messengers, which run no scripts. */
export function linkTags(page: PrerenderedPage, picture: string): string {
  const {
    path,
    language,
    languages,
    title,
    description,
    facts,
    picture: { headline },
  } = page
  const url = addressIn(path, language)
  const image = `${publicUrlPlaceholder}/${picture}`
  const properties = {
    'og:type': 'website',
    'og:site_name': brandName,
    'og:title': title,
    'og:description': description,
    'og:url': url,
    'og:locale': locales[language],
    'og:image': image,
    'og:image:type': 'image/jpeg',
    'og:image:width': String(linkPictureSize.width),
    'og:image:height': String(linkPictureSize.height),
    'og:image:alt': headline,
  }
  const others = languages.filter((other) => other !== language)
  const data = facts.map((fact) => ({ '@context': 'https://schema.org', ...fact, url, image, inLanguage: language }))
  return [
    `<link rel="canonical" href="${url}">`,
    ...versions(page).map(({ hreflang, href }) => `<link rel="alternate" hreflang="${hreflang}" href="${href}">`),
    ...Object.entries(properties).map(([name, value]) => `<meta property="${name}" content="${escapeText(value)}">`),
    ...others.map((other) => `<meta property="og:locale:alternate" content="${locales[other]}">`),
    '<meta name="twitter:card" content="summary_large_image">',
    ...data.map(
      (fact) => `<script type="application/ld+json">${JSON.stringify(fact).replaceAll('<', '\\u003c')}</script>`,
    ),
  ].join('')
}

/** sitemap.xml (sitemaps.org): every page in each of its languages. */
export function siteMap(pages: readonly PrerenderedPage[]): string {
  const entries = pages
    .filter(({ languages }) => languages.length > 1)
    .map((page) => {
      const links = versions(page).map(
        ({ hreflang, href }) => `<xhtml:link rel="alternate" hreflang="${hreflang}" href="${href}"/>`,
      )
      return `<url><loc>${addressIn(page.path, page.language)}</loc>${links.join('')}</url>\n`
    })
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">
${entries.join('')}</urlset>
`
}

/**
 * Private and staff pages exclude themselves by header (static-files.ts), as do pictures of shared
 * links, which messengers must fetch.
 */
export const robots = `User-agent: *\nAllow: /api/shared_results/\nDisallow: /api/\nSitemap: ${publicUrlPlaceholder}/sitemap.xml\n`
