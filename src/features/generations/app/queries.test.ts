import { InfiniteQueryObserver, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
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
