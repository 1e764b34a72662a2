import { and, eq, inArray, ne } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { remindOfExpiry } from '#features/billing/server/ledger/remind-expiry.ts'
import { remindOfUnpaid } from '#features/billing/server/orders/expire-orders.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { maxDevices, type PushKind } from '#features/push/rules.ts'
import type { PushSettings } from '#features/push/schemas.ts'
import { push } from '#features/push/server/push.ts'
import { sendPush } from '#features/push/server/send-push.ts'
import { pushOutbox, pushQueue, pushSubscriptions } from '#features/push/server/table.ts'
import { sessions, users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { JobQueue } from '#server/jobs/queue.ts'
import { sweepOutbox } from '#server/outbox.ts'
import { pushes } from '#server-app/registrations.ts'
import type { PushMessage } from '#shared/push-message.ts'
import { order } from '#tests/support/checkout.ts'
import { createFakeEngine, type FakeEngine, fail, hang, succeed } from '#tests/support/fake-engine.ts'
import { createPushService, type PushDevice } from '#tests/support/push-service.ts'
import { makePicture, refusal, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { upload } from '#tests/support/upload.ts'

let app: TestApp
let engine: FakeEngine
let service: Awaited<ReturnType<typeof createPushService>>
beforeAll(async () => {
  engine = createFakeEngine()
  app = await createTestApp({ engine, env: { PUSH_SERVICES: '127.0.0.1,*.push.apple.com' } })
  const { publicKey } = await settingsOf(await app.createUser())
  service = await createPushService(publicKey as string)
})
afterAll(async () => {
  expect(service.refused).toEqual([])
  await app.stop()
  await service.stop()
})

const settingsOf = async (user: TestUser) => (await (await user.request('/api/user/push')).json()) as PushSettings
const put = (user: TestUser, subscription: object) =>
  user.request('/api/user/push/device', { method: 'PUT', json: subscription })
const devicesOf = async (user: TestUser) =>
  await app.deps.db.select().from(pushSubscriptions).where(eq(pushSubscriptions.userId, user.id))
const owed = async () => await app.deps.db.select().from(pushOutbox)

async function withDevice(): Promise<{ user: TestUser; device: PushDevice }> {
  const user = await app.createUser()
  const device = await service.register()
  expect((await put(user, device.subscription)).status).toBe(204)
  return { user, device }
}

const arrived = async (device: PushDevice, count = 1): Promise<PushMessage['notification'][]> =>
  await vi.waitFor(
    () => {
      expect(device.received).toHaveLength(count)
      return device.received.map(({ notification }) => notification)
    },
    { timeout: 300_000, interval: 10 },
  )
const nothingOwed = () => vi.waitFor(async () => expect(await owed()).toEqual([]), { timeout: 300_000, interval: 10 })
const tell = (user: TestUser, kind: PushKind = 'credits_ending', subjectId?: string) =>
  transact(app.deps.db, (tx) =>
    push.enqueue(tx, { kind, userId: user.id, now: app.clock.now(), ...(subjectId && { subjectId }) }),
  )
async function inEnglish(user: TestUser, device: PushDevice, kind: PushKind, subjectId?: string): Promise<string[]> {
  const reads = (language: 'id' | 'en') => app.deps.db.update(users).set({ language }).where(eq(users.id, user.id))
  await reads('en')
  const before = device.received.length
  await tell(user, kind, subjectId)
  const { title = '', body = '', lang = '' } = (await arrived(device, before + 1))[before] ?? {}
  await reads('id')
  return [lang, title, body]
}

/** Pending for hours without a notification; the app's sweeper acts later. */
async function left(user: TestUser, hours: number): Promise<string> {
  const [{ id: subscriptionId } = { id: '' }] = await devicesOf(user)
  const hoursAgo = (hours: number) => new Date(app.clock.now().getTime() - hours * 3_600_000)
  const id = crypto.randomUUID()
  const owed = { id, subscriptionId, kind: 'credits_ending' as const }
  await app.deps.db.insert(pushOutbox).values({ ...owed, createdAt: hoursAgo(hours), nextAttemptAt: hoursAgo(-1) })
  return id
}

beforeEach(() => engine.behave(succeed))

describe('a generation', () => {
  test('that succeeds is announced on the phone, encrypted for it alone, and a tap opens its result', async () => {
    const { user, device } = await withDevice()
    const { id } = await submitted(user)
    const [notice] = await arrived(device)
    const told = { title: 'Fotomu sudah siap', body: 'Ketuk untuk melihat hasilnya.', lang: 'id', tag: 'results' }
    expect(notice).toMatchObject(told)
    expect(notice?.navigate).toBe(new URL(`/ai-background-removal?result=${id}`, app.config.publicUrl).href)
    expect(device.received[0]?.web_push).toBe(8030)
    expect(device.headers[0]).toMatchObject({ topic: id.replaceAll('-', ''), ttl: '86400' })
    expect(await inEnglish(user, device, 'result_ready', id)).toEqual([
      'en',
      'Your photo is ready',
      'Tap to see the result.',
    ])
    await nothingOwed()
  })

  test('that fails is announced with its refund', async () => {
    const { user, device } = await withDevice()
    engine.behave(fail('engine.failed'))
    app.expectErrors(/generation failed/)
    const { id } = await submitted(user)
    const [notice] = await arrived(device)
    expect(notice).toMatchObject({ title: 'Fotomu belum berhasil', body: '5 kredit sudah kembali ke saldomu.' })
    expect(await inEnglish(user, device, 'run_failed', id)).toEqual([
      'en',
      "Your photo couldn't be finished",
      '5 credits are back in your balance.',
    ])
  })

  test('that is cancelled by its user sends no message', async () => {
    const { user } = await withDevice()
    engine.behave(hang)
    const { id } = await submitted(user)
    await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })
    expect(await owed()).toEqual([])
  })
})

test('credits that run low are announced once on the way down', async () => {
  const { user, device } = await withDevice()
  for (let count = 0; count < 5; count++) await submitted(user)
  // 25 welcome credits: the fourth generation leaves 5.
  const notices = await arrived(device, 6)
  const low = notices.filter(({ tag }) => tag === 'credits')
  expect(low.map(({ title, body }) => `${title}. ${body}`)).toEqual([
    expect.stringMatching(/^Kreditmu hampir habis\. Tersisa \d kredit\.$/),
  ])
  expect(await inEnglish(user, device, 'credits_low')).toEqual([
    'en',
    'Your credits are running low',
    '0 credits left.',
  ])
})

test('a payment that arrives, an order about to end and credits about to end are announced once', async () => {
  const { user, device } = await withDevice()
  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  const ends = new Date(app.clock.now().getTime() + 3_600_000)
  await app.deps.db.update(orders).set({ expiresAt: ends, createdAt: new Date(ends.getTime() - 86_400_000) })
  await remindOfUnpaid(app.deps)
  await remindOfUnpaid(app.deps)
  const [ending] = await arrived(device)
  expect(ending).toMatchObject({ title: 'Pesananmu belum dibayar', tag: 'unpaid_orders' })
  expect(ending?.body).toMatch(/^Bayar Rp.165\.000 sebelum waktunya habis\./)
  expect(ending?.navigate).toMatch(`/checkout?order=${body.id}`)
  expect((await inEnglish(user, device, 'order_ending', body.id)).join()).toMatch(
    /^en,Your order isn't paid yet,Pay Rp.165[.,]000 before time runs out\./,
  )
  const session = (body.payment?.url ?? '').split('/').at(-1)
  await app.request(`/api/simulator/${session}/pay`, { method: 'POST' })
  const paid = (await arrived(device, 3))[2]
  expect(paid).toMatchObject({ title: 'Pembayaranmu sudah masuk' })
  expect(paid?.body).toMatch(/^Rp.165\.000 diterima, kreditmu siap dipakai\.$/)
  expect(paid?.navigate).toMatch(`/payment-success?order=${body.id}`)
  expect((await inEnglish(user, device, 'payment_arrived', body.id)).join()).toMatch(
    /^en,Your payment has arrived,Rp.165[.,]000 received\. Your credits are ready to use\.$/,
  )
  app.clock.advance({ days: 28 })
  await app.deps.db.update(sessions).set({ expiresAt: new Date(app.clock.now().getTime() + 86_400_000) })
  await remindOfExpiry(app.deps)
  await remindOfExpiry(app.deps)
  expect((await arrived(device, 5))[4]).toMatchObject({ title: 'Kreditmu segera berakhir', tag: 'credits' })
  expect(await inEnglish(user, device, 'credits_ending')).toEqual([
    'en',
    'Your credits expire soon',
    'Use them within three days, or they expire.',
  ])
})

test('a designer’s result, and a declined request, are announced', async () => {
  const { user, device } = await withDevice()
  const designer = await app.createUser({ role: 'designer' })
  const ask = async () => {
    const asked = await user.request('/api/custom_edits', {
      headers: { 'idempotency-key': crypto.randomUUID() },
      json: { title: 'Foto keluarga', whatsapp: '0812 3456 7890', email: user.email, description: 'Cerahkan' },
    })
    return ((await asked.json()) as { id: string }).id
  }
  const act = (id: string, verb: string, json: object = {}) =>
    designer.request(`/api/admin/custom_edits/${id}/${verb}`, { method: 'POST', json })
  const declined = await ask()
  await act(declined, 'decline', { reason: 'Fotonya terlalu kabur' })
  expect((await arrived(device))[0]).toMatchObject({
    title: 'Ada jawaban dari desainer',
    body: '“Foto keluarga” tidak bisa dikerjakan. Ketuk untuk membaca alasannya.',
  })
  expect(await inEnglish(user, device, 'custom_edit_declined', declined)).toEqual([
    'en',
    'Your designer has answered',
    "“Foto keluarga” can't be done. Tap to read why.",
  ])
  const done = await ask()
  await act(done, 'take')
  await act(done, 'results', { files: [{ upload: (await upload(designer, await makePicture())).id }] })
  await act(done, 'done')
  expect((await arrived(device, 3))[2]).toMatchObject({
    title: 'Hasil dari desainer sudah ada',
    body: '“Foto keluarga” sudah selesai. Ketuk untuk melihatnya.',
  })
  expect(await inEnglish(user, device, 'custom_edit_done', done)).toEqual([
    'en',
    "Your designer's result is here",
    '“Foto keluarga” is done. Tap to see it.',
  ])
})

test('questions and answers inside a request arrive at the other side, without their text', async () => {
  const { user, device } = await withDevice()
  const designer = await app.createUser({ role: 'designer' })
  const desk = await service.register()
  await put(designer, desk.subscription)
  const json = { title: 'Foto wisuda', whatsapp: '0812 3456 7890', email: user.email, description: 'Rapikan' }
  const asked = await user.request('/api/custom_edits', { headers: { 'idempotency-key': crypto.randomUUID() }, json })
  const { id } = (await asked.json()) as { id: string }
  const note = { text: 'Latarnya warna apa?', shared: true }
  await designer.request(`/api/admin/custom_edits/${id}/take`, { method: 'POST', json: {} })
  await designer.request(`/api/admin/custom_edits/${id}/notes`, { json: { ...note, shared: false } })
  expect((await designer.request(`/api/admin/custom_edits/${id}/notes`, { json: note })).status).toBe(204)
  const [question] = await arrived(device)
  expect(question).toMatchObject({ title: 'Desainer bertanya', tag: 'designer' })
  expect(JSON.stringify(question)).not.toContain(note.text)
  expect((await user.request(`/api/custom_edits/${id}/messages`, { json: { text: 'Biru muda' } })).status).toBe(204)
  const [answer] = await arrived(desk)
  expect(answer).toMatchObject({
    title: 'Pelanggan menulis pesan',
    body: 'Ada pesan baru di permintaan “Foto wisuda”.',
  })
  expect(answer?.navigate).toBe(new URL(`/admin/request-custom?id=${id}`, app.config.publicUrl).href)
  expect((await inEnglish(user, device, 'custom_edit_message', id))[1]).toBe('Your designer has a question')
})

describe('no message is sent', () => {
  test('after signing out, not even one that was pending before', async () => {
    const { user, device } = await withDevice()
    expect((await user.request('/api/logout', { method: 'POST' })).status).toBe(204)
    await tell(user)
    await nothingOwed()
    expect(device.received).toEqual([])
    expect(await devicesOf(user)).toEqual([])
  })

  test('of a kind that the user switched off, and other kinds still are', async () => {
    const { user, device } = await withDevice()
    expect((await user.request('/api/user/push', { method: 'PUT', json: { muted: ['credits'] } })).status).toBe(204)
    expect((await settingsOf(user)).muted).toEqual(['credits'])
    await tell(user)
    await submitted(user)
    expect((await arrived(device))[0]?.tag).toBe('results')
    expect(await refusal(await user.request('/api/user/push', { method: 'PUT', json: { muted: ['all'] } }))).toEqual([
      422,
      'form.invalid',
    ])
  })

  test('to a device that was turned off, or that its service no longer knows', async () => {
    const { user, device } = await withDevice()
    service.forget(device)
    await tell(user)
    await nothingOwed()
    expect(await devicesOf(user)).toEqual([])
    const other = await withDevice()
    expect((await other.user.request('/api/user/push/device', { method: 'DELETE' })).status).toBe(204)
    await tell(other.user)
    expect(await owed()).toEqual([])
  })

  test('to the previous user of the phone', async () => {
    const { user, device } = await withDevice()
    const next = await app.createUser()
    await put(next, device.subscription)
    await tell(user)
    await tell(next)
    await arrived(device)
    await nothingOwed()
    expect(device.received).toHaveLength(1)
  })

  test('a day late', async () => {
    const { user, device } = await withDevice()
    await sendPush(app.deps, pushes, await left(user, 25))
    expect(await owed()).toEqual([])
    expect(device.received).toEqual([])
  })
})

test('messages that the push service cannot take now stay pending, and those of a dead process are sent', async () => {
  const { user, device } = await withDevice()
  const pushId = await left(user, 1)
  for (const status of [429, 503]) {
    service.answerNext(status)
    await expect(sendPush(app.deps, pushes, pushId)).rejects.toThrow(String(status))
  }
  app.clock.advance({ minutes: 3 })
  await sweepOutbox(app.deps, pushQueue)
  await arrived(device)
  await nothingOwed()
})

test('a message that a push service refuses for good is dropped, and the device stays', async () => {
  const { user } = await withDevice()
  service.answerNext(413)
  await sendPush(app.deps, pushes, await left(user, 0))
  expect(await owed()).toEqual([])
  expect(await devicesOf(user)).toHaveLength(1)
})

test('only addresses of push services may be registered, because all others are never called', async () => {
  const user = await app.createUser()
  const { keys } = (await service.register()).subscription
  for (const endpoint of [
    'https://example.com/push',
    'http://web.push.apple.com/push',
    'https://web.push.apple.com.example.com/push',
    'https://push.apple.com:8443/push',
    'http://localhost/push',
    'file:///etc/passwd',
    'no address',
  ]) {
    expect(await refusal(await put(user, { endpoint, keys })), endpoint).toEqual([422, 'push.service_unknown'])
  }
  expect((await put(user, { endpoint: 'https://web.push.apple.com/push', keys })).status).toBe(204)
  expect(await devicesOf(user)).toHaveLength(1)
})

describe('keys of a device', () => {
  const devicePoint = async () => Buffer.from((await service.register()).subscription.keys.p256dh, 'base64url')
  const withKeys = (keys: object) => ({ endpoint: 'https://web.push.apple.com/push', keys })
  const text = (bytes: Buffer) => bytes.toString('base64url')
  const bent = (point: Buffer) => {
    const other = Buffer.from(point)
    other.writeUInt8((other.readUInt8(64) + 1) % 256, 64)
    return other
  }

  test('that are not a point of P-256 are refused when it subscribes', async () => {
    const user = await app.createUser()
    const point = await devicePoint()
    const auth = text(Buffer.alloc(16, 7))
    const wrong = {
      'not on the curve': bent(point),
      zeros: Buffer.alloc(65),
      'zeros as a point': Buffer.concat([Buffer.of(4), Buffer.alloc(64)]),
      hybrid: Buffer.concat([Buffer.of(6 + (point.readUInt8(64) % 2)), point.subarray(1)]),
      'larger than the field': Buffer.concat([Buffer.of(4), Buffer.alloc(64, 255)]),
    }
    for (const [name, bytes] of Object.entries(wrong)) {
      const answer = await put(user, withKeys({ p256dh: text(bytes), auth }))
      expect(await refusal(answer), name).toEqual([422, 'push.keys_invalid'])
    }
    for (const keys of [
      { p256dh: text(point.subarray(0, 64)), auth },
      { p256dh: text(Buffer.of(0)), auth },
      { p256dh: text(Buffer.concat([point, Buffer.of(0)])), auth },
      { p256dh: text(Buffer.concat([Buffer.of(2), point.subarray(1, 33)])), auth },
      { p256dh: text(point), auth: text(Buffer.alloc(15)) },
      { p256dh: text(point), auth: text(Buffer.alloc(17)) },
    ]) {
      expect(await refusal(await put(user, withKeys(keys)))).toEqual([422, 'form.invalid'])
    }
    expect(await devicesOf(user)).toEqual([])
    expect((await put(user, withKeys({ p256dh: text(point), auth }))).status).toBe(204)
  })

  test('that were stored by an older version and are unusable drop the device, and the others get the message', async () => {
    const { user, device } = await withDevice()
    const [known] = await devicesOf(user)
    const session = await app.signIn(user.email, user.password)
    const subscribed = await app.request('/api/user/push/device', {
      method: 'PUT',
      token: session,
      json: withKeys({ p256dh: text(await devicePoint()), auth: text(Buffer.alloc(16)) }),
    })
    expect(subscribed.status).toBe(204)
    await app.deps.db
      .update(pushSubscriptions)
      .set({ p256dh: text(bent(await devicePoint())) })
      .where(and(eq(pushSubscriptions.userId, user.id), ne(pushSubscriptions.id, known?.id ?? '')))
    await tell(user)
    await arrived(device)
    await nothingOwed()
    expect(await devicesOf(user)).toEqual([known])
  })
})

test('a device beyond the limit of an account replaces the oldest one', async () => {
  const { user, device } = await withDevice()
  const { db } = app.deps
  const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - minutes * 60_000)
  const others = Array.from({ length: maxDevices }, (_, index) => ({
    id: crypto.randomUUID(),
    userId: user.id,
    sessionId: crypto.randomUUID(),
    createdAt: minutesAgo(index + 1),
    ...device.subscription.keys,
    endpoint: `https://web.push.apple.com/of-many-${index}`,
  }))
  const expiresAt = minutesAgo(-60)
  await db.insert(sessions).values(
    others.map(({ sessionId, userId, createdAt }) => ({
      id: sessionId,
      userId,
      remember: true,
      createdAt,
      expiresAt,
    })),
  )
  await db.insert(pushSubscriptions).values(others)
  await put(user, device.subscription)
  const left = (await devicesOf(user)).map(({ endpoint }) => endpoint)
  const newest = others.slice(0, -1).map(({ endpoint }) => endpoint)
  expect(left.toSorted()).toEqual([device.subscription.endpoint, ...newest].toSorted())
})

describe('attempts', () => {
  /** Two hours ahead, so nothing is due for the app's own sweeper. */
  const later = () => new Date(app.clock.now().getTime() + 2 * 3_600_000)
  beforeEach(() => app.deps.db.delete(pushOutbox))

  const rowOf = async (id: string) => (await app.deps.db.select().from(pushOutbox).where(eq(pushOutbox.id, id)))[0]
  /** Messages whose next attempt was due so many minutes ago. */
  const due = async (user: TestUser, minutes: number, count = 1) => {
    const [{ id: subscriptionId } = { id: '' }] = await devicesOf(user)
    const nextAttemptAt = new Date(later().getTime() - minutes * 60_000)
    const createdAt = new Date(later().getTime() - 3_600_000)
    const rows = Array.from({ length: count }, () => ({
      id: crypto.randomUUID(),
      subscriptionId,
      kind: 'credits_ending' as const,
      createdAt,
      nextAttemptAt,
    }))
    await app.deps.db.insert(pushOutbox).values(rows)
    return rows.map(({ id }) => id)
  }
  /** Sweeps into an idle queue; returns the ids in the order of their priority. */
  const swept = async () => {
    const queued: { id: string; priority: number }[] = []
    const sendAll: JobQueue['sendAll'] = async (_, jobs) => {
      for (const { data, options } of jobs)
        queued.push({ id: (data as { id: string }).id, priority: options?.priority ?? 0 })
      return jobs.length
    }
    await sweepOutbox({ ...app.deps, clock: later, jobs: { ...app.deps.jobs, sendAll } }, pushQueue)
    return queued.toSorted((a, b) => b.priority - a.priority).map(({ id }) => id)
  }

  test('are limited, each later than the one before, and then the message is dropped', async () => {
    const { user, device } = await withDevice()
    const pushId = await left(user, 1)
    service.answerNext(...Array.from({ length: pushQueue.maxAttempts }, () => 503))
    const pauses: number[] = []
    const at = later()
    for (let attempt = 1; attempt <= pushQueue.maxAttempts; attempt++) {
      await expect(sendPush({ ...app.deps, clock: () => at }, pushes, pushId)).rejects.toThrow('503')
      const row = await rowOf(pushId)
      expect(row?.attempts).toBe(attempt)
      pauses.push(((row?.nextAttemptAt.getTime() ?? 0) - at.getTime()) / 1000)
    }
    expect(pauses).toEqual([30, 90, 270, 810, 2430, ...Array(7).fill(7200)])
    await sendPush(app.deps, pushes, pushId)
    const past = new Date(later().getTime() - 1000)
    await app.deps.db.update(pushOutbox).set({ nextAttemptAt: past }).where(eq(pushOutbox.id, pushId))
    expect(await swept()).toEqual([])
    expect(await rowOf(pushId)).toBeUndefined()
    expect(device.received).toEqual([])
  })

  test('end a day after the message was enqueued, however few there were', async () => {
    const { user } = await withDevice()
    const pushId = await left(user, 23)
    expect(await swept()).toEqual([])
    expect(await rowOf(pushId)).toBeUndefined()
  })

  test('of a batch full of failing messages do not delay a good one', async () => {
    const failing = await withDevice()
    const good = await withDevice()
    const bad = await due(failing.user, 30, 500)
    await app.deps.db.update(pushOutbox).set({ attempts: 3 }).where(inArray(pushOutbox.id, bad))
    const [late] = await due(good.user, 20)
    expect((await swept()).toSorted()).toEqual(bad.toSorted())
    // The next sweep continues behind the failed ones.
    expect(await swept()).toEqual([late])
    const [fresh] = await due(good.user, 0)
    const past = new Date(later().getTime() - 600_000)
    await app.deps.db
      .update(pushOutbox)
      .set({ nextAttemptAt: past })
      .where(inArray(pushOutbox.id, bad.slice(0, 9)))
    expect((await swept())[0]).toBe(fresh)
  })
})
