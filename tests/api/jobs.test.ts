import pg from 'pg'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Embedded, openEmbedded } from '#server/db/embedded.ts'
import { type DatabaseLink, keepListening } from '#server/db/keep-listening.ts'
import { GuardedPool } from '#server/db/pool.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'
import type { JobQueue } from '#server/jobs/queue.ts'
import { createLog } from '#server/log.ts'
import { createNotifier } from '#server/notify.ts'
import { queues } from '#server-app/registrations.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { startSilentProxy } from '#tests/support/silent-proxy.ts'

const log = pino({ level: 'silent' })
const onEmbedded = !process.env.TEST_DATABASE_URL
const soon = { timeout: 300_000 }

let home: ServerHome
let embedded: Embedded | undefined
let pool: GuardedPool | undefined
let link: DatabaseLink
const cleanups: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  home = await createServerHome()
  if (home.databaseUrl) {
    pool = new GuardedPool({ connectionString: home.databaseUrl, max: 4 })
    link = { url: home.databaseUrl, pool }
  } else {
    embedded = await openEmbedded(home.dataDir, log, () => {})
    link = { pglite: embedded.pglite }
  }
})
afterAll(async () => {
  await embedded?.close()
  await pool?.end()
  await home.drop()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function openQueue(): Promise<JobQueue> {
  const queue = await createJobQueue(link, log, queues)
  cleanups.push(() => queue.stop())
  return queue
}

describe('the job queue', () => {
  test('runs each job once, up to the configured number at a time', async () => {
    const queue = await openQueue()
    const seen: string[] = []
    let running = 0
    let concurrency = 0
    const three = Promise.withResolvers<void>()
    await queue.work('run-generation', 3, async ({ generationId }) => {
      running += 1
      concurrency = Math.max(concurrency, running)
      // None ends before three run at once.
      if (running === 3) three.resolve()
      await three.promise
      running -= 1
      seen.push(generationId)
    })
    const ids = Array.from({ length: 12 }, () => crypto.randomUUID())
    await Promise.all(ids.map((generationId) => queue.send('run-generation', { generationId })))
    await vi.waitFor(() => expect(seen.length).toBe(12), soon)
    expect(new Set(seen)).toEqual(new Set(ids))
    expect(concurrency).toBe(3)
  })

  test('starts the next job at once, also when all were announced before the first began', async () => {
    const queue = await openQueue()
    const ids = Array.from({ length: 40 }, () => crypto.randomUUID())
    await Promise.all(ids.map((generationId) => queue.send('run-generation', { generationId })))
    const seen: string[] = []
    await queue.work('run-generation', 1, async ({ generationId }) => {
      seen.push(generationId)
    })
    await vi.waitFor(() => expect(seen.length).toBe(ids.length), soon)
  })

  test('begins the next job while a released one ends, but never more than twice as many', async () => {
    const queue = await openQueue()
    const begun: string[] = []
    const stored = Promise.withResolvers<void>()
    await queue.work('run-generation', 2, async ({ generationId }, _signal, release) => {
      begun.push(generationId)
      release()
      await stored.promise
    })
    const ids = Array.from({ length: 6 }, () => crypto.randomUUID())
    await Promise.all(ids.map((generationId) => queue.send('run-generation', { generationId })))
    await vi.waitFor(() => expect(begun.length).toBe(4), soon)
    stored.resolve()
    await vi.waitFor(() => expect(begun.length).toBe(6), soon)
    expect(new Set(begun)).toEqual(new Set(ids))
  })

  test.runIf(onEmbedded)('hardly queries the database while there are no jobs', async () => {
    if (!embedded) throw new Error('this test is about the embedded database')
    const { pglite } = embedded
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    cleanups.push(async () => {
      vi.useRealTimers()
      vi.restoreAllMocks()
    })
    const queue = await openQueue()
    const asked = (['query', 'exec'] as const).map((name) => vi.spyOn(pglite, name))
    const queries = () => asked.flatMap(({ mock }) => mock.calls).length
    const workers = 16
    await queue.work('run-generation', workers, async () => {})
    for (let second = 0; second < 30; second++) {
      vi.advanceTimersByTime(1000)
      // Comes after the queries of this second, because the database answers in turn.
      await pglite.query('select 1')
    }
    // The queue looks at its start and about every 15 seconds, not each of its workers.
    expect(queries() - 30).toBeLessThan(workers)
  })

  test('drops a duplicate of a waiting or running job, and reports it', async () => {
    const queue = await openQueue()
    const generationId = crypto.randomUUID()
    const sendAgain = () => queue.sendAll('run-generation', [{ data: { generationId } }])
    expect(await queue.send('run-generation', { generationId })).toBe(true)
    expect(await queue.send('run-generation', { generationId })).toBe(false)
    expect(await sendAgain()).toBe(0)
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let runs = 0
    await queue.work('run-generation', 2, async () => {
      runs += 1
      await held
    })
    await vi.waitFor(() => expect(runs).toBe(1), soon)
    expect(await queue.send('run-generation', { generationId })).toBe(false)
    expect(await sendAgain()).toBe(0)
    release()
    await vi.waitFor(async () => expect(await sendAgain()).toBe(1), soon)
    await vi.waitFor(() => expect(runs).toBe(2), soon)
  })

  test('tries a job again when its handler throws', async () => {
    const queue = await openQueue()
    let runs = 0
    await queue.work('run-generation', 1, async () => {
      runs += 1
      if (runs < 3) throw new Error('not yet')
    })
    await queue.send('run-generation', { generationId: crypto.randomUUID() })
    await vi.waitFor(() => expect(runs).toBe(3), soon)
  })

  test('logs failures with their reason, without e-mail addresses, until the job succeeds', async () => {
    const lines: string[] = []
    const queue = await createJobQueue(link, createLog('info', { write: (line) => lines.push(line) }), queues)
    cleanups.push(() => queue.stop())
    expect(await queue.failing()).toEqual([])
    let works = false
    await queue.work('install-model', 1, async () => {
      if (!works) throw new Error('550 <sari@contoh.id> is unknown', { cause: new Error('connection refused') })
      return { installed: true }
    })
    await queue.send('install-model', { name: 'isnet' })
    const reason = '550 <…@…> is unknown: connection refused'
    const failing = [{ name: 'install-model', jobs: 1, since: expect.any(String), reason }]
    await vi.waitFor(async () => expect(await queue.failing()).toEqual(failing), soon)
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'warn', queue: 'install-model', attempt: 1, msg: 'a job failed and will be tried again' },
    ])
    expect(lines.join()).not.toContain('sari@')
    works = true
    // Tells the queue, which would look for the due job a quarter of a minute later.
    const retryNow = `update pgboss.job set start_after = now() where state = 'retry';
      select pg_notify('rupa_jobs', 'install-model')`
    await (pool ? pool.query(retryNow) : embedded?.pglite.exec(retryNow))
    // A job that stopping the queue interrupts would wait again, and the next test would see it.
    const output = () => queue.outputOf('install-model', 'isnet')
    await vi.waitFor(async () => expect(await output()).toEqual({ installed: true }), soon)
    expect(await queue.failing()).toEqual([])
  })

  test('logs a repeated task that fails, until it succeeds', async () => {
    const queue = await openQueue()
    let works = false
    await queue.every('sweep', 0.05, async () => {
      if (!works) throw new Error('no luck')
    })
    await vi.waitFor(
      async () => expect(await queue.failing()).toMatchObject([{ name: 'sweep', reason: 'no luck' }]),
      soon,
    )
    works = true
    await vi.waitFor(async () => expect(await queue.failing()).toEqual([]), soon)
  })

  test('a shutdown aborts running jobs and returns them to the next process at once', async () => {
    const first = await createJobQueue(link, log, queues)
    const generationId = crypto.randomUUID()
    let aborted = false
    let started = false
    await first.work('run-generation', 1, (_data, signal) => {
      started = true
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          aborted = true
          reject(signal.reason)
        })
      })
    })
    await first.send('run-generation', { generationId })
    await vi.waitFor(() => expect(started).toBe(true), soon)
    await first.stop()
    expect(aborted).toBe(true)
    const second = await openQueue()
    const taken: string[] = []
    await second.work('run-generation', 1, async (data) => {
      taken.push(data.generationId)
    })
    await vi.waitFor(() => expect(taken).toEqual([generationId]), soon)
  })

  test('repeats a task, and a failing task neither stops the next run nor the process', async () => {
    const queue = await openQueue()
    let runs = 0
    await queue.every('count', 0.05, async () => {
      runs += 1
      throw new Error('no luck')
    })
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2), soon)
  })

  test('lets no task wait for others that hang', async () => {
    const queue = await openQueue()
    const { promise: hanging, resolve: letGo } = Promise.withResolvers<void>()
    for (let n = 0; n < 8; n += 1) await queue.every(`hangs-${n}`, 60, () => hanging)
    let runs = 0
    await queue.every('quick', 0.05, async () => {
      runs += 1
    })
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2), 120_000)
    letGo()
  })

  test('aborts a task when its time is up because the process stops', async () => {
    const queue = await createJobQueue(link, log, queues)
    const { promise: begun, resolve: begin } = Promise.withResolvers<AbortSignal>()
    await queue.every('long', 60, (signal) => {
      begin(signal)
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve()))
    })
    const signal = await begun
    await queue.stop()
    expect(signal.aborted).toBe(true)
  })

  test('leaves jobs to other workers while it cannot work', async () => {
    const [full, other] = [await openQueue(), await createJobQueue(link, log, queues)]
    let hasRoom = false
    const ready = async () => {
      if (!hasRoom) throw new Error('the disk is full')
    }
    const taken: string[] = []
    const take = (by: string) => async () => void taken.push(by)
    await full.work('run-generation', { concurrency: 1, ready }, take('full'))
    await full.send('run-generation', { generationId: crypto.randomUUID() })
    await other.work('run-generation', 1, take('other'))
    await vi.waitFor(() => expect(taken).toEqual(['other']), soon)
    await other.stop()
    hasRoom = true
    await full.send('run-generation', { generationId: crypto.randomUUID() })
    await vi.waitFor(() => expect(taken).toEqual(['other', 'full']), soon)
  })

  test('reports its presence', async () => {
    const queue = await openQueue()
    await expect(queue.check()).resolves.toBeUndefined()
  })
})

describe('changes', () => {
  test('reach every listener, and none after it has left', async () => {
    const notifier = await createNotifier(link, log)
    const heard: unknown[] = []
    const leave = notifier.subscribe((notification) => heard.push(notification))
    const send = async (payload: object) => {
      const text = `select pg_notify('rupa_changes', '${JSON.stringify(payload)}')`
      if ('pglite' in link) await link.pglite.query(text)
      else {
        const client = new pg.Client({ connectionString: link.url })
        await client.connect()
        await client.query(text)
        await client.end()
      }
    }
    await send({ kind: 'cancel', generationId: 'a' })
    await vi.waitFor(() => expect(heard).toEqual([{ kind: 'cancel', generationId: 'a' }]), soon)
    leave()
    await send({ kind: 'cancel', generationId: 'b' })
    await notifier.stop()
    expect(heard.length).toBe(1)
  })

  test.skipIf(onEmbedded)('are received again after a connection died silently', async () => {
    const address = new URL((link as { url: string }).url)
    const proxy = await startSilentProxy(Number(address.port))
    address.port = String(proxy.port)
    let connected = 0
    const { close } = await keepListening(address.href, log, {
      channel: 'silence',
      onNotify: () => {},
      onConnected: () => {
        connected += 1
      },
      timing: { beat: 50, answer: 500 },
    })
    expect(connected).toBe(1)
    proxy.fallSilent()
    await vi.waitFor(() => expect(connected).toBeGreaterThan(1), soon)
    await close()
    await proxy.close()
  })
})
