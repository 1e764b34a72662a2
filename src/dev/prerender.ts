import { createServer, type Plugin, type Rolldown } from 'vite'
import type { PrerenderedPage } from '../app/prerender.tsx'

const texts = '/locale/id/pages.po'
const auth = ['/src/features/account/app/auth-page.tsx', texts]
/** What src/app/routes.tsx loads for a page; for the others, which are tools, it is the studio. */
const modulesOf: Record<string, string[]> = {
  '/': ['/src/features/site/app/first-screen/home-page.tsx'],
  '/pricing': ['/src/features/site/app/pricing-page.tsx', texts],
  '/how-to-use': ['/src/features/site/app/how-to-use-page.tsx', texts],
  '/login': auth,
  '/register': auth,
  '/forgot-password': auth,
}
const studio = ['/src/features/generations/app/studio/studio-page.tsx', texts]

/**
 * Makes a document of each page that visitors open the app at, from index.html and what it shows
 * first.
 */
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
      for (const { path, title, description, markup } of await renderPages()) {
        const needed = links(bundle, modulesOf[path] ?? studio)
        const code: string[] = []
        const source = String(start.source)
          .replace(/(?<=<title>)[^<]*/, () => escapeText(title))
          .replace(/(?<=<meta name="description" content=")[^"]*/, () => escapeText(description))
          // What is painted comes first: public/early.js lets the code come once it is.
          .replace(/\s*<(?:script type="module"|link rel="modulepreload")[^>]*>(?:<\/script>)?/g, (tag) => {
            code.push(tag.trim())
            return ''
          })
          .replace('</head>', (tag, _, document: string) => {
            const scripts = [...code, ...unlike(needed.scripts, code.join(''))].join('')
            return `${unlike(needed.styles, document).join('')}<template id="code">${scripts}</template>${tag}`
          })
          .replace('<div id="root">', (root) => `${root.replace('>', ' data-prerendered>')}${markup}`)
          .replace(/(?<=")\/(src\/[^"?]+)(?:\?[^"]*)?(?=")/g, (_, file: string) => `/${builtFile(file)}`)
        this.emitFile({ type: 'asset', fileName: `prerendered/${path.slice(1) || 'home'}.html`, source })
      }
    },
  }
}

/** Links to what these modules cannot begin without, as Vite makes them for the entry. */
function links(bundle: Rolldown.OutputBundle, modules: readonly string[]) {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const needed = new Set(chunks.filter(({ facadeModuleId }) => modules.some((id) => facadeModuleId?.endsWith(id))))
  if (needed.size < modules.length) throw new Error(`no files of the build begin with ${modules.join(' and ')}`)
  for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk)
  const styles = new Set([...needed].flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return {
    styles: [...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    scripts: [...needed].map(({ fileName }) => `<link rel="modulepreload" crossorigin href="/${fileName}">`),
  }
}

/** Those tags whose file the document does not name yet. */
const unlike = (tags: string[], document: string) =>
  tags.filter((tag) => !document.includes(/(?<=href=)"[^"]+"/.exec(tag)?.[0] ?? tag))

const escapeText = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

async function renderPages(): Promise<PrerenderedPage[]> {
  const server = await createServer({ server: { middlewareMode: true, ws: false, watch: null }, logLevel: 'error' })
  try {
    const { prerenderPages } = await server.ssrLoadModule('/src/app/prerender.tsx')
    return await prerenderPages()
  } finally {
    await server.close()
  }
}
