import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApiDocument } from '#tests/support/api-document.ts'
import { type LargeCall, largeCalls } from '#tests/support/largest-inputs.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'

/** Milliseconds of processor time for which a call may block the others. */
const most = 100
const soak = Boolean(process.env.SOAK)

const admin = { email: 'kepala@contoh.id', password: 'Sangat-Rahasia-7!' }
let home: ServerHome
let server: ServerProcess
let turns: string
beforeAll(async () => {
  home = await createServerHome()
  const port = String(await freePort())
  turns = `http://127.0.0.1:${port}`
  server = await startServerProcess({
    ...home.env,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, '..', 'support', 'loop-turns.ts')}`,
    LOOP_TURNS_PORT: port,
    TRUSTED_PROXIES: '127.0.0.1',
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  token = await signIn()
})
afterAll(async () => {
  await server.end()
  await home.drop()
})

let token: string
let sent = 0
const json = { 'content-type': 'application/json' }

/** Own addresses, because limits would refuse most calls. */
async function send({ method, path, body }: LargeCall): Promise<number> {
  sent += 1
  const headers = {
    ...(typeof body === 'string' && json),
    authorization: `Bearer ${token}`,
    'x-forwarded-for': `10.${sent & 255}.${(sent >> 8) & 255}.${sent >> 16}`,
    'idempotency-key': crypto.randomUUID(),
  }
  const options = { method, headers, redirect: 'manual', body: body ?? null } as const
  // Reopens a connection closed by a refusal.
  const attempt = () => fetch(server.url + path, options)
  const response = await attempt().catch(attempt).catch(attempt)
  if (/event-stream/.test(response.headers.get('content-type') ?? '')) await response.body?.cancel()
  else await response.arrayBuffer()
  return response.status
}

async function signIn(): Promise<string> {
  const response = await fetch(`${server.url}/api/login`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(admin),
  })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Longest turn of the event loop since the last reading. */
const milliseconds = async () => Number(await (await fetch(turns)).text())

/**
 * Routes with a password, a search, an address, a path of their own and JSON of any shape; the soak
 * calls every route.
 */
const someRoutes = [
  '/api/register',
  '/api/login_google/callback',
  '/api/user/looks',
  '/api/admin/users',
  '/api/tools/{tool}/params',
]

test(`no call, however large, blocks the event loop for more than ${most} ms`, async () => {
  const read = async <Body>(path: string) => (await (await fetch(server.url + path)).json()) as Body
  const document = await readApiDocument((path) => fetch(server.url + path))
  const { items: tools } = await read<{ items: Parameters<typeof largeCalls>[1] }>('/api/tools')
  const longestOf = async (calls: LargeCall[]) => {
    await milliseconds()
    for (const call of calls) if ((await send(call)) === 401) token = await signIn()
    return await milliseconds()
  }
  const slow: string[] = []
  if (!soak) document.paths = Object.fromEntries(someRoutes.map((path) => [path, document.paths[path] ?? {}]))
  const calls = [...largeCalls(document, soak ? tools : tools.slice(0, 2), soak)]
  for (let next = 0; next < calls.length; next += 20) {
    const some = calls.slice(next, next + 20)
    if ((await longestOf(some)) <= most) continue
    for (const call of some) {
      // The least of several tries excludes other load.
      let least = Number.POSITIVE_INFINITY
      for (let attempt = 0; attempt < 5 && least > most; attempt += 1) least = Math.min(least, await longestOf([call]))
      if (least > most) slow.push(`${call.method} ${call.path.slice(0, 80)} with ${call.what}: ${Math.round(least)} ms`)
    }
  }
  expect(sent).toBeGreaterThan(soak ? 500 : 40)
  expect(slow).toEqual([])
})
