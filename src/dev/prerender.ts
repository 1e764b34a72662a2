import { createServer, type Plugin } from 'vite'

/** The code of the home page, which no longer has to be found by running the app. */
const homePage = '/features/site/app/home-page.tsx'

/** What loads the app's code: the entry, and what it imports. */
const scriptTag = /<script type="module"[^>]* src="([^"]+)"><\/script>|<link rel="modulepreload"[^>]* href="([^"]+)">/g

/**
 * Makes home.html beside index.html: the same page with the first screen in it, so that it is on a phone before the code is,
 * which boot.js loads when the screen has been painted. main.tsx puts the living page in its place.
 */
export function prerender(): Plugin {
  return {
    name: 'rupa-prerender',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') return
      const start = String(page.source)
      const code = Object.values(bundle).find(
        (file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(homePage),
      )
      if (code?.type !== 'chunk') throw new Error(`no file of the build begins with ${homePage}`)
      const [entry, ...needed] = [...start.matchAll(scriptTag)].map(([, script, link]) => script ?? link)
      if (!entry) throw new Error('index.html loads no script')
      const scripts = new Set([entry, ...needed, ...[code.fileName, ...code.imports].map((file) => `/${file}`)])
      const styles = [...(code.viteMetadata?.importedCss ?? [])].map(
        (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
      )
      const home = await renderHome()
      const source = start
        .replace(scriptTag, '')
        .replace(
          '</head>',
          () =>
            `${styles.join('')}<script defer src="/boot.js" data-scripts="${[...scripts].join(' ')}"></script></head>`,
        )
        .replace('<div id="root">', (root) => root + home)
      this.emitFile({ type: 'asset', fileName: 'home.html', source })
    },
  }
}

async function renderHome(): Promise<string> {
  const server = await createServer({ server: { middlewareMode: true, ws: false, watch: null }, logLevel: 'error' })
  try {
    const { prerenderHome } = await server.ssrLoadModule('/src/app/prerender.tsx')
    return prerenderHome()
  } finally {
    await server.close()
  }
}
