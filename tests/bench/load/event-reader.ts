import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from './client.ts'

export interface EventReader {
  latest<Data>(name: string, id: string): Data | undefined
  next(milliseconds: number): Promise<void>
  connections(): number
  close(): void
}

/** Devices take a silent connection for dead after this. */
const silenceMilliseconds = 45_000

export function readEvents(client: Pick<Client, 'open'>): EventReader {
  const known = new Map<string, unknown>()
  const closing = new AbortController()
  let wake = Promise.withResolvers<void>()
  let lastId = ''
  let connections = 0

  const take = (block: string) => {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1]
    lastId = field('id') ?? lastId
    const [name, data] = [field('event'), field('data')]
    if (!name || !data) return
    known.set(`${name} ${(JSON.parse(data) as { id?: string }).id ?? ''}`, JSON.parse(data))
    wake.resolve()
    wake = Promise.withResolvers()
  }
  const read = async () => {
    const dead = new AbortController()
    let timer = setTimeout(() => dead.abort(), silenceMilliseconds)
    try {
      const headers = { accept: 'text/event-stream', ...(lastId && { 'last-event-id': lastId }) }
      const response = await client.open('/api/events', headers, AbortSignal.any([dead.signal, closing.signal]))
      if (!response.ok || !response.body) throw new Error(String(response.status))
      connections += 1
      let text = ''
      for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
        clearTimeout(timer)
        timer = setTimeout(() => dead.abort(), silenceMilliseconds)
        text += chunk
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          take(text.slice(0, end))
          text = text.slice(end + 2)
        }
      }
    } finally {
      clearTimeout(timer)
    }
  }
  const reading = async () => {
    while (!closing.signal.aborted) {
      await read().catch(() => {})
      if (!closing.signal.aborted) await pause(500 + Math.random() * 1000)
    }
  }
  void reading()
  return {
    latest: (name, id) => known.get(`${name} ${id}`) as never,
    next: (milliseconds) => Promise.race([wake.promise, pause(milliseconds)]),
    connections: () => connections,
    close: () => closing.abort(),
  }
}
