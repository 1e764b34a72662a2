import { createServer, type Plugin, type Rolldown } from 'vite'
import type { PrerenderedPage } from '../app/prerender.tsx'
import { brandName, publicUrlPlaceholder } from '../shared/brand.ts'
import type { Language } from '../shared/language.ts'
import { drawLinkPicture, linkPictureSize } from './link-pictures.ts'

const locales: Record<Language, string> = { id: 'id_ID', en: 'en_GB' }

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

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
function linkTags(page: PrerenderedPage, picture: string): string {
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
function siteMap(pages: readonly PrerenderedPage[]): string {
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
const robots = `User-agent: *\nAllow: /api/shared_results/\nAllow: /api/v1/openapi.json\nDisallow: /api/\nSitemap: ${publicUrlPlaceholder}/sitemap.xml\n`

/** For AI assistants (llmstxt.org): what there is, and where the documents are. */
function guideForAssistants(pages: readonly PrerenderedPage[]): string {
  const english = pages.filter(({ language }) => language === 'en')
  const links = english.map(
    ({ path, title, description }) => `- [${title}](${publicUrlPlaceholder}${path}?lang=en): ${description}`,
  )
  return `# ${brandName}

> Edit photos and videos with AI, in a browser or by an API. Paid with credits; failures are free.

## API

- [Guide](${publicUrlPlaceholder}/developers?lang=en): keys, first call, waiting, webhooks, limits
- [OpenAPI document](${publicUrlPlaceholder}/api/v1/openapi.json): every call below /api/v1, with parameters of each tool
- MCP server: ${publicUrlPlaceholder}/api/v1/mcp (streamable HTTP): list_tools, run_tool, get_result, get_credits
- [Interface of remove.bg](${publicUrlPlaceholder}/developers?lang=en): POST /v1.0/removebg and GET /v1.0/account

Send \`Authorization: Bearer rupa_live_…\` or a free test key \`rupa_test_…\`; POST needs an \`Idempotency-Key\`.

## Pages

${links.join('\n')}
`
}

export function prerender(): Plugin {
  return {
    name: 'rupa-prerender',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const start = bundle['index.html']
      // The service worker's build has no page.
      if (start?.type !== 'asset') return
      const assets = Object.values(bundle).filter((file) => file.type === 'asset')
      const builtFile = (source: string) =>
        assets.find(({ originalFileNames }) => originalFileNames.includes(source))?.fileName ?? source
      const pages = await renderPages()
      const pictures = new Map<string, string>()
      /** Pages with equal pictures share one file. */
      const pictureOf = async (page: PrerenderedPage) => {
        const key = JSON.stringify(page.picture)
        const name = `${page.path.slice(1) || 'home'}-${page.language}.jpg`
        const file =
          pictures.get(key) ??
          this.getFileName(this.emitFile({ type: 'asset', name, source: await drawLinkPicture(page.picture) }))
        pictures.set(key, file)
        return file
      }
      for (const page of pages) {
        const { path, language, modules, title, description, markup } = page
        const needed = links(bundle, modules)
        const tags = linkTags(page, await pictureOf(page))
        const code: string[] = []
        const pictures: string[] = []
        const body = markup.replace(/<link rel="preload" as="image"[^>]*>/g, (link) => {
          pictures.push(link)
          return ''
        })
        const source = String(start.source)
          .replace('<html lang="id"', `<html lang="${language}"`)
          .replace(/(?<=<title>)[^<]*/, () => escapeText(title))
          .replace(/(?<=<meta name="description" content=")[^"]*/, () => escapeText(description))
          // Painting comes first: public/early.js loads the code afterwards.
          .replace(/\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g, (tag) => {
            code.push(tag.trim())
            return ''
          })
          // As a file, the app's styles would cost the first paint a round trip. They are long, so
          // the document first names what it needs besides. The disabled link loads nothing; it
          // tells Vite that these styles are there.
          .replace(/<link rel="stylesheet"[^>]* href="\/([^"]+)">/, (link, file: string) => {
            const styles = needed.styles.filter((name) => name !== file)
            const tagsOf = (attributes: string) =>
              styles.map((name) => `<link rel=${attributes} crossorigin href="/${name}">`)
            const app = `<style>${textOf(bundle, file)}</style>${link.replace('>', ' disabled>')}`
            return [...pictures, ...tagsOf('"preload" as="style"'), app, ...tagsOf('"stylesheet"')].join('')
          })
          .replace('</head>', (tag) => {
            const scripts = [...code, ...unlike(needed.scripts, code.join(''))].join('')
            return `${tags}<template id="code">${scripts}</template>${tag}`
          })
          .replace('<div id="root">', (root) => `${root.replace('>', ' data-prerendered>')}${body}`)
          .replace(/(?<=")\/(src\/[^"?]+)(?:\?[^"]*)?(?=")/g, (_, file: string) => `/${builtFile(file)}`)
        const folder = language === 'id' ? 'prerendered' : `prerendered/${language}`
        this.emitFile({ type: 'asset', fileName: `${folder}/${path.slice(1) || 'home'}.html`, source })
      }
      this.emitFile({ type: 'asset', fileName: 'prerendered/sitemap.xml', source: siteMap(pages) })
      this.emitFile({ type: 'asset', fileName: 'prerendered/robots.txt', source: robots })
      this.emitFile({ type: 'asset', fileName: 'prerendered/llms.txt', source: guideForAssistants(pages) })
    },
  }
}

function textOf(bundle: Rolldown.OutputBundle, name: string): string {
  const file = bundle[name]
  if (file?.type !== 'asset') throw new Error(`the build has no file ${name}`)
  return String(file.source)
}

/** Styles, and preload links as Vite makes them for the entry, of modules needed at the start. */
function links(bundle: Rolldown.OutputBundle, modules: readonly string[]) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const needed = new Set(chunks.filter(({ facadeModuleId }) => modules.some((id) => facadeModuleId?.endsWith(id))))
  if (needed.size < modules.length) throw new Error(`no files of the build begin with ${modules.join(' and ')}`)
  for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk)
  const styles = new Set([...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return {
    styles: [...styles],
    scripts: [...needed].map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
  }
}

/** Tags whose file is not in the document yet. */
const unlike = (tags: string[], document: string) =>
  tags.filter((tag) => !document.includes(/(?<=href=)"[^"]+"/.exec(tag)?.[0] ?? tag))

async function renderPages(): Promise<PrerenderedPage[]> {
  const server = await createServer({ server: { middlewareMode: true, ws: false, watch: null }, logLevel: 'error' })
  try {
    const { prerenderPages } = await server.ssrLoadModule('/src/app/prerender.tsx')
    return await prerenderPages()
  } finally {
    await server.close()
  }
}
