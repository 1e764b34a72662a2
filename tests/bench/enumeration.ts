// Do status, body or time reveal accounts? A thousand known and unknown addresses each, in random
// order.
import { randomInt, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuid } from 'uuid'
import { hashPassword } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import { createLog } from '#server/log.ts'
import { compose } from '#server-app/compose.ts'
import { readConfig } from '#server-app/config.ts'

const tries = Number(process.env.TRIES ?? 1000)
/** Largest accepted distance from 0.5, a random guess. */
const tolerance = 0.08

const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const config = readConfig({ DATA_DIR: dataDir, ENGINE_THREADS: '1', DATABASE_URL: process.env.TEST_DATABASE_URL })
const composition = await compose(config, createLog('silent'), { mailer: { send: async () => {} } })
const { app, deps } = composition

const password = 'Rahasia123!'
const hits = (kind: string) => Array.from({ length: tries }, () => `${kind}-${randomUUID()}@contoh.id`)

async function openAccounts(verified: boolean): Promise<string[]> {
  const emails = hits('ada')
  const passwordHash = await hashPassword(deps, password, 'bench')
  const now = new Date()
  for (let at = 0; at < emails.length; at += 200) {
    const rows = emails.slice(at, at + 200).map((email) => ({
      id: uuid(),
      name: 'Sari',
      email,
      passwordHash,
      emailVerifiedAt: verified ? now : null,
      createdAt: now,
    }))
    await deps.db.insert(users).values(rows)
  }
  return emails
}

const post = (path: string, body: unknown) => (address: string) =>
  app.request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }, {
    incoming: { socket: { remoteAddress: address } },
  } as never)
const routes: Record<string, (email: string) => (address: string) => Response | Promise<Response>> = {
  register: (email) => post('/api/register', { name: 'Budi', email, password, agreeToTerms: true }),
  'login, wrong password': (email) => post('/api/login', { email, password: 'Salah123!' }),
  'forgot password': (email) => post('/api/forgot_password', { email }),
  'resend verification': (email) => (address) =>
    app.request(`/api/resend_confirmation_email?email=${email}`, {}, {
      incoming: { socket: { remoteAddress: address } },
    } as never),
}

interface Sample {
  known: boolean
  milliseconds: number
  answer: string
}

/** Routes that mostly wait are measured in parallel. */
const lanesOf = (name: string) => (/^(forgot|resend)/.test(name) ? 8 : 1)

/** In random order, so that leftover work disturbs both kinds alike. */
async function measure(name: string, make: (typeof routes)[string]): Promise<Sample[]> {
  const plan = [
    ...(await openAccounts(!name.startsWith('resend'))).map((email) => ({ email, known: true })),
    ...hits('tiada').map((email) => ({ email, known: false })),
  ]
  for (let at = plan.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1)
    const [one, two] = [plan[at], plan[other]]
    if (one && two) [plan[at], plan[other]] = [two, one]
  }
  const samples: Sample[] = []
  const queue = [...plan.entries()]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const [index, { email, known }] = next
      const address = `10.${index & 255}.${(index >> 8) & 255}.${index >> 16}`
      const began = performance.now()
      const answer = await make(email)(address)
      const text = await answer.text()
      const milliseconds = performance.now() - began
      const headers = [...answer.headers.keys()].sort().join(' ')
      samples.push({ known, milliseconds, answer: `${answer.status} ${text} [${headers}]` })
    }
  }
  await Promise.all(Array.from({ length: lanesOf(name) }, lane))
  return samples
}

const times = (samples: Sample[], known: boolean) =>
  samples
    .filter((sample) => sample.known === known)
    .map(({ milliseconds }) => milliseconds)
    .sort((a, b) => a - b)
const quantile = (sorted: number[], share: number) => sorted[Math.floor(share * (sorted.length - 1))] ?? Number.NaN

/**
 * Share of pairs in which the known address takes longer (area under the ROC curve); 0.5 reveals
 * nothing.
 */
function advantage(known: number[], unknown: number[]): number {
  let below = 0
  let wins = 0
  for (const time of known) {
    while ((unknown[below] ?? Number.POSITIVE_INFINITY) < time) below += 1
    wins += below
  }
  return wins / (known.length * unknown.length)
}

let failed = false
const wanted = process.argv[2] ?? ''
for (const [name, make] of Object.entries(routes).filter(([one]) => one.startsWith(wanted))) {
  const samples = await measure(name, make)
  const kinds = [times(samples, true), times(samples, false)] as const
  const responses = [true, false].map(
    (known) => new Set(samples.filter((one) => one.known === known).map((one) => one.answer)),
  )
  const sameAnswer =
    responses.every((set) => set.size === 1) && [...(responses[0] ?? [])][0] === [...(responses[1] ?? [])][0]
  const guess = advantage(...kinds)
  const fine = sameAnswer && Math.abs(guess - 0.5) <= tolerance
  failed ||= !fine
  console.log(`${fine ? '✓' : '✗'} ${name}: ${tries} tries each`)
  console.log(
    `    responses ${sameAnswer ? 'equal' : 'DIFFER'}: ${[...new Set(samples.map(({ answer }) => answer))].join(' | ')}`,
  )
  for (const [at, label] of (['known  ', 'unknown'] as const).entries()) {
    const row = [0.05, 0.25, 0.5, 0.75, 0.95].map((share) =>
      quantile(kinds[at] ?? [], share)
        .toFixed(1)
        .padStart(7),
    )
    console.log(`    ${label} p5 p25 p50 p75 p95 ms: ${row.join(' ')}`)
  }
  console.log(
    `    a known address takes longer in ${(guess * 100).toFixed(1)} % of pairs (50 ± ${tolerance * 100} is a toss)`,
  )
}
await composition.stop()
rmSync(dataDir, { recursive: true, force: true })
process.exitCode = failed ? 1 : 0
