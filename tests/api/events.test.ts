import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { parsePositions } from '#features/events/server/routes.ts'
import type { ServerEvents } from '#features/events/types.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { order } from '../support/checkout.ts'
import { createFakeEngine, fail, gate, succeed } from '../support/fake-engine.ts'
import { reached, refusal, stopOpenGenerations, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

interface Heard {
  event: keyof ServerEvents
  id: string
  data: { id: string; status: unknown; credits: number; error?: GenerationView['error'] }
}

const engine = createFakeEngine()
let app: TestApp
let user: TestUser
const connections: { close(): void }[] = []

beforeAll(async () => {
  app = await createTestApp({ engine })
})
afterAll(() => app.stop())
beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
})
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close()
  await stopOpenGenerations(app)
})

const positionOf = (id: string) => parsePositions(id).generation ?? 0

/** Listens as a browser would. */
async function listen(who: Pick<TestUser, 'request'> = user, headers: Record<string, string> = {}) {
  const response = await who.request('/api/events', { headers })
  if (response.status !== 200) throw new Error(`${response.status}`)
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const heard: Heard[] = []
  let waiting = () => {}
  let over = false
  const ended = (async () => {
    const decoder = new TextDecoder()
    let text = ''
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += decoder.decode(value, { stream: true })
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const fields = Object.fromEntries(part.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]))
        if (fields.event)
          heard.push({ event: fields.event as never, id: fields.id as string, data: JSON.parse(fields.data as string) })
      }
      waiting()
    }
    over = true
    waiting()
  })()
  const connection = {
    heard,
    response,
    ended,
    async until(wanted: (event: Heard) => boolean): Promise<Heard> {
      for (;;) {
        const found = heard.find(wanted)
        if (found) return found
        if (over) throw new Error('the connection ended')
        await new Promise<void>((resolve) => {
          waiting = resolve
        })
      }
    },
    close: () => void reader.cancel(),
  }
  connections.push(connection)
  return connection
}

const status = (id: string, wanted: GenerationView['status']) => (event: Heard) =>
  event.event === 'generation' && event.data.id === id && event.data.status === wanted

describe('GET /api/events', () => {
  test('needs a token', async () => {
    expect(await refusal(await app.request('/api/events'))).toEqual([401, 'auth.required'])
  })

  test('sends the balance at once, and every step and charge of a generation', async () => {
    const stream = await listen()
    expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    await stream.until(({ event, data }) => event === 'credits' && data.credits === 25)
    const hold = gate()
    engine.behave(hold.behaviour)
    const { id } = await submitted(user)
    await stream.until(status(id, 'detecting'))
    await stream.until(({ event, data }) => event === 'credits' && data.credits === 20)
    hold.open()
    const { data } = await stream.until(status(id, 'succeeded'))
    expect(data).toEqual(await reached(user, id))
    const positions = stream.heard.map((event) => positionOf(event.id))
    expect(positions).toEqual(positions.toSorted((a, b) => a - b))
  })

  test('sends refunds, and failures in the language of the listener', async () => {
    const [english, indonesian] = [await listen(user, { 'accept-language': 'en' }), await listen()]
    engine.behave(fail('engine.no_subject'))
    const { id } = await submitted(user)
    const [one, two] = [await english.until(status(id, 'failed')), await indonesian.until(status(id, 'failed'))]
    expect(one.data.error?.code).toBe(two.data.error?.code)
    expect(one.data.error?.msg).not.toBe(two.data.error?.msg)
    await english.until(
      ({ event, data, id: change }) =>
        event === 'credits' && data.credits === 25 && positionOf(change) >= positionOf(one.id),
    )
  })

  test('sends every step of an order, and the missed ones after a break', async () => {
    const isOrder = (id: string, wanted: number) => (event: Heard) =>
      event.event === 'order' && event.data.id === id && event.data.status === wanted
    const stream = await listen()
    const { body } = await order(user, { packageId: 'starter', method: 'qris' })
    const { id: last } = await stream.until(isOrder(body.id, 1))
    stream.close()
    await stream.ended
    const path = new URL(body.payment?.url as string).pathname
    await app.request(`${path}/pay`, { method: 'POST', headers: { accept: 'application/json' } })
    const resumed = await listen(user, { 'last-event-id': last })
    await resumed.until(isOrder(body.id, 2))
    await resumed.until(({ event, data }) => event === 'credits' && data.credits === 25 + 499)
    const [open, fresh] = [(await order(user, { packageId: 'basic', method: 'bca' })).body, await listen()]
    await fresh.until(isOrder(open.id, 1))
    expect(fresh.heard.filter(({ event, data }) => event === 'order' && data.id === body.id)).toEqual([])
  })

  test('reports that a request for a designer changed, and after a break that one may have', async () => {
    const isTold = ({ event }: Heard) => event === 'customEdits'
    const stream = await listen()
    const json = { title: 'Foto lama', whatsapp: '081234567890', email: 'sari@contoh.test', description: 'Cerahkan' }
    const asked = await user.request('/api/custom_edits', { json, headers: { 'idempotency-key': crypto.randomUUID() } })
    const { id } = (await asked.json()) as { id: string }
    await stream.until(isTold)
    const designer = await app.createUser({ role: 'designer' })
    for (const [verb, words] of [['take'], ['notes', { text: 'Yang mana?', shared: true }]] as const) {
      stream.heard.length = 0
      await designer.request(`/api/admin/custom_edits/${id}/${verb}`, { method: 'POST', json: words ?? {} })
      await stream.until(isTold)
    }
    stream.close()
    await (await listen(user, { 'last-event-id': 'generation:0' })).until(isTold)
    const stranger = await listen(await app.createUser())
    await stranger.until(({ event }) => event === 'credits')
    expect(stranger.heard.some(isTold)).toBe(false)
  })

  test('reports to staff that their board changed, also by changes hidden from its owner, and after a break that it may have', async () => {
    const isTold = ({ event }: Heard) => event === 'customEdits'
    const designer = await app.createUser({ role: 'designer' })
    const stream = await listen(designer)
    await stream.until(isTold)
    stream.heard.length = 0
    const json = { title: 'Foto lama', whatsapp: '081234567890', email: 'sari@contoh.test', description: 'Cerahkan' }
    const asked = await user.request('/api/custom_edits', { json, headers: { 'idempotency-key': crypto.randomUUID() } })
    const { id } = (await asked.json()) as { id: string }
    await stream.until(isTold)
    const owner = await listen()
    await owner.until(isTold)
    stream.heard.length = 0
    owner.heard.length = 0
    const other = await app.createUser({ role: 'designer' })
    await other.request(`/api/admin/custom_edits/${id}/notes`, { json: { text: 'Sulit', shared: false } })
    await stream.until(isTold)
    stream.heard.length = 0
    await user.request(`/api/custom_edits/${id}/cancel`, { method: 'POST' })
    await stream.until(isTold)
    await owner.until(isTold)
    expect(owner.heard.filter(isTold)).toHaveLength(1)
    stream.close()
    await (await listen(designer, { 'last-event-id': 'generation:0' })).until(isTold)
  })

  test('sends nothing of other users', async () => {
    const stranger = await app.createUser()
    const stream = await listen(stranger)
    await stream.until(({ event }) => event === 'credits')
    const { id } = await submitted(user)
    await reached(user, id, 'succeeded')
    const { id: own } = await submitted(stranger)
    await stream.until(status(own, 'succeeded'))
    expect(stream.heard.filter(({ event, data }) => event === 'generation' && data.id !== own)).toEqual([])
    expect(stream.heard.filter(({ event, data }) => event === 'credits' && ![25, 20].includes(data.credits))).toEqual(
      [],
    )
  })

  test('sends the current state on the first connection, and the missed events on resumption', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    const { id } = await submitted(user)
    await reached(user, id, 'detecting')
    const first = await listen()
    const { id: last } = await first.until(status(id, 'detecting'))
    first.close()
    await first.ended
    hold.open()
    await reached(user, id, 'succeeded')
    const resumed = await listen(user, { 'last-event-id': last })
    const { id: seen } = await resumed.until(status(id, 'succeeded'))
    expect(positionOf(seen)).toBeGreaterThan(positionOf(last))
    const fresh = await listen()
    await fresh.until(({ event }) => event === 'credits')
    expect(fresh.heard.filter(({ event }) => event === 'generation')).toEqual([])
    for (const odd of ['x', '-1', '17', 'generation:99999999999999999999', 'nothing:1']) {
      const stream = await listen(user, { 'last-event-id': odd })
      await stream.until(({ event }) => event === 'credits')
    }
  })

  test('ends when the session does, at once', async () => {
    const other = { ...user, token: await app.signIn(user.email, user.password) }
    const [mine, elsewhere] = [
      await listen(),
      await listen({ request: (path, init) => app.request(path, { token: other.token, ...init }) }),
    ]
    await mine.until(({ event }) => event === 'credits')
    await user.request('/api/logout', { method: 'POST' })
    await mine.ended
    const { id } = await submitted({ request: (path, init) => app.request(path, { token: other.token, ...init }) })
    await elsewhere.until(status(id, 'succeeded'))
  })

  test('allows a user ten connections; the eleventh ends the first', async () => {
    const streams = []
    for (let index = 0; index < 11; index += 1) streams.push(await listen())
    await streams[0]?.ended
    const { id } = await submitted(user)
    for (const stream of streams.slice(1)) await stream.until(status(id, 'succeeded'))
  })
})
