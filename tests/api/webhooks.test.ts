import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { maxWebhooks, type WebhookEvent, webhookEvents } from '#features/webhooks/rules.ts'
import type { DeliveryView, WebhookCreated, WebhookView } from '#features/webhooks/schemas.ts'
import { resealWebhookSecrets, webhookContributions } from '#features/webhooks/server/contributions.ts'
import { sweepDeliveries } from '#features/webhooks/server/deliveries.ts'
import { sendWebhook } from '#features/webhooks/server/send-webhook.ts'
import { webhookDeliveries, webhookEndpoints, webhookQueue } from '#features/webhooks/server/table.ts'
import { webhooks } from '#features/webhooks/server/webhooks.ts'
import { securityEvents } from '#server/audit/table.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { sweepOutbox } from '#server/outbox.ts'
import { sealSecret, unsealSecret } from '#server/sealed-secret.ts'
import { createFakeEngine, type FakeEngine, fail, hang, succeed } from '#tests/support/fake-engine.ts'
import { refusal, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { createWebhookReceiver, verified } from '#tests/support/webhook-receiver.ts'

let app: TestApp
let engine: FakeEngine
let receiver: Awaited<ReturnType<typeof createWebhookReceiver>>
beforeAll(async () => {
  receiver = await createWebhookReceiver()
  engine = createFakeEngine()
  app = await createTestApp({ engine, env: { FETCH_PRIVATE_HOSTS: receiver.host } })
})
afterAll(async () => {
  await app.stop()
  await receiver.stop()
})
beforeEach(() => engine.behave(succeed))

const call = (user: TestUser, json: object) =>
  user.request('/api/user/webhooks', {
    json: { password: user.password, description: '', events: webhookEvents, ...json },
  })

interface Hooked {
  user: TestUser
  hook: WebhookCreated
  path: string
}

async function withWebhook(given: { events?: WebhookEvent[]; user?: TestUser } = {}): Promise<Hooked> {
  const user = given.user ?? (await app.createUser())
  const path = `/${randomUUID()}`
  const created = await call(user, { url: receiver.urlOf(path), ...(given.events && { events: given.events }) })
  expect(created.status).toBe(201)
  return { user, path, hook: (await created.json()) as WebhookCreated }
}

const at = ({ hook }: Hooked, rest = '') => `/api/user/webhooks/${hook.id}${rest}`
const hooksOf = async (user: TestUser) =>
  ((await (await user.request('/api/user/webhooks')).json()) as { items: WebhookView[] }).items
const logOf = async (hooked: Hooked) =>
  ((await (await hooked.user.request(at(hooked, '/deliveries'))).json()) as { items: DeliveryView[] }).items
/** Waits for the newest message to be recorded. */
const recorded = (hooked: Hooked, want: Partial<DeliveryView>) =>
  vi.waitFor(
    async () => {
      const [newest] = await logOf(hooked)
      expect(newest).toMatchObject(want)
      return newest as DeliveryView
    },
    { timeout: 300_000, interval: 20 },
  )
const ping = async (hooked: Hooked) => {
  const answer = await hooked.user.request(at(hooked, '/ping'), { method: 'POST' })
  expect(answer.status).toBe(202)
  return (await answer.json()) as DeliveryView
}
const definitions = { 'generation.succeeded': null, 'generation.failed': null, 'generation.cancelled': null } as never
const send = (id: string, deps: Pick<Deps, 'db' | 'clock' | 'config'> = app.deps) => sendWebhook(deps, definitions, id)
const rowOf = async (id: string) => {
  const [row] = await app.deps.db.select().from(webhookDeliveries).where(eq(webhookDeliveries.id, id))
  return row as typeof webhookDeliveries.$inferSelect
}
/** A ping of a message that the app's own sender does not pick up. */
async function waitingPing({ hook, user }: Hooked): Promise<string> {
  const id = randomUUID()
  const later = new Date(app.clock.now().getTime() + 86_400_000)
  await app.deps.db.insert(webhookDeliveries).values({
    id,
    endpointId: hook.id,
    userId: user.id,
    event: 'webhook.ping',
    createdAt: app.clock.now(),
    nextAttemptAt: later,
  })
  return id
}

describe('a generation', () => {
  test('that succeeds is delivered, signed, with its files and without their addresses', async () => {
    const hooked = await withWebhook()
    const { id } = await submitted(hooked.user)
    const [message] = await receiver.arrived(hooked.path)
    expect(verified(hooked.hook.secret, message!)).toEqual(message!.body)
    expect(message!.headers).toMatchObject({ 'content-type': 'application/json' })
    const { type, data, timestamp } = message!.body
    expect(type).toBe('generation.succeeded')
    expect(new Date(timestamp).toISOString()).toBe(timestamp)
    expect(data).toEqual({
      id,
      tool: 'background-removal',
      status: 'succeeded',
      credits: 5,
      error: null,
      outputs: [
        {
          id: expect.any(String),
          name: expect.any(String),
          label: null,
          contentType: 'image/png',
          width: expect.any(Number),
          height: expect.any(Number),
          bytes: expect.any(Number),
        },
      ],
      createdAt: expect.any(String),
      finishedAt: expect.any(String),
    })
    expect(message!.payload).not.toMatch(/signature|token|http/)
    const logged = await recorded(hooked, { state: 'delivered', status: 204, attempts: 1, error: null })
    expect(logged).toMatchObject({ id: message!.id, event: type, subjectId: id, nextAttemptAt: null })
  })

  test('that fails is delivered with its error and without a charge', async () => {
    const hooked = await withWebhook()
    engine.behave(fail('engine.no_face'))
    app.expectErrors(/generation failed/)
    const { id } = await submitted(hooked.user)
    const [message] = await receiver.arrived(hooked.path)
    verified(hooked.hook.secret, message!)
    expect(message!.body).toMatchObject({
      type: 'generation.failed',
      data: { id, status: 'failed', credits: 0, outputs: [], error: { code: 'engine.no_face' } },
    })
  })

  test('that is cancelled or deleted while it runs is delivered', async () => {
    const hooked = await withWebhook()
    engine.behave(hang)
    const [first, second] = [await submitted(hooked.user), await submitted(hooked.user)]
    await hooked.user.request(`/api/generations/${first.id}/cancel`, { method: 'POST' })
    await hooked.user.request(`/api/generations/${second.id}`, { method: 'DELETE' })
    const messages = await receiver.arrived(hooked.path, 2)
    expect(messages.map(({ body }) => [body.type, body.data.id, body.data.credits]).sort()).toEqual(
      [
        ['generation.cancelled', first.id, 0],
        ['generation.cancelled', second.id, 0],
      ].sort(),
    )
  })

  test('is delivered to each endpoint of its user that wants the event, and to no other', async () => {
    const wants = await withWebhook({ events: ['generation.succeeded'] })
    const { user } = wants
    const both = await withWebhook({ user })
    const refuses = await withWebhook({ user, events: ['generation.failed'] })
    const off = await withWebhook({ user })
    const stranger = await withWebhook()
    expect((await user.request(at(off), { method: 'PATCH', json: { enabled: false } })).status).toBe(200)
    await submitted(user)
    await Promise.all([receiver.arrived(wants.path), receiver.arrived(both.path)])
    for (const hooked of [refuses, off, stranger]) expect(await logOf(hooked)).toEqual([])
  })

  test('leaves no message if its transaction is rolled back', async () => {
    const hooked = await withWebhook()
    const rolledBack = transact(app.deps.db, async (tx) => {
      const event = { kind: 'generation.succeeded', subjectId: randomUUID() } as const
      await webhooks.enqueue(tx, { ...event, userId: hooked.user.id, now: app.clock.now() })
      throw new Error('no')
    })
    await expect(rolledBack).rejects.toThrow('no')
    expect(await logOf(hooked)).toEqual([])
  })
})

describe('a failed attempt', () => {
  test.each([500, 404, 302])('answered %i is repeated with the same id until it is taken', async (status) => {
    const hooked = await withWebhook()
    receiver.answerNext(hooked.path, status)
    const { id } = await ping(hooked)
    const failed = await recorded(hooked, { state: 'pending', status, attempts: 1 })
    expect(Date.parse(failed.nextAttemptAt as string)).toBeGreaterThan(Date.parse(failed.createdAt))
    app.clock.advance({ seconds: 30 })
    await sweepOutbox(app.deps, webhookQueue)
    const [first, second] = await receiver.arrived(hooked.path, 2)
    expect([first!.id, second!.id]).toEqual([id, id])
    expect(second!.payload).toBe(first!.payload)
    for (const message of [first!, second!]) {
      const { headers, payload } = message
      expect(payload).toContain('webhook.ping')
      expect(headers['webhook-signature']).toMatch(/^v1,[\w+/=]{44}$/)
    }
    await recorded(hooked, { state: 'delivered', status: 204, attempts: 2 })
    expect(receiver.to('/elsewhere')).toEqual([])
  })

  test('waits longer each time, a day in all, and is then given up', async () => {
    const hooked = await withWebhook()
    const id = await waitingPing(hooked)
    const { maxAttempts } = webhookQueue
    receiver.answerNext(hooked.path, ...Array(maxAttempts).fill(503))
    const waits: number[] = []
    // After the app's own time, so that its sweeper leaves the delivery alone.
    let now = app.clock.now().getTime() + 86_400_000
    const deps = { ...app.deps, clock: () => new Date(now) }
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      await send(id, deps)
      const { state, attempts, nextAttemptAt } = await rowOf(id)
      expect([attempt, state, attempts]).toEqual([attempt, attempt < maxAttempts ? 'pending' : 'failed', attempt])
      waits.push((nextAttemptAt.getTime() - now) / 1000)
      now = nextAttemptAt.getTime()
    }
    expect(waits.slice(0, 8)).toEqual([10, 30, 90, 270, 810, 2430, 7290, 14400])
    const total = waits.slice(0, -1).reduce((sum, seconds) => sum + seconds, 0)
    expect(total / 3600).toBeGreaterThan(22)
    expect(total / 3600).toBeLessThan(25)
    await send(id, deps)
    expect(receiver.to(hooked.path)).toHaveLength(maxAttempts)
  })

  test('of a process that died after the answer is repeated', async () => {
    const hooked = await withWebhook()
    const id = await waitingPing(hooked)
    const dying = {
      ...app.deps,
      db: new Proxy(app.deps.db, {
        get(db, name) {
          // The second update would record the answer.
          if (name === 'update' && receiver.to(hooked.path).length > 0) throw new Error('the process died')
          const value = Reflect.get(db, name)
          return typeof value === 'function' ? value.bind(db) : value
        },
      }),
    }
    await expect(send(id, dying)).rejects.toThrow('the process died')
    expect(await rowOf(id)).toMatchObject({ state: 'pending', attempts: 1 })
    await app.deps.db
      .update(webhookDeliveries)
      .set({ nextAttemptAt: app.clock.now() })
      .where(eq(webhookDeliveries.id, id))
    await sweepOutbox(app.deps, webhookQueue)
    const messages = await receiver.arrived(hooked.path, 2)
    expect(messages.map((message) => message.id)).toEqual([id, id])
    await recorded(hooked, { state: 'delivered', attempts: 2 })
  })

  test('that kills its process each time is given up by the sweeper, and stays in the log', async () => {
    const hooked = await withWebhook()
    const id = await waitingPing(hooked)
    await app.deps.db
      .update(webhookDeliveries)
      .set({ attempts: webhookQueue.maxAttempts, nextAttemptAt: app.clock.now() })
      .where(eq(webhookDeliveries.id, id))
    await sweepOutbox(app.deps, webhookQueue)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', error: 'given_up' })
  })

  test('answered 410 disables the endpoint, which then gets nothing until it is enabled', async () => {
    const hooked = await withWebhook()
    receiver.answerNext(hooked.path, 410)
    const waiting = await waitingPing(hooked)
    await ping(hooked)
    await vi.waitFor(async () => expect(await hooksOf(hooked.user)).toMatchObject([{ disabled: 'gone' }]), {
      timeout: 300_000,
    })
    const again = await hooked.user.request(at(hooked, '/ping'), { method: 'POST' })
    expect(await refusal(again)).toEqual([409, 'webhook.disabled'])
    await send(waiting)
    expect(await rowOf(waiting)).toMatchObject({ state: 'failed', error: 'endpoint_disabled' })
    await submitted(hooked.user)
    expect((await logOf(hooked)).map(({ event }) => event)).toEqual(['webhook.ping', 'webhook.ping'])
    expect(receiver.to(hooked.path)).toHaveLength(1)
    const enabled = await hooked.user.request(at(hooked), { method: 'PATCH', json: { enabled: true } })
    expect(await enabled.json()).toMatchObject({ disabled: null })
    await ping(hooked)
    await receiver.arrived(hooked.path, 2)
  })

  test('of a disabled account is not sent', async () => {
    const hooked = await withWebhook()
    const id = await waitingPing(hooked)
    await app.deps.db.update(users).set({ disabledAt: app.clock.now() }).where(eq(users.id, hooked.user.id))
    await send(id)
    expect(await rowOf(id)).toMatchObject({ state: 'failed', error: 'endpoint_disabled' })
    expect(receiver.to(hooked.path)).toEqual([])
  })
})

test('a receiver that does not answer holds up only the messages of its user', async () => {
  const slow = await withWebhook()
  const answer = receiver.hold(slow.path)
  for (let count = 0; count < 12; count++) await ping(slow)
  await receiver.arrived(slow.path, 3)
  const quick = await withWebhook()
  await ping(quick)
  await receiver.arrived(quick.path)
  answer()
  await receiver.arrived(slow.path, 12)
  expect(receiver.peak(slow.path)).toBe(3)
})

describe('addresses', () => {
  test.each([
    'http://example.com/hook',
    'ftp://example.com/',
    'https://user:secret@example.com/',
    'https://example.com:8443/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::1]/',
    'https://0x7f.1/',
    'https://localhost/',
    'http://localhost:3000/api/admin/users',
    'no address',
  ])('%s is refused', async (url) => {
    const user = await app.createUser()
    expect(await refusal(await call(user, { url }))).toEqual([422, 'webhook.address_forbidden'])
  })

  test('a name that leads into the own network is refused at delivery, and the log says why', async () => {
    const hooked = await withWebhook()
    const id = await waitingPing(hooked)
    await app.deps.db
      .update(webhookEndpoints)
      .set({ url: `https://private.test/` })
      .where(eq(webhookEndpoints.id, hooked.hook.id))
    const lookup = ((_host: string, _options: object, done: (...found: unknown[]) => void) =>
      done(null, [{ address: '10.0.0.7', family: 4 }])) as never
    await send(id, { ...app.deps, lookup } as Deps)
    expect(await logOf(hooked)).toMatchObject([{ state: 'pending', status: null, error: 'address_forbidden' }])
  })
})

describe('secrets', () => {
  test('are stored sealed, shown once, and asked for with the password', async () => {
    const hooked = await withWebhook()
    const { user, hook } = hooked
    const [row] = await app.deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, hook.id))
    expect(hook.secret).toMatch(/^whsec_/)
    expect(row!.secret).not.toContain(hook.secret.slice(6))
    expect(await unsealSecret(app.config, 'webhook', row!.secret)).toBe(hook.secret)
    await expect(unsealSecret(app.config, 'second factor', row!.secret)).rejects.toThrow()
    expect(JSON.stringify(await hooksOf(user))).not.toContain('whsec_')
    for (const json of [{ password: 'Salah-123!' }, { password: undefined }]) {
      const [status] = await refusal(await call(user, { url: receiver.urlOf('/x'), ...json }))
      expect(status).toBe(422)
      expect((await user.request(at(hooked, '/rotate'), { json })).status).toBe(422)
    }
    expect(await hooksOf(user)).toHaveLength(1)
  })

  test('both verify for a day after a rotation, then only the new one', async () => {
    const hooked = await withWebhook()
    const { user, path } = hooked
    const rotated = await user.request(at(hooked, '/rotate'), { json: { password: user.password } })
    const { secret } = (await rotated.json()) as { secret: string }
    expect(secret).not.toBe(hooked.hook.secret)
    await send(await waitingPing(hooked))
    const [during] = await receiver.arrived(path)
    for (const either of [secret, hooked.hook.secret]) verified(either, during!)
    expect((await hooksOf(user))[0]?.previousSecretUntil).not.toBeNull()
    const tomorrow = { ...app.deps, clock: () => new Date(app.clock.now().getTime() + 25 * 3_600_000) }
    await send(await waitingPing(hooked), tomorrow)
    const after = (await receiver.arrived(path, 2))[1]!
    expect(after.headers['webhook-signature']?.split(' ')).toHaveLength(1)
    await resealWebhookSecrets(tomorrow)
    const [row] = await app.deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, hooked.hook.id))
    expect(row).toMatchObject({ previousSecret: null, previousSecretUntil: null })
  })

  test('are sealed with the new key after a rotation of the server’s keys', async () => {
    const { hook } = await withWebhook()
    const old = { jwtSecret: new TextEncoder().encode('o'.repeat(32)) }
    await app.deps.db
      .update(webhookEndpoints)
      .set({ secret: await sealSecret(old, 'webhook', hook.secret) })
      .where(eq(webhookEndpoints.id, hook.id))
    const config = { ...app.config, previousJwtSecret: old.jwtSecret }
    await resealWebhookSecrets({ ...app.deps, config })
    const [row] = await app.deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.id, hook.id))
    expect(await unsealSecret(app.config, 'webhook', row!.secret)).toBe(hook.secret)
  })
})

test('a message is sent again by hand with its id, also after it was delivered', async () => {
  const hooked = await withWebhook()
  const { id } = await ping(hooked)
  await recorded(hooked, { state: 'delivered' })
  const again = at(hooked, `/deliveries/${id}/redeliver`)
  expect((await hooked.user.request(again, { method: 'POST' })).status).toBe(204)
  const messages = await receiver.arrived(hooked.path, 2)
  expect(messages.map((message) => message.id)).toEqual([id, id])
  await recorded(hooked, { state: 'delivered', attempts: 1 })
  const unknown = at(hooked, `/deliveries/${randomUUID()}/redeliver`)
  expect(await refusal(await hooked.user.request(unknown, { method: 'POST' }))).toEqual([404, 'webhook.not_found'])
})

test('endpoints of another user are not found', async () => {
  const hooked = await withWebhook()
  const { id } = await ping(hooked)
  const other = await app.createUser()
  const calls: [string, string, object?][] = [
    ['PATCH', '', { enabled: false }],
    ['DELETE', ''],
    ['POST', '/rotate', { password: other.password }],
    ['POST', '/ping'],
    ['GET', '/deliveries'],
    ['POST', `/deliveries/${id}/redeliver`],
  ]
  for (const [method, rest, json] of calls) {
    const answer = await other.request(at(hooked, rest), { method, ...(json && { json }) })
    expect([method, rest, await refusal(answer)]).toEqual([method, rest, [404, 'webhook.not_found']])
  }
  // An own endpoint gives no access to a message of another.
  const own = await withWebhook({ user: other })
  const foreign = await other.request(at(own, `/deliveries/${id}/redeliver`), { method: 'POST' })
  expect(await refusal(foreign)).toEqual([404, 'webhook.not_found'])
  expect(await hooksOf(hooked.user)).toMatchObject([{ id: hooked.hook.id, disabled: null }])
})

test('a user has five endpoints at most, changes and removes them, and each is in the security log', async () => {
  const first = await withWebhook()
  const { user, hook } = first
  const calls = Array.from({ length: maxWebhooks }, () => call(user, { url: receiver.urlOf('/more') }))
  const statuses = (await Promise.all(calls)).map(({ status }) => status).sort()
  expect(statuses).toEqual([201, 201, 201, 201, 409])
  const changed = await user.request(at(first), {
    method: 'PATCH',
    json: { description: '  Toko  ', events: ['generation.failed', 'generation.failed'] },
  })
  const view = { id: hook.id, description: 'Toko', events: ['generation.failed'], disabled: null }
  expect(await changed.json()).toMatchObject(view)
  expect((await user.request(at(first), { method: 'PATCH', json: { events: [] } })).status).toBe(422)
  expect((await user.request(at(first), { method: 'DELETE' })).status).toBe(204)
  expect(await hooksOf(user)).toHaveLength(4)
  const [rotated] = await hooksOf(user)
  await user.request(`/api/user/webhooks/${rotated!.id}/rotate`, { json: { password: user.password } })
  const log = await app.deps.db.select().from(securityEvents).where(eq(securityEvents.userId, user.id))
  const kinds = log.map(({ kind }) => kind).filter((kind) => kind.startsWith('webhook'))
  expect(kinds.sort()).toEqual([...Array(5).fill('webhook_added'), 'webhook_removed', 'webhook_secret_rotated'])
})

test('the log is kept for thirty days', async () => {
  const hooked = await withWebhook()
  const [old, young] = [await waitingPing(hooked), await waitingPing(hooked)]
  const daysAgo = (days: number) => new Date(app.clock.now().getTime() - days * 86_400_000)
  await app.deps.db
    .update(webhookDeliveries)
    .set({ createdAt: daysAgo(31) })
    .where(eq(webhookDeliveries.id, old))
  await app.deps.db
    .update(webhookDeliveries)
    .set({ createdAt: daysAgo(29) })
    .where(eq(webhookDeliveries.id, young))
  await sweepDeliveries(app.deps)
  expect((await logOf(hooked)).map(({ id }) => id)).toEqual([young])
})

test('endpoints and their log are in the archive without secrets, and deleted with the account', async () => {
  const hooked = await withWebhook()
  await ping(hooked)
  const archive = webhookContributions.personalData.archive(app.deps, { userId: hooked.user.id, language: 'id' })
  const { value } = await archive[Symbol.asyncIterator]().next()
  const content = String(value?.content)
  expect(content).toContain(receiver.urlOf(hooked.path))
  expect(content).toContain('webhook.ping')
  expect(content).not.toMatch(/whsec_|secret"/i)
  const { user } = hooked
  const deleted = await user.request('/api/user/delete', { json: { password: user.password } })
  expect(deleted.ok).toBe(true)
  const left = await app.deps.db.select().from(webhookEndpoints).where(eq(webhookEndpoints.userId, user.id))
  expect(left).toEqual([])
})
