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
        const source = String(start.source)
          .replace(/(?<=<title>)[^<]*/, () => escapeText(title))
          .replace(/(?<=<meta name="description" content=")[^"]*/, () => escapeText(description))
          // What is painted comes first: it reacts only after that.
          .replace(/(?=crossorigin (?:src|href)="[^"]*\.js")/g, 'fetchpriority="low" ')
          .replace('</head>', () => `${preloads(bundle, modulesOf[path] ?? studio)}</head>`)
          .replace('<div id="root">', (root) => `${root.replace('>', ' data-prerendered>')}${markup}`)
          .replace(/(?<=")\/(src\/[^"?]+)(?:\?[^"]*)?(?=")/g, (_, file: string) => `/${builtFile(file)}`)
        this.emitFile({ type: 'asset', fileName: `prerendered/${path.slice(1) || 'home'}.html`, source })
      }
    },
  }
}

/** Links to what these modules cannot begin without, as Vite makes them for the entry. */
function preloads(bundle: Rolldown.OutputBundle, modules: readonly string[]): string {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const needed = new Set(chunks.filter(({ facadeModuleId }) => modules.some((id) => facadeModuleId?.endsWith(id))))
  if (needed.size < modules.length) throw new Error(`no files of the build begin with ${modules.join(' and ')}`)
  for (const { imports } of needed) for (const chunk of chunks) if (imports.includes(chunk.fileName)) needed.add(chunk)
  const own = [...needed].filter(({ isEntry }) => !isEntry)
  const styles = new Set(own.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]))
  return [
    ...[...styles].map((file) => `<link rel="stylesheet" crossorigin href="/${file}">`),
    ...own.map(({ fileName }) => `<link rel="modulepreload" fetchpriority="low" crossorigin href="/${fileName}">`),
  ].join('')
}

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
