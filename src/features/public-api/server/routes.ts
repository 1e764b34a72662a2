import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { engineVersion } from '#engine/version.ts'
import { credits } from '#features/credits/server/credits.ts'
import { generations } from '#features/generations/server/generations.ts'
import { requireApiKey } from '#server/auth/require-api-key.ts'
import { beginOfDay, daysOf } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import type { UserEnv } from '#server/http/env.ts'
import { file, type Route, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { pathId } from '#server/http/validate.ts'
import { translate } from '#server/i18n.ts'
import type { ApiKeyScope } from '#shared/api-key.ts'
import { accountView, batchInput, batchView, usageQuery, usageView } from '../schemas.ts'
import { findOutput, readKey, readUsage } from './key-usage.ts'
import { startItem } from './start-item.ts'

/** Routes of the app that programs may call too, and the scope that each needs. */
const sharedRoutes = {
  listTools: 'read',
  acceptParams: 'read',
  checkInputs: 'run',
  createGeneration: 'run',
  listGenerations: 'read',
  readGeneration: 'read',
  renderGeneration: 'run',
  cancelGeneration: 'run',
  deleteGeneration: 'run',
  requestRefund: 'run',
  createUpload: 'run',
  readUploadOptions: 'run',
  readUpload: 'run',
  appendToUpload: 'run',
  deleteUpload: 'run',
} as const satisfies Record<string, ApiKeyScope>

/** Serves the app's own routes below another path, so that both always behave alike. */
export function publicRoutes(deps: Deps, appRoutes: readonly Route[]): Record<string, Route[]> {
  const shared = Object.entries(sharedRoutes).map(([id, scope]) => {
    const found = appRoutes.find((one) => one.id === id)
    if (!found) throw new Error(`there is no route ${id}`)
    return { ...found, auth: requireApiKey(deps, scope) }
  })
  return {
    generations: [...shared, ...generationRoutes(deps)],
    account: accountRoutes(deps),
    assistants: [mcpRoute(deps)],
  }
}

function generationRoutes(deps: Deps): Route[] {
  return [
    route('createBatch', 'POST /batches', requireApiKey(deps, 'run'), {
      summary: 'Start several generations; each is charged alone, and a refused one stops no other',
      description: 'Repeating the key starts only those that have not been started.',
      input: { json: batchInput },
      maxBytes: 512 * 1024,
      idempotencyKey: 'generations and charges nothing',
      output: { 200: ['The generations', batchView] },
      handler: async (c) => {
        const items: (typeof batchView.infer)['items'] = []
        // In order, so that a balance that does not suffice for all pays for the first.
        for (const [index, item] of c.req.valid('json').items.entries()) {
          items.push(await tryItem(deps, c.var, { key: `${c.var.idempotencyKey}/${index}`, item }))
        }
        return { items }
      },
    }),
    route('downloadFile', 'GET /files/:id', requireApiKey(deps, 'read'), {
      summary: 'Download an output of a generation; supports range requests',
      output: { 200: file('The file', 'image/*', 'video/*', 'application/pdf') },
      errors: ['file.not_found'],
      handler: async (c) => {
        const found = await findOutput(deps.db, c.var.user.id, pathId(c, 'file.not_found'))
        return await generations.sendFile(deps.store, c, found, {
          etag: `"${found.id}"`,
          ...privatePicture(found.contentType),
          'content-disposition': generations.contentDisposition('attachment', found.name),
        })
      },
    }),
  ]
}

function mcpRoute(deps: Deps): Route {
  return route('callMcp', 'POST /mcp', requireApiKey(deps, 'run'), {
    summary: 'Call the tools as an assistant, by the Model Context Protocol',
    description: 'Tools: list_tools, run_tool, get_result, get_credits.',
    body: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
    output: { 200: { description: 'A JSON-RPC message', content: { 'application/json': {} } } },
    // The protocol's library takes 140 ms and 34 MB, which few servers need.
    handler: async (c) => (await import('./mcp.ts')).serveMcp(deps, c),
  })
}

function accountRoutes(deps: Deps): Route[] {
  const balance = requireApiKey(deps, 'balance')
  return [
    route('readAccount', 'GET /account', balance, {
      summary: 'Get the credits of the account and the limits of the key',
      output: { 200: ['The account', accountView] },
      handler: async (c) => {
        const now = deps.clock()
        const account = await credits.balance(deps.db, c.var.user.id, now)
        const { unlimitedUntil } = account
        return { credits: account.credits, unlimitedUntil, engineVersion, key: await readKey(deps, keyOf(c.var).id) }
      },
    }),
    route('readUsage', 'GET /usage', balance, {
      summary: 'Count generations and credits by day, tool and key; thirty days unless named',
      input: { query: usageQuery },
      output: { 200: ['The usage', usageView] },
      handler: async (c) => {
        const { from, to } = c.req.valid('query')
        const asked = { from: from === undefined ? undefined : beginOfDay(from), to: to && beginOfDay(to) }
        const days = daysOf({ from: asked.from, to: asked.to || undefined }, deps.clock())
        return { ...days, items: await readUsage(deps.db, c.var.user.id, days) }
      },
    }),
  ]
}

function keyOf({ apiKey }: UserEnv['Variables']): { id: string; test: boolean } {
  if (!apiKey) throw appError('auth.required')
  return apiKey
}

async function tryItem(
  deps: Deps,
  caller: UserEnv['Variables'],
  given: { key: string; item: object },
): Promise<(typeof batchView.infer)['items'][number]> {
  try {
    const generation = await startItem(deps, caller, given)
    return { generation: await generations.view(deps, deps.db, generation, caller), error: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    return { generation: null, error: { code: error.code, msg: translate(caller.language, `error.${error.code}`) } }
  }
}

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
