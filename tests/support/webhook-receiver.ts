import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { vi } from 'vitest'

export interface ReceivedMessage {
  path: string
  id: string
  headers: Record<string, string>
  payload: string
  body: { type: string; timestamp: string; data: Record<string, unknown> }
}

/** Records every call; answers 204 unless told otherwise. */
export async function createWebhookReceiver() {
  const received: ReceivedMessage[] = []
  const answers = new Map<string, number[]>()
  const held = new Map<string, Promise<void>>()
  const open = new Map<string, number>()
  const peaks = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const payload = await text(request)
    const { url: path = '', headers } = request
    received.push({
      path,
      id: String(headers['webhook-id']),
      headers: headers as Record<string, string>,
      payload,
      body: JSON.parse(payload),
    })
    const count = (open.get(path) ?? 0) + 1
    open.set(path, count)
    peaks.set(path, Math.max(count, peaks.get(path) ?? 0))
    response.on('close', () => open.set(path, (open.get(path) ?? 0) - 1))
    await held.get(path)
    response.writeHead(answers.get(path)?.shift() ?? 204, { location: '/elsewhere' }).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const to = (path: string) => received.filter((message) => message.path === path)
  return {
    /** For FETCH_PRIVATE_HOSTS. */
    host,
    urlOf: (path: string) => `http://${host}${path}`,
    to,
    answerNext: (path: string, ...statuses: number[]) => void answers.set(path, statuses),
    /** The most calls there at the same time. */
    peak: (path: string) => peaks.get(path) ?? 0,
    /** Answers no call there until the returned function is called. */
    hold(path: string): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      held.set(path, promise)
      return resolve
    },
    /** Waits for that many calls. */
    async arrived(path: string, count = 1): Promise<ReceivedMessage[]> {
      return await vi.waitFor(
        () => {
          if (to(path).length < count) throw new Error(`${to(path).length} of ${count} messages have arrived`)
          return to(path)
        },
        { timeout: 300_000, interval: 10 },
      )
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

/** The payload as the public library of the specification verifies it; throws if it refuses. */
export const verified = (secret: string, { payload, headers }: ReceivedMessage): unknown =>
  new Webhook(secret).verify(payload, headers)
