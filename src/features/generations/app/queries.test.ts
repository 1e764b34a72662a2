import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { restoreClock } from '#client/device/server-time.ts'
import type { GenerationView } from '../schemas.ts'
import { generationQuery, historyQuery, rememberGeneration } from './queries.ts'

const running = { id: 'a-run', change: 7, tool: 'headshot', status: 'generating' } as GenerationView
const done: GenerationView = { ...running, change: 9, status: 'succeeded' }
const queuedAgain: GenerationView = { ...running, change: 12, status: 'queued' }

afterEach(() => vi.unstubAllGlobals())

const serverSays = (read: unknown) => vi.stubGlobal('fetch', async () => Response.json(read))

async function shown(read: GenerationView) {
  serverSays(read)
  const client = new QueryClient()
  const observer = new QueryObserver(client, { ...generationQuery(read.id), refetchInterval: false })
  const stop = observer.subscribe(() => {})
  await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe('idle')
  return { client, stop, generation: () => observer.getCurrentResult().data }
}

test('an event sent before a generation was done does not set it back to running', async () => {
  const { client, stop, generation } = await shown(done)
  rememberGeneration(client, running)
  expect(generation()).toEqual(done)
  stop()
})

test('a response requested before a generation was done does not set it back to running', async () => {
  const { client, stop, generation } = await shown(running)
  rememberGeneration(client, done)
  await client.refetchQueries({ queryKey: generationQuery(running.id).queryKey })
  expect(generation()).toEqual(done)
  stop()
})

test('a generation that staff restarted is waiting again', async () => {
  const { client, stop, generation } = await shown(done)
  rememberGeneration(client, queuedAgain)
  expect(generation()).toEqual(queuedAgain)
  stop()
})

test('a history requested before a generation was done shows it as done, and not among the running ones', async () => {
  const client = new QueryClient()
  rememberGeneration(client, done)
  serverSays({ items: [running], nextCursor: null })
  const histories = [{}, { status: 'generating' as const }].map((filter) => {
    const observer = new InfiniteQueryObserver(client, { ...historyQuery(filter), refetchInterval: false })
    return { stop: observer.subscribe(() => {}), observer }
  })
  for (const { observer } of histories) await expect.poll(() => observer.getCurrentResult().fetchStatus).toBe('idle')
  const items = histories.map(({ observer }) => observer.getCurrentResult().data?.pages.flatMap((page) => page.items))
  expect(items).toEqual([[done], []])
  for (const { stop } of histories) stop()
})

test.each([-2, 40])('today is the server’s day on a device whose clock is %d days wrong', async (days) => {
  restoreClock(-days * 86_400_000)
  onTestFinished(() => restoreClock(null))
  const asked = Promise.withResolvers<URLSearchParams>()
  vi.stubGlobal('fetch', async (address: string) => {
    asked.resolve(new URLSearchParams(address.split('?')[1]))
    return Response.json({ items: [], nextCursor: null })
  })
  const stop = new InfiniteQueryObserver(new QueryClient(), historyQuery({ when: 'today' })).subscribe(() => {})
  const from = Date.parse((await asked.promise).get('from') ?? '')
  expect(Math.round((Date.now() - from) / 86_400_000 - 0.5)).toBe(days)
  stop()
})
