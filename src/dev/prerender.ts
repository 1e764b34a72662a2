import { createServer, type Plugin } from 'vite'

/** The code of the home page, which no longer has to be found by running the app. */
const homePage = '/features/site/app/home-page.tsx'

/**
 * Makes home.html beside index.html: the same page with the first screen in it, so that it is on a phone before the code is.
 * main.tsx puts the living page in its place.
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
      const scripts = [code.fileName, ...code.imports].filter((file) => !start.includes(file))
      const links = [
        ...[...(code.viteMetadata?.importedCss ?? [])].map(
          (file) => `<link rel="stylesheet" crossorigin href="/${file}">`,
        ),
        ...scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}">`),
      ]
      const home = await renderHome()
      const source = start
        .replace('</head>', () => `${links.join('')}</head>`)
        .replace('<div id="root">', (root) => root + home)
        // The screen is there without them; its styles and pictures go first.
        .replace(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"')
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
