import { existsSync } from 'node:fs'
import { serveStatic } from '@hono/node-server/serve-static'
import type { Context, Next } from 'hono'
import { errorResponse } from './answer-error.ts'
import { appError } from './app-error.ts'

/** Answers what is not the API: the built app's files, and its start page for every other address, for the app finds its own way. */
export function staticFiles(distDir: string): (c: Context) => Promise<Response> {
  // Without a build there is only the API, as in development.
  if (!existsSync(distDir)) return async (c) => missing(c)
  // serve-static looks below the root for the path; hashed names never change their content, everything else is asked for each time.
  const serve = serveStatic({
    root: distDir,
    precompressed: true,
    onFound: (path, c) => {
      const hashed = path.replaceAll('\\', '/').includes('/assets/')
      c.header('cache-control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
  const serveStart = serveStatic({
    root: distDir,
    path: 'index.html',
    precompressed: true,
    onFound: (_path, c) => c.header('cache-control', 'no-cache'),
  })
  const found = async (handler: typeof serve, c: Context): Promise<Response | undefined> => {
    const answer = await handler(c, (async () => {}) as Next)
    return answer instanceof Response ? answer : undefined
  }
  return async (c) => {
    if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
      return errorResponse(c, appError('request.method'), { allow: 'GET, HEAD' })
    }
    const file = hidden.test(c.req.path) ? undefined : await found(serve, c)
    if (file) return file
    // A file that is gone (an old build's script) must not turn into the start page.
    if (/\.[a-z0-9]+$/i.test(c.req.path) && !c.req.header('accept')?.includes('text/html')) return missing(c)
    return (await found(serveStart, c)) ?? missing(c)
  }
}

/** The build's own notes, and compressed twins under their own names. */
const hidden = /^\/(vite-manifest\.json|.*\.br)$/

function missing(c: Context): Response {
  return errorResponse(c, appError('request.not_found'))
}
