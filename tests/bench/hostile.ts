// The server under 7,000 hostile calls and 300 hostile pictures, with a heap of 1 GB: what it says, how long others wait, what it keeps.
// SEED, CALLS and PICTURES choose another set; ROLE and DATABASE_URL another server.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiDocument, hostileCalls, seededRandom } from '../support/hostile-calls.ts'
import { hostilePictures } from '../support/hostile-pictures.ts'
import { startServerProcess } from '../support/server-process.ts'

const count = { calls: Number(process.env.CALLS ?? 7000), pictures: Number(process.env.PICTURES ?? 300) }
const seed = Number(process.env.SEED ?? 1)
const random = seededRandom(seed)
const admin = { email: 'kepala@contoh.id', password: 'Sangat-Rahasia-7!' }
const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const { ROLE, DATABASE_URL } = process.env
const server = await startServerProcess({
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  NODE_OPTIONS: '--max-old-space-size=1024',
  TRUSTED_PROXIES: '127.0.0.1',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  ...(ROLE && { ROLE }),
  ...(DATABASE_URL && { DATABASE_URL, JWT_SECRET: 'j'.repeat(64), FILE_SIGNING_KEY: 'f'.repeat(64) }),
})
const megabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024
const agent = new Agent({ keepAlive: true, maxSockets: 16 })
const { port } = new URL(server.url)

interface Call {
  method: string
  path: string
  headers: Record<string, string>
  body?: string | Uint8Array
}

/** Paths go out as they are: fetch would tidy them up. Resolves to 0 where the connection ended without a response. */
function send({ method, path, headers, body }: Call, hangsUp = false): Promise<{ status: number; text: string }> {
  return new Promise((resolve) => {
    const nothing = () => resolve({ status: 0, text: '' })
    try {
      const call = request({ agent, port, host: '127.0.0.1', method, path, headers, timeout: 60_000 }, (response) => {
        let text = ''
        // A stream of events never ends by itself.
        if (/event-stream/.test(response.headers['content-type'] ?? '')) response.destroy()
        response.on('data', (chunk) => {
          if (text.length < 40_000) text += chunk
        })
        response.on('close', () => resolve({ status: response.statusCode ?? 0, text }))
      })
      call.on('timeout', () => call.destroy())
      // Some hang up.
      if (hangsUp) setTimeout(() => call.destroy(), random() * 100)
      call.on('error', nothing)
      call.end(body)
    } catch {
      // Node refuses to send it at all.
      resolve({ status: -1, text: '' })
    }
  })
}

const json = { 'content-type': 'application/json' }
const post = (path: string, body: object, more: Record<string, string> = {}) =>
  send({
    method: 'POST',
    path,
    headers: { ...json, 'x-forwarded-for': somewhere(), ...more },
    body: JSON.stringify(body),
  })
/** Limits count addresses; an attacker has many. */
const somewhere = () => `198.18.${Math.floor(random() * 250)}.${Math.floor(random() * 250)}`

async function signIn(): Promise<string> {
  for (let attempt = 0; attempt < 10; attempt++) {
    const { status, text } = await post('/api/login', admin)
    if (status === 200) return (JSON.parse(text) as { access_token: string }).access_token
  }
  throw new Error('signing in failed')
}
const tokens = [await signIn()]
const bearer = () => ({ authorization: `Bearer ${tokens[0]}` })
const me = await send({ method: 'GET', path: '/api/user/me', headers: bearer() })
const grant = { userId: (JSON.parse(me.text) as { id: string }).id, amount: 100_000, reason: 'bench' }
await post('/api/admin/credit_adjustments', grant, { ...bearer(), 'idempotency-key': 'bench' })
/** Some of the calls sign out. */
async function staySignedIn() {
  const { status } = await send({ method: 'GET', path: '/api/user/me', headers: bearer() })
  if (status === 401) tokens[0] = await signIn()
}
const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as ApiDocument

/** A run of background removal with a picture. */
function run(bytes: Uint8Array): Call {
  const boundary = 'hostile'
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  const body = Buffer.concat([
    Buffer.from(`${part('tool')}background-removal\r\n${part('image', '; filename="foto.png"')}`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'idempotency-key': crypto.randomUUID(),
    'x-forwarded-for': somewhere(),
    ...bearer(),
  }
  return { method: 'POST', path: '/api/generations', headers, body }
}

/** Loads the models, which stay. */
async function warmUp() {
  const { text } = await send(run(readFileSync(join(import.meta.dirname, '../fixtures/photos/astronaut.jpg'))))
  const { id } = JSON.parse(text) as { id: string }
  for (let finished = false; !finished; ) {
    await new Promise((resolve) => setTimeout(resolve, 500))
    const view = await send({ method: 'GET', path: `/api/generations/${id}`, headers: bearer() })
    finished = (JSON.parse(view.text) as { finishedAt: string | null }).finishedAt !== null
  }
}

let longest = 0
let watching = true
const refused = new Set<string>()
async function watch(path: string) {
  while (watching) {
    const begun = performance.now()
    const { status } = await send({ method: 'GET', path, headers: { 'x-forwarded-for': '203.0.113.9' } })
    longest = Math.max(longest, performance.now() - begun)
    if (status !== 200) refused.add(`${path} responded ${status} to somebody else`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const statuses = new Map<number, number>()
const failures: string[] = []
async function note(call: Call) {
  const { status, text } = await send(call, random() < 0.05)
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  if (status >= 500 && status !== 503)
    failures.push(`${status} ${call.method} ${call.path.slice(0, 120)} ${text.slice(0, 200)}`)
}
/** Runs `width` calls at a time until the source ends. */
async function inParallel(width: number, next: () => Promise<Call | undefined>) {
  const lane = async () => {
    for (let call = await next(); call; call = await next()) await note(call)
  }
  await Promise.all(Array.from({ length: width }, lane))
}

try {
  const pictures = hostilePictures(random)
  const files: Buffer[] = []
  for (let index = 0; index < count.pictures; index++) files.push((await pictures.next()).value.bytes)
  if (ROLE !== 'web') await warmUp()
  const warm = megabytes()
  const watches = ['/healthz', '/'].map(watch)

  const calls = hostileCalls(document, tokens, random)
  let left = count.calls
  await inParallel(12, async () => {
    if (left-- <= 0) return undefined
    if (left % 20 === 0) await staySignedIn()
    const { headers, ...call } = calls.next().value
    return { ...call, headers: { 'x-forwarded-for': somewhere(), ...headers } }
  })
  await inParallel(4, async () => {
    const bytes = files.pop()
    if (!bytes) return undefined
    await staySignedIn()
    return run(bytes)
  })
  const busy = megabytes()
  await new Promise((resolve) => setTimeout(resolve, 60_000))
  watching = false
  await Promise.all(watches)

  console.log(`seed ${seed}: ${count.calls} calls and ${count.pictures} pictures`)
  const sorted = [...statuses].sort(([a], [b]) => a - b)
  console.log(`statuses: ${sorted.map(([status, times]) => `${status} × ${times}`).join(', ')}`)
  for (const failure of failures.slice(0, 20)) console.log(`  ${failure}`)
  console.log(
    `unannounced 5xx: ${failures.length} (aim 0); longest wait of others: ${longest.toFixed(0)} ms (aim ≤ 1000)`,
  )
  for (const line of refused) console.log(line)
  const now = megabytes()
  console.log(
    `memory: ${warm.toFixed(0)} MB warm, ${busy.toFixed(0)} MB at the end, ${now.toFixed(0)} MB a minute later: ${(now - warm).toFixed(0)} MB more (aim ≤ 300)`,
  )
  console.log(server.child.exitCode === null ? 'the process lives' : `the process ended with ${server.child.exitCode}`)
  if (failures.length > 0 || server.child.exitCode !== null) process.exitCode = 1
} finally {
  agent.destroy()
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
