import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LedgerEntryView } from '#features/billing/schemas.ts'
import { credits } from '#features/credits/server/credits.ts'
import { generations } from '#features/generations/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Notification } from '#server/notify.ts'
import { auditedBooks, balanceOf, order, voucher } from '#tests/support/checkout.ts'
import { readGeneration } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let user: TestUser
let admin: TestUser
const price = 5

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  expect(await auditedBooks(app)).toEqual([])
  await app.stop()
})

async function result(status: 'succeeded' | 'failed' = 'succeeded'): Promise<string> {
  const id = randomUUID()
  const now = app.clock.now()
  const tool = 'background-removal'
  await transact(app.deps.db, async (tx) => {
    const order = { userId: user.id, generationId: id, tool, unit: price, credits: price, now }
    const paid = await credits.charge(tx, order)
    await tx.insert(generations).values({
      id,
      userId: user.id,
      tool,
      params: {},
      status,
      credits: paid.credits,
      idempotencyKey: id,
      contentHash: '',
      createdAt: now,
      finishedAt: now,
      expiresAt: new Date(now.getTime() + 30 * 86_400_000),
    })
    if (status === 'failed') await credits.refund(tx, { userId: user.id, generationId: id, now })
  })
  return id
}

async function requestRefund(id: string, reason = 'Tepinya terpotong') {
  const answer = await user.request(`/api/generations/${id}/claim`, { json: { reason } })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

test('a reported result is refunded at once, once', async () => {
  user = await app.createUser()
  const { credits: before } = await balanceOf(user)
  const id = await result()
  expect((await balanceOf(user)).credits).toBe(before - price)
  const responses = await Promise.all([requestRefund(id), requestRefund(id), requestRefund(id)])
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 409, 409])
  expect(responses.find(({ status }) => status === 201)?.body).toEqual({
    status: 'refunded',
    refunded: price,
    balance: before,
  })
  expect((await requestRefund(id)).body.code).toBe('claim.already_made')
  expect((await balanceOf(user)).credits).toBe(before)
  expect((await readGeneration(user, id)).refundRequest).toEqual({ status: 'refunded', refunded: price })
  const { items } = (await (await user.request('/api/user/ledger')).json()) as { items: LedgerEntryView[] }
  expect(items.slice(0, 2).map(({ kind, amount, generation }) => [kind, amount, generation?.id])).toEqual([
    ['refund', price, id],
    ['generation', -price, id],
  ])
})

test('a refund request requires a reason, an own finished result, and arrives within a day of it', async () => {
  user = await app.createUser()
  const id = await result()
  expect((await requestRefund(id, '  ')).status).toBe(422)
  expect((await requestRefund(randomUUID())).status).toBe(404)
  expect((await requestRefund(await result('failed'))).body.code).toBe('claim.not_possible')
  const owner = user
  user = await app.createUser()
  expect((await requestRefund(id)).status).toBe(404)
  user = owner
  app.clock.advance({ hours: 24, minutes: 1 })
  user.request = async (path, init) =>
    app.request(path, { token: await app.signIn(owner.email, owner.password), ...init })
  expect((await requestRefund(id)).body.code).toBe('claim.too_late')
})

test('the fourth refund request in 30 days waits for an admin, also when all are sent at once', async () => {
  user = await app.createUser()
  const code = await voucher(app, { kind: 'free_credits', value: 100 })
  await order(user, { voucherCode: code })
  const ids = await Promise.all(Array.from({ length: 6 }, () => result()))
  const responses = await Promise.all(ids.map((id) => requestRefund(id)))
  expect(responses.filter(({ body }) => body.status === 'refunded').length).toBe(3)
  const waiting = ids.filter((_, index) => responses[index]?.body.status === 'waiting')
  expect(waiting.length).toBe(3)
  const { credits: before } = await balanceOf(user)

  const token = await app.signIn(admin.email, admin.password)
  const decide = async (id: string, accept: boolean, by = token) =>
    (await app.request(`/api/admin/claims/${id}`, { token: by, json: { accept, reason: 'Sudah dilihat' } })).status
  const listed = (await (await app.request('/api/admin/claims', { token })).json()) as {
    items: { id: string }[]
  }
  expect(new Set(listed.items.map(({ id }) => id))).toEqual(new Set(waiting))
  const [accepted, declined, open] = waiting as [string, string, string]
  const notified: Notification[] = []
  const stop = app.deps.notifier.subscribe((notification) => notified.push(notification))
  expect(await decide(accepted, true, user.token)).toBe(403)
  expect(await decide(accepted, true)).toBe(204)
  expect(await decide(accepted, true)).toBe(404)
  expect(await decide(declined, false)).toBe(204)
  expect(await decide(declined, false)).toBe(404)
  expect((await balanceOf(user)).credits).toBe(before + price)
  const requests = await Promise.all(
    [accepted, declined, open].map(async (one) => (await readGeneration(user, one)).refundRequest),
  )
  expect(requests).toEqual([
    { status: 'refunded', refunded: price },
    { status: 'declined', refunded: 0 },
    { status: 'waiting', refunded: 0 },
  ])
  const changed = () => notified.flatMap((one) => (one.kind === 'generation' ? [one.generationId] : []))
  await vi.waitFor(() => expect(changed()).toEqual([accepted, declined]), 120_000)
  stop()

  const mail = await app.mailTo(user.email, /hasil yang kamu laporkan/)
  expect(mail.text).toContain('Sudah dilihat')
  await app.mailTo(user.email, /Kreditmu sudah kembali/)
  const declinedOnes = await app.request('/api/admin/claims?status=declined', { token })
  expect(await declinedOnes.json()).toMatchObject({
    items: [{ id: declined, answer: 'Sudah dilihat', files: [] }],
  })
  expect(await decide(declined, true)).toBe(204)
  expect((await balanceOf(user)).credits).toBe(before + 2 * price)
  const reasons = await app.deps.db.select().from(auditLog).where(eq(auditLog.subjectId, declined))
  expect(reasons.map(({ action, reason }) => [action, reason])).toEqual([
    ['claim.declined', 'Sudah dilihat'],
    ['claim.accepted', 'Sudah dilihat'],
  ])
})
