// 7,000 hostile calls and 300 hostile pictures with a heap of 1 GB: errors, waiting times, memory.
// SEED, CALLS and PICTURES choose another set; ROLE and DATABASE_URL another server.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readApiDocument } from '#tests/support/api-document.ts'
import { type HostileCall, hostileCalls, seededRandom } from '../support/hostile-calls.ts'
import { hostileClient } from '../support/hostile-client.ts'
import { hostileContainers } from '../support/hostile-containers.ts'
import { hostilePictures } from '../support/hostile-pictures.ts'
import { hostileProtocols } from '../support/hostile-protocols.ts'
import { abuseUpload, type HostileOutcome } from '../support/hostile-uploads.ts'
import { startServerProcess } from '../support/server-process.ts'

const count = { calls: Number(process.env.CALLS ?? 7000), pictures: Number(process.env.PICTURES ?? 300) }
const seed = Number(process.env.SEED ?? 1)
const random = seededRandom(seed)
const admin = { email: 'kepala@contoh.id', password: 'Sangat-Rahasia-7!' }
const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const { ROLE, DATABASE_URL } = process.env
const server = await startServerProcess({
  DATA_DIR: dataDir,
  NODE_OPTIONS: '--max-old-space-size=1024',
  TRUSTED_PROXIES: '127.0.0.1',
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  ...(ROLE && { ROLE }),
  ...(DATABASE_URL && { DATABASE_URL, JWT_SECRET: 'j'.repeat(64), FILE_SIGNING_KEY: 'f'.repeat(64) }),
})
const megabytes = () =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.child.pid}/status`, 'utf8'))?.[1]) / 1024
const client = hostileClient(Number(new URL(server.url).port), random)
const { send } = client
/** An uninvolved user, whose connections the attack leaves alone. */
const somebodyElse = hostileClient(Number(new URL(server.url).port), random)

const people = [admin, ...(ROLE === 'web' ? [] : [await client.register(dataDir)])]
const tokens = await Promise.all(people.map((person) => client.signIn(person)))
const bearerOf = (index: number) => ({ authorization: `Bearer ${tokens[index % tokens.length]}` })
const bearer = () => bearerOf(0)
const anyBearer = () => bearerOf(Math.floor(random() * tokens.length))
for (const index of tokens.keys()) {
  const me = await send({ method: 'GET', path: '/api/user/me', headers: bearerOf(index) })
  const adjustment = { userId: (JSON.parse(me.text) as { id: string }).id, amount: 100_000, reason: 'bench' }
  await client.post('/api/admin/credit_adjustments', adjustment, { ...bearer(), 'idempotency-key': `bench-${index}` })
}
/** Some of the calls sign out. */
async function staySignedIn() {
  for (const [index, person] of people.entries()) {
    const { status } = await send({ method: 'GET', path: '/api/user/me', headers: bearerOf(index) })
    if (status === 401) tokens[index] = await client.signIn(person)
  }
}
const document = await readApiDocument((path) => fetch(server.url + path))

/** A generation, or a preview, which needs no sign-in. */
function formWith(bytes: Uint8Array, path = '/api/generations'): HostileCall {
  const boundary = 'hostile'
  const part = (name: string, more = '') =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"${more}\r\n\r\n`
  const preview = path.endsWith('/preview')
  const body = Buffer.concat([
    Buffer.from(preview ? '' : `${part('tool')}background-removal\r\n`),
    Buffer.from(part(preview ? 'picture' : 'image', '; filename="foto.png"')),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ])
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    ...(!preview && { 'idempotency-key': crypto.randomUUID(), ...anyBearer() }),
  }
  return { method: 'POST', path, headers, body }
}

/** Loads the models, which stay in memory. */
async function warmUp() {
  const photo = readFileSync(join(import.meta.dirname, '../fixtures/photos/astronaut.jpg'))
  const call = formWith(photo)
  const { text } = await send({ ...call, headers: { ...call.headers, ...bearer() } })
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
    const { status } = await somebodyElse.send({
      method: 'GET',
      path,
      headers: { 'x-forwarded-for': '203.0.113.9' },
    })
    longest = Math.max(longest, performance.now() - begun)
    if (status !== 200) refused.add(`${path} responded ${status} to another client`)
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

const statuses = new Map<number, number>()
const failures: string[] = []
async function note(call: HostileCall, hangsUp = random() < 0.05): Promise<HostileOutcome> {
  const outcome = await send(call, hangsUp)
  const { status, text, retryAfter } = outcome
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  // A busy server is fine if it names a retry time.
  if (status >= 500 && !(status === 503 && retryAfter))
    failures.push(`${status} ${call.method} ${call.path.slice(0, 120)} ${text.slice(0, 200)}`)
  return outcome
}
/** At most `width` at a time. */
async function inParallel(width: number, next: () => Promise<unknown> | undefined) {
  const lane = async () => {
    for (let work = next(); work; work = next()) await work
  }
  await Promise.all(Array.from({ length: width }, lane))
}

try {
  const [pictures, containers] = [hostilePictures(random), hostileContainers(random)]
  const files: Buffer<ArrayBuffer>[] = []
  for (let index = 0; index < count.pictures; index++)
    files.push(Buffer.from((await (index % 2 === 0 ? pictures : containers).next()).value.bytes))
  if (ROLE !== 'web') await warmUp()
  const warm = megabytes()
  const watches = ['/healthz', '/'].map(watch)

  client.occupy(tokens[0] ?? '', 20)
  const [calls, protocols] = [hostileCalls(document, tokens, random), hostileProtocols(tokens, random)]
  let left = count.calls
  await inParallel(12, () => {
    if (left-- <= 0) return undefined
    const call = (left % 2 === 0 ? calls : protocols).next().value
    return (async () => {
      if (left % 40 === 0) await staySignedIn()
      await note(call)
    })()
  })
  await inParallel(4, () => {
    const file = files.pop()
    if (!file) return undefined
    return (async () => {
      await staySignedIn()
      if (files.length % 3 === 0) await abuseUpload(note, { bearer: anyBearer, file, random })
      else await note(formWith(file, files.length % 3 === 1 ? undefined : '/api/tools/background-removal/preview'))
    })()
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
  const complaints = server
    .stdout()
    .split('\n')
    .filter((line) => line.includes('"level":"error"'))
  for (const line of complaints.slice(0, 20)) console.log(`  ${line.slice(0, 1000)}`)
  const now = megabytes()
  console.log(
    `memory: ${warm.toFixed(0)} MB warm, ${busy.toFixed(0)} MB at the end, ${now.toFixed(0)} MB a minute later: ${(now - warm).toFixed(0)} MB more (aim ≤ 300)`,
  )
  console.log(server.child.exitCode === null ? 'the process lives' : `the process ended with ${server.child.exitCode}`)
  if (failures.length > 0 || refused.size > 0 || server.child.exitCode !== null) process.exitCode = 1
} finally {
  client.close()
  somebodyElse.close()
  await server.end('SIGKILL')
  rmSync(dataDir, { recursive: true, force: true })
}
