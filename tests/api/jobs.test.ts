import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import pino from 'pino'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { DatabaseLink } from '#server/jobs/database-link.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'
import type { JobQueue } from '#server/jobs/queue.ts'
import { createNotifier } from '#server/notify.ts'

const log = pino({ level: 'silent' })
const cleanups: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function openLink(): Promise<DatabaseLink> {
  const server = process.env.TEST_DATABASE_URL
  if (!server) {
    const pglite = await PGlite.create()
    cleanups.push(() => pglite.close())
    return { pglite }
  }
  const name = `jobs_${crypto.randomUUID().replaceAll('-', '')}`
  const admin = new pg.Client({ connectionString: server })
  await admin.connect()
  await admin.query(`create database ${name}`)
  cleanups.push(async () => {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  })
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href }
}

async function openQueue(link: DatabaseLink): Promise<JobQueue> {
  const queue = await createJobQueue(link, log)
  cleanups.push(() => queue.stop())
  return queue
}

describe('the job queue', () => {
  test('runs each job once, as many at a time as asked', async () => {
    const queue = await openQueue(await openLink())
    const seen: string[] = []
    let now = 0
    let most = 0
    await queue.work('run-generation', 3, async ({ generationId }) => {
      now += 1
      most = Math.max(most, now)
      await new Promise((resolve) => setTimeout(resolve, 20))
      now -= 1
      seen.push(generationId)
    })
    const ids = Array.from({ length: 12 }, () => crypto.randomUUID())
    await Promise.all(ids.map((generationId) => queue.send('run-generation', { generationId })))
    await vi.waitFor(() => expect(seen.length).toBe(12), 20_000)
    expect(new Set(seen)).toEqual(new Set(ids))
    expect(most).toBeLessThanOrEqual(3)
    expect(most).toBeGreaterThan(1)
  })

  test('drops a second job for what already waits or runs, and says which have none', async () => {
    const queue = await openQueue(await openLink())
    const generationId = crypto.randomUUID()
    expect(await queue.missing('run-generation', [generationId, 'other'])).toEqual([generationId, 'other'])
    await queue.send('run-generation', { generationId })
    await queue.send('run-generation', { generationId })
    expect(await queue.missing('run-generation', [generationId, 'other'])).toEqual(['other'])
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    let runs = 0
    await queue.work('run-generation', 2, async () => {
      runs += 1
      await held
    })
    await vi.waitFor(() => expect(runs).toBe(1), 5000)
    await queue.send('run-generation', { generationId })
    expect(await queue.missing('run-generation', [generationId])).toEqual([])
    release()
    await vi.waitFor(async () => expect(await queue.missing('run-generation', [generationId])).toEqual([generationId]))
    expect(runs).toBe(1)
  })

  test('tries a job again when its handler throws', async () => {
    const queue = await openQueue(await openLink())
    let runs = 0
    await queue.work('run-generation', 1, async () => {
      runs += 1
      if (runs < 3) throw new Error('not yet')
    })
    await queue.send('run-generation', { generationId: crypto.randomUUID() })
    await vi.waitFor(() => expect(runs).toBe(3), 10_000)
  })

  test('stopping aborts running jobs and gives them back to the next process at once', async () => {
    const link = await openLink()
    const first = await createJobQueue(link, log)
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
    await vi.waitFor(() => expect(started).toBe(true), 5000)
    await first.stop()
    expect(aborted).toBe(true)
    const second = await openQueue(link)
    const taken: string[] = []
    await second.work('run-generation', 1, async (data) => {
      taken.push(data.generationId)
    })
    await vi.waitFor(() => expect(taken).toEqual([generationId]), 3000)
  })

  test('repeats a task, and a failing task neither stops the next run nor the process', async () => {
    const queue = await openQueue(await openLink())
    let runs = 0
    await queue.every('count', 0.05, async () => {
      runs += 1
      throw new Error('no luck')
    })
    await vi.waitFor(() => expect(runs).toBeGreaterThan(2), 5000)
  })

  test('says that it is there', async () => {
    const queue = await openQueue(await openLink())
    await expect(queue.check()).resolves.toBeUndefined()
  })
})

describe('changes', () => {
  test('reach every listener, and none after it has left', async () => {
    const link = await openLink()
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
    await vi.waitFor(() => expect(heard).toEqual([{ kind: 'cancel', generationId: 'a' }]))
    leave()
    await send({ kind: 'cancel', generationId: 'b' })
    await notifier.stop()
    expect(heard.length).toBe(1)
  })
})
