import { createServer, type Plugin, type Rolldown } from 'vite'

type Bundle = Rolldown.OutputBundle

/** What loads the app's code: the entry, and what it imports. */
const scriptTag = /<script type="module"[^>]* src="([^"]+)"><\/script>|<link rel="modulepreload"[^>]* href="([^"]+)">/g

/**
 * Makes a page of each first screen, from index.html and what the screen draws, so that it is on a
 * phone before the code is, which boot.js loads when the screen has been painted. main.tsx puts the
 * living page in its place.
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
      const source = String(start.source)
      const starting = [...source.matchAll(scriptTag)].map(([, script, link]) => String(script ?? link))
      for (const { path, title, modules, markup } of await renderPages()) {
        const files = modules.flatMap((module) => filesOf(bundle, module))
        const styles = files.filter((file) => file.endsWith('.css') && !source.includes(file))
        const scripts = [...starting, ...files.filter((file) => file.endsWith('.js'))]
        const head = [
          ...[...new Set(styles)].map((file) => `<link rel="stylesheet" crossorigin href="${file}">`),
          `<script defer src="/boot.js" data-scripts="${[...new Set(scripts)].join(' ')}"></script></head>`,
        ]
        this.emitFile({
          type: 'asset',
          fileName: `prerendered/${path.slice(1) || 'home'}.html`,
          source: source
            .replace(scriptTag, '')
            .replace(/<title>.*<\/title>/, (whole) => (title ? `<title>${title}</title>` : whole))
            .replace('</head>', () => head.join(''))
            .replace('<div id="root">', (root) => root + withBuiltFiles(bundle, markup)),
        })
      }
    },
  }
}

/** What a page has to load for a module: its file, and all that it cannot begin without. */
function filesOf(bundle: Bundle, module: string): string[] {
  if (module.endsWith('.css')) return [assetOf(bundle, module)]
  const first = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(`/${module}`),
  )
  if (!first) throw new Error(`no file of the build begins with ${module}`)
  const needed = new Set([first.fileName])
  for (const name of needed) {
    const file = bundle[name]
    if (file?.type !== 'chunk') continue
    for (const other of [...file.imports, ...(file.viteMetadata?.importedCss ?? [])]) needed.add(other)
  }
  return [...needed].map((file) => `/${file}`)
}

function assetOf(bundle: Bundle, module: string): string {
  const asset = Object.values(bundle).find((file) => file.type === 'asset' && file.originalFileNames.includes(module))
  if (!asset) throw new Error(`no file of the build was made from ${module}`)
  return `/${asset.fileName}`
}

/** Markup that names the files of the build instead of the sources they were made from. */
function withBuiltFiles(bundle: Bundle, markup: string): string {
  return markup.replace(/(?<=")\/(src\/[^"?]+)(?:\?[^"]*)?(?=")/g, (_, module: string) => assetOf(bundle, module))
}

async function renderPages(): Promise<{ path: string; title: string; modules: string[]; markup: string }[]> {
  const server = await createServer({ server: { middlewareMode: true, ws: false, watch: null }, logLevel: 'error' })
  try {
    const { prerenderPages } = await server.ssrLoadModule('/src/app/prerender.tsx')
    return await prerenderPages()
  } finally {
    await server.close()
  }
}
