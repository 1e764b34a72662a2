import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { appError } from '#server/http/app-error.ts'
import { type Route, route } from '#server/http/route.ts'

// The viewer of the API's document is a page of its own: it needs inline styles and writes HTML,
// which the policy of the app forbids.

const policy = [
  `default-src 'none'`,
  `script-src 'self'`,
  `style-src 'self' 'unsafe-inline'`,
  `img-src 'self' data:`,
  `font-src 'self'`,
  `connect-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/reference/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/api/reference/swagger-ui-bundle.js"></script>
<script src="/api/reference/start.js"></script>
</body>
</html>
`

/** A key typed into the page stays in its memory. */
const start = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  tryItOutEnabled: true,
  validatorUrl: null,
})
`

const types = { 'swagger-ui.css': 'text/css; charset=utf-8', 'swagger-ui-bundle.js': 'text/javascript; charset=utf-8' }

export function referenceRoutes(): Route[] {
  return [
    route('showReference', 'GET /reference', 'visitor', {
      summary: 'Show the reference of the API, with calls to try',
      output: { 200: 'A page' },
      handler: (c) => c.html(page, 200, { 'content-security-policy': policy, 'cache-control': 'no-cache' }),
    }),
    route('serveReferenceFile', 'GET /reference/:file', 'visitor', {
      summary: 'Serve a file of the reference',
      output: { 200: 'The file' },
      errors: ['request.not_found'],
      handler: async (c) => {
        const name = c.req.param('file')
        const cache = { 'cache-control': 'public, max-age=3600' }
        if (name === 'start.js')
          return c.body(start, 200, { 'content-type': 'text/javascript; charset=utf-8', ...cache })
        if (!isServed(name)) throw appError('request.not_found')
        const bytes = await readFile(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`)))
        return c.body(new Uint8Array(bytes), 200, { 'content-type': types[name], ...cache })
      },
    }),
  ]
}

const isServed = (name: string): name is keyof typeof types => Object.hasOwn(types, name)
