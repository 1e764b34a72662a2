import { randomUUID } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminOrderView } from '#features/billing/admin/schemas.ts'
import type { OrderView, PaymentMethodView } from '#features/billing/schemas.ts'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { reportTransfer } from '#features/billing/server/payments/buyer-actions.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { storageLimits } from '#features/uploads/rules.ts'
import { contentKey } from '#features/uploads/server/stored-files.ts'
import { storedFiles, uploads } from '#features/uploads/server/table.ts'
import type { AppError } from '#server/http/app-error.ts'
import { readConfig } from '#server-app/config.ts'
import { readApiDocument } from '#tests/support/api-document.ts'
import { balanceOf, lotsOf, order, orderOf } from '#tests/support/checkout.ts'
import { makePicture } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { upload } from '#tests/support/upload.ts'

let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp({
    env: { PAYMENTS: 'manual,simulator', MANUAL_ACCOUNTS: 'bca:123 456 7890:PT Rupa Contoh' },
  })
  user = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

async function report(id: string, bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData()
  form.set('proof', new Blob([bytes]), 'bukti.png')
  const answer = await user.request(`/api/orders/${id}/report_transfer`, { method: 'POST', body: form })
  return { status: answer.status, body: (await answer.json()) as OrderView & { code?: string } }
}

test('a bank whose account is known is paid by transfer, every other method by the next driver', async () => {
  const { items } = (await (await app.request('/api/payment_methods')).json()) as { items: PaymentMethodView[] }
  expect(items.find(({ id }) => id === 'bca')?.driver).toBe('manual')
  expect(items.find(({ id }) => id === 'qris')?.driver).toBe('simulator')
  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  expect(body.payment).toMatchObject({
    url: null,
    account: { bank: 'BCA', number: '123 456 7890', holder: 'PT Rupa Contoh' },
  })
  expect(body.canReportTransfer).toBe(true)
})

test('a transfer is reported with a picture, waits for an admin without expiring, and is then paid', async () => {
  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  const { credits: before } = await balanceOf(user)
  expect((await report(body.id, new Uint8Array([1, 2, 3]))).body.code).toBe('upload.not_image')
  expect((await report(body.id, new Uint8Array(26 * 1024 * 1024))).status).toBe(413)
  const reported = await report(body.id, await makePicture())
  expect(reported.body).toMatchObject({ status: 0, proofSent: true, canCancel: false, canReportTransfer: false })
  expect((await report(body.id, await makePicture())).body.code).toBe('order.not_reportable')
  const [row] = await app.deps.db.select().from(orders).where(eq(orders.id, body.id))
  expect(existsSync(join(app.config.dataDir, 'files', row?.proofKey as string))).toBe(true)
  expect((await user.request(`/api/orders/${body.id}/cancel`, { method: 'POST' })).status).toBe(409)

  const late = { ...app.deps, clock: () => new Date(app.clock.now().getTime() + 3 * 86_400_000) }
  await expireOrders(late)
  expect((await orderOf(user, body.id)).status).toBe(0)
  const path = `/api/admin/orders/${body.id}/confirm`
  const received = { reason: 'uang masuk', receivedIdr: body.totalIdr + 500 }
  expect((await admin.request(path, { json: { ...received, receivedIdr: 0 } })).status).toBe(422)
  expect((await admin.request(path, { json: received })).status).toBe(204)
  expect((await admin.request(path, { json: received })).status).toBe(204)
  const seen = (await (await admin.request(`/api/admin/orders/${body.id}`)).json()) as AdminOrderView
  expect(seen.payments).toMatchObject([{ amount: body.totalIdr + 500, problem: null }])
  expect(seen.history.map(({ actor }) => actor)).toEqual([null, null, admin.name])
  const paid = await orderOf(user, body.id)
  expect(paid.history.map(({ to, by }) => [to, by])).toEqual([
    [1, 'buyer'],
    [0, 'buyer'],
    [2, 'admin'],
  ])
  expect(await lotsOf(app, body.id)).toBe(1)
  expect((await balanceOf(user)).credits).toBe(before + 499)
})

test('an unreported transfer expires, and a rejected one is cancelled', async () => {
  const silent = (await order(user, { packageId: 'starter', method: 'bca' })).body
  const refused = (await order(user, { packageId: 'starter', method: 'bca' })).body
  await report(refused.id, await makePicture())
  const answer = await admin.request(`/api/admin/orders/${refused.id}/cancel`, {
    json: { reason: 'tidak ada uang masuk' },
  })
  expect(answer.status).toBe(204)
  const late = { ...app.deps, clock: () => new Date(app.clock.now().getTime() + 25 * 3_600_000) }
  await expireOrders(late)
  expect((await orderOf(user, silent.id)).status).toBe(3)
  expect((await orderOf(user, refused.id)).history.at(-1)).toMatchObject({ to: 3, reason: 'tidak ada uang masuk' })
  const mail = await app.mailTo(user.email, /Pesananmu tidak bisa kami terima/)
  expect(mail.text).toContain('tidak ada uang masuk')
  expect(mail.text).toContain('support@rupa.test')
  expect(mail.link).toMatch(new RegExp(`/checkout\\?order=${refused.id}$`))
})

test('only admins find the pending transfers, see their proofs and the received sums', async () => {
  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  const other = (await order(user, { packageId: 'starter', method: 'qris' })).body
  const picture = await makePicture('#208040')
  const proof = `/api/admin/orders/${body.id}/proof`
  expect((await admin.request(proof)).status).toBe(404)
  await report(body.id, picture)
  const listed = async (query: string) =>
    (await (await admin.request(`/api/admin/orders${query}`)).json()) as { items: AdminOrderView[]; nextCursor: string }
  expect((await listed('?status=0&driver=manual')).items.map(({ id }) => id)).toEqual([body.id])
  const first = await listed('?limit=1')
  expect(first.items.map(({ id }) => id)).toEqual([other.id])
  expect((await listed(`?limit=1&cursor=${first.nextCursor}`)).items.map(({ id }) => id)).toEqual([body.id])
  expect((await admin.request('/api/admin/orders?status=4')).status).toBe(422)

  const opened = await admin.request(proof)
  expect(new Uint8Array(await opened.arrayBuffer())).toEqual(picture)
  expect(opened.headers.get('content-type')).toBe('image/png')
  expect(opened.headers.get('cache-control')).toBe('private, no-store')
  expect(opened.headers.get('content-security-policy')).toContain('sandbox')
  expect((await user.request(proof)).status).toBe(403)
  expect((await user.request(`/api/orders/${body.id}/proof`)).status).toBe(404)
  expect((await app.request(proof)).status).toBe(401)

  await user.request(`${new URL(other.payment?.url as string).pathname}/pay_wrong`, { method: 'POST' })
  const detail = await admin.request(`/api/admin/orders/${other.id}`)
  expect(await detail.json()).toMatchObject({
    buyer: { email: user.email },
    driver: 'simulator',
    status: 1,
    payments: [{ amount: other.totalIdr - 1000, problem: 'wrong_amount' }],
  })
  expect((await admin.request('/api/admin/orders/nothing')).status).toBe(404)
})

test('a proof keeps its pixels, and loses its location, its author and all texts', async () => {
  const secret = 'Jalan Melati 7'
  const taken = await sharp({ create: { width: 60, height: 40, channels: 3, background: '#208040' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .withExifMerge({
      IFD0: { Artist: secret },
      IFD2: { BodySerialNumber: 'SN-4711' },
      IFD3: { GPSLatitudeRef: 'S', GPSLatitude: '6/1 12/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '106/1 49/1 0/1' },
    })
    .withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><!-- ${secret} --></x:xmpmeta>`)
    .toBuffer()
  const secrets = [secret, 'SN-4711', Buffer.from([6, 0, 0, 0, 1, 0, 0, 0, 12, 0, 0, 0, 1, 0, 0, 0])]
  for (const each of secrets) expect(taken.includes(each)).toBe(true)

  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  expect((await report(body.id, new Uint8Array(taken))).status).toBe(200)
  const [row] = await app.deps.db.select().from(orders).where(eq(orders.id, body.id))
  const stored = Buffer.from(await app.deps.store.get(row?.proofKey as string))
  const shown = await admin.request(`/api/admin/orders/${body.id}/proof`)
  expect(Buffer.from(await shown.arrayBuffer())).toEqual(stored)
  for (const each of secrets) expect(stored.includes(each)).toBe(false)
  const upright = (bytes: Buffer) => sharp(bytes).rotate().raw().toBuffer()
  expect(await upright(stored)).toEqual(await upright(taken))
  // Nothing else that was sent remains.
  const files = globSync(join(app.config.dataDir, 'files', '**', '*'), { withFileTypes: true })
  const contents = files.filter((entry) => entry.isFile()).map((file) => readFileSync(join(file.parentPath, file.name)))
  expect(contents.some((bytes) => bytes.equals(stored))).toBe(true)
  for (const bytes of contents) for (const each of secrets) expect(bytes.includes(each)).toBe(false)
})

test('the OpenAPI document describes the responses about orders, and the operator’s contact', async () => {
  interface Read {
    responses: { 200: { content: Record<string, { schema: { properties: object } }> } }
  }
  const { paths } = await readApiDocument<Read>(app.request)
  const fields = (path: string, type = 'application/json') =>
    Object.keys(paths[path]?.get?.responses[200].content[type]?.schema.properties ?? {}).sort()
  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  expect(fields('/api/orders/{id}')).toEqual(Object.keys(body).sort())
  const detail = (await (await admin.request(`/api/admin/orders/${body.id}`)).json()) as object
  expect(fields('/api/admin/orders/{id}')).toEqual(Object.keys(detail).sort())
  expect(paths['/api/admin/orders/{id}/proof']?.get?.responses[200].content).toHaveProperty('image/*')
  const site = (await (await app.request('/api/site')).json()) as object
  expect(site).toMatchObject({ supportEmail: 'support@rupa.test', welcomeCredits: 25, pseNumber: null })
  expect(fields('/api/site')).toEqual(Object.keys(site).sort())
})

test('a payment configuration that cannot work stops the start with one line', () => {
  const load = (env: Record<string, string>) => () => readConfig({ DATA_DIR: app.config.dataDir, ...env })
  const away = { PUBLIC_URL: 'https://rupa.example' }
  expect(load({ ...away, PAYMENTS: 'simulator' })).toThrow(/ALLOW_SIMULATOR=1/)
  expect(load({ ...away, PAYMENTS: 'simulator', ALLOW_SIMULATOR: '1' })).not.toThrow()
  expect(load(away)().payment.drivers).toEqual([])
  expect(load({})().payment.drivers).toEqual(['simulator'])
  expect(load({ PAYMENTS: 'paypal' })).toThrow(/^PAYMENTS must be/)
  expect(load({ PAYMENTS: 'manual' })).toThrow(/^MANUAL_ACCOUNTS is required/)
  expect(load({ PAYMENTS: 'manual', MANUAL_ACCOUNTS: 'qris:1:x' })).toThrow(/^MANUAL_ACCOUNTS must be/)
  expect(load({ PAYMENTS: 'xendit' })).toThrow(/^XENDIT_SECRET_KEY and XENDIT_CALLBACK_TOKEN/)
  const xendit = { PAYMENTS: 'xendit', XENDIT_SECRET_KEY: 'key', XENDIT_CALLBACK_TOKEN: 'a-token-of-20-letters' }
  expect(load({ ...xendit, XENDIT_CALLBACK_TOKEN: 'short' })).toThrow(/^XENDIT_CALLBACK_TOKEN must/)
  expect(load({ ...xendit, ...away, XENDIT_BASE_URL: 'http://gateway.example' })).toThrow(/^XENDIT_BASE_URL/)
  expect(load(xendit)().payment.xendit?.baseUrl.href).toBe('https://api.xendit.co/')
  expect(load({ IDR_PER_USD: '0' })).toThrow(/^IDR_PER_USD/)
})

test('proofs of transfers count towards the buyer’s storage, also when many arrive at once', async () => {
  const buyer = await app.createUser()
  const placed = await Promise.all(
    ['starter', 'basic', 'premium'].map((packageId) => order(buyer, { packageId, method: 'bca' })),
  )
  const { id: userId } = buyer
  const { id, bytes } = await upload(buyer, await makePicture())
  const now = app.clock.now()
  // Leaves room for only one more picture.
  await app.deps.db.insert(uploads).values({
    id: randomUUID(),
    userId,
    name: '',
    bytes: storageLimits.bytes - 2 * bytes,
    usedAt: now,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 3_600_000),
  })
  const proof = { storageKey: contentKey(id), contentType: 'image/png', bytes }
  const reports = placed.map(({ body }) => reportTransfer(app.deps, userId, { id: body.id, proof }))
  const outcomes = (await Promise.allSettled(reports)).map((outcome) =>
    outcome.status === 'rejected' ? (outcome.reason as AppError).code : 'reported',
  )
  expect(outcomes.toSorted()).toEqual(['reported', 'upload.no_space', 'upload.no_space'])
  const kept = await app.deps.db.select().from(storedFiles).where(eq(storedFiles.userId, userId))
  expect(kept.map((file) => file.bytes)).toEqual([bytes])
  expect(globSync(placed.map(({ body }) => join(app.config.dataDir, 'files/proofs', body.id, '*')))).toHaveLength(1)
})
