import { createHash, randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { orderStatus } from '#features/billing/rules.ts'
import type { LedgerEntryView, OrderView, PackageList, PaymentMethodView } from '#features/billing/schemas.ts'
import { workBilling } from '#features/billing/server/contributions.ts'
import { remindOfExpiry } from '#features/billing/server/ledger/remind-expiry.ts'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { pollPayments } from '#features/billing/server/payments/poll-payments.ts'
import { reconcileLedger } from '#features/billing/server/reconciliation/reconcile-ledger.ts'
import type { differences } from '#features/billing/server/tables/checks.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { payments } from '#features/billing/server/tables/payments.ts'
import type { ToolPriceView } from '#features/credits/schemas.ts'
import { creditAccounts, creditLots } from '#features/credits/server/table.ts'
import {
  auditedBooks,
  balanceOf,
  createUser,
  lotsOf,
  order,
  orderOf,
  placeOrder,
  voucher,
} from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import type { ToolView } from '#tools/contract/schemas.ts'

let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  expect(await auditedBooks(app)).toEqual([])
  await app.stop()
})

async function newcomer() {
  user = await app.createUser()
  return user
}

async function simulate(placed: OrderView, action: string) {
  const path = new URL(placed.payment?.url as string).pathname
  return await app.request(`${path}/${action}`, { method: 'POST', headers: { accept: 'application/json' } })
}

describe('the price list', () => {
  test('has three packages, in dollars and rupiah, for every visitor', async () => {
    const list = (await (await app.request('/api/packages')).json()) as PackageList
    expect(list).toEqual({
      idrPerUsd: 16_500,
      items: [
        { id: 'starter', name: 'STARTER', cents: 1000, idr: 165_000, credits: 499, days: 30 },
        { id: 'basic', name: 'BASIC', cents: 2500, idr: 412_500, credits: 1499, days: 30 },
        { id: 'premium', name: 'PREMIUM', cents: 5000, idr: 825_000, credits: null, days: 30 },
      ],
      ppnPercent: null,
    })
  })

  test('has the twelve methods in their order, each with its picture, limits and time', async () => {
    const { items } = (await (await app.request('/api/payment_methods')).json()) as { items: PaymentMethodView[] }
    expect(items.map(({ id }) => id).join(' ')).toBe(
      'cimb_niaga bri bni bca bsi mandiri qris dana gopay ovo shopeepay linkaja',
    )
    expect(items.find(({ id }) => id === 'bca')).toEqual({
      id: 'bca',
      name: 'BCA',
      image: '/methods/bca.svg',
      kind: 'bank',
      min: 10_000,
      max: 50_000_000,
      expiresInSeconds: 86_400,
      approvalSeconds: null,
      asksMobileNumber: false,
      driver: 'simulator',
    })
  })

  test('is changed by admins alone, and never for an existing order', async () => {
    await newcomer()
    const placed = (await order(user, { packageId: 'starter', method: 'qris' })).body
    const change = { method: 'PUT', json: { idrPerUsd: 17_001 } }
    expect((await user.request('/api/admin/idr_rate', change)).status).toBe(403)
    expect((await admin.request('/api/admin/idr_rate', change)).status).toBe(200)
    const starter = { name: 'STARTER', cents: 1099, credits: 500, days: 30, position: 1, active: true }
    const list = await admin.request('/api/admin/packages/starter', { method: 'PUT', json: starter })
    // ceil(1099 × 17001 / 100)
    expect(((await list.json()) as PackageList).items[0]).toMatchObject({ idr: 186_841, credits: 500 })
    await admin.request('/api/admin/idr_rate', { method: 'PUT', json: { idrPerUsd: 16_500 } })
    await admin.request('/api/admin/packages/starter', {
      method: 'PUT',
      json: { ...starter, cents: 1000, credits: 499 },
    })
    expect(await orderOf(user, placed.id)).toMatchObject({ totalIdr: 165_000, idrPerUsd: 16_500 })
  })
})

test('a tool’s price is set by admins alone, from the next generation on, and its history is kept', async () => {
  await newcomer()
  const path = '/api/admin/tool_prices/background-removal'
  const set = (unit: unknown, by: TestUser = admin) => by.request(path, { method: 'PUT', json: { unit } })
  expect((await set(7, user)).status).toBe(403)
  for (const wrong of [-1, 1.5, '7', 100_001]) expect((await set(wrong)).status).toBe(422)
  const unknown = await admin.request('/api/admin/tool_prices/nothing', { method: 'PUT', json: { unit: 7 } })
  expect(unknown.status).toBe(404)
  await set(7)
  const { items: tools } = (await (await app.request('/api/tools')).json()) as { items: ToolView[] }
  expect(tools.find(({ id }) => id === 'background-removal')?.credits).toBe(7)
  const answer = (await (await set(5)).json()) as { items: ToolPriceView[] }
  expect(answer.items.find(({ tool }) => tool === 'background-removal')).toMatchObject({
    unit: 5,
    defaultUnit: 5,
    history: [
      { unit: 5, by: admin.id },
      { unit: 7, by: admin.id },
    ],
  })
  expect(await (await admin.request('/api/admin/tool_prices')).json()).toEqual(answer)
})

describe('an order', () => {
  test.each([
    ['starter', 499],
    ['basic', 1499],
  ])('of %s gives %i credits for 30 days once it is paid', async (packageId, amount) => {
    await newcomer()
    const { status, body } = await order(user, { packageId, method: 'bca' })
    expect(status).toBe(201)
    expect(body).toMatchObject({ status: 1, method: 'bca', canCancel: true, receiptNumber: null })
    expect(body.payment).toMatchObject({
      driver: 'simulator',
      status: 'open',
      vaNumber: expect.stringMatching(/^\d{16}$/),
    })
    expect(await (await simulate(body, 'pay')).json()).toMatchObject({ status: 'COMPLETED' })
    const paid = await orderOf(user, body.id)
    expect(paid).toMatchObject({ status: 2, payment: null, canCancel: false, canPayAgain: false })
    expect(paid.history.map(({ from, to, by, reason }) => [from, to, by, reason])).toEqual([
      [null, 1, 'buyer', 'placed'],
      [1, 2, 'gateway', 'paid'],
    ])
    const balance = await balanceOf(user)
    const bought = balance.grants.find(({ source }) => source === 'package')
    expect(bought?.remaining).toBe(amount)
    const days = (Date.parse(bought?.expiresAt as string) - Date.parse(paid.paidAt as string)) / 86_400_000
    expect(days).toBe(30)
  })

  test('of PREMIUM makes credits unlimited for 30 days, and a second one for 60', async () => {
    await newcomer()
    for (const days of [30, 60]) {
      const { body } = await order(user, { packageId: 'premium', method: 'gopay' })
      await simulate(body, 'pay')
      const end = Date.parse((await balanceOf(user)).unlimitedUntil as string)
      expect(Math.round((end - app.clock.now().getTime()) / 86_400_000)).toBe(days)
    }
  })

  test('needs both consents, a key, something to buy and a way to pay', async () => {
    await newcomer()
    const without = async (given: Record<string, unknown>) => (await order(user, given)).body
    const all = { packageId: 'starter', method: 'bri' }
    expect(await without({ ...all, acceptTerms: false })).toMatchObject({
      code: 'form.invalid',
      details: { acceptTerms: 'checkout.mustAccept' },
    })
    expect((await without({ ...all, acceptPrivacy: undefined })).details).toHaveProperty('acceptPrivacy')
    expect(await without({ method: 'bri' })).toMatchObject({ details: { packageId: 'checkout.nothingChosen' } })
    expect(await without({ packageId: 'starter' })).toMatchObject({ details: { method: 'checkout.methodRequired' } })
    expect(await without({ ...all, packageId: 'gold' })).toMatchObject({ code: 'package.unknown' })
    expect(await without({ ...all, method: 'paypal' })).toMatchObject({ code: 'form.invalid' })
    const keyless = await user.request('/api/orders', { json: { ...all, acceptPrivacy: true, acceptTerms: true } })
    expect(await keyless.json()).toMatchObject({ code: 'idempotency.key_missing' })
    expect(((await (await user.request('/api/orders')).json()) as { items: [] }).items).toEqual([])
  })

  test('is created once, however often and concurrently it is sent with the same key', async () => {
    await newcomer()
    const key = randomUUID()
    const code = await voucher(app, { kind: 'percent_off', value: 10 })
    const wish = { packageId: 'starter', method: 'qris', voucherCode: code }
    const responses = await Promise.all(Array.from({ length: 8 }, () => order(user, wish, key)))
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1)
    expect(responses.filter(({ status }) => status === 201).length).toBe(1)
    expect(responses.filter(({ status }) => status === 200).length).toBe(7)
    expect((await order(user, { ...wish, packageId: 'basic' }, key)).body.code).toBe('idempotency.reused')
  })

  test('is not accessible to other users', async () => {
    const owner = await newcomer()
    const { body } = await order(owner, { packageId: 'starter', method: 'qris' })
    const other = await newcomer()
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/cancel'],
      ['GET', '/receipt.pdf'],
    ] as const) {
      expect((await other.request(`/api/orders/${body.id}${path}`, { method })).status).toBe(404)
    }
    expect((await app.request('/api/orders')).status).toBe(401)
    expect((await other.request('/api/orders/nonsense')).status).toBe(404)
  })

  test('that fails can be paid again, by another method too, and one that is cancelled is placed anew', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'starter', method: 'dana' })
    await simulate(body, 'fail')
    const failed = await orderOf(user, body.id)
    expect(failed).toMatchObject({ status: 1, canPayAgain: true, payment: { status: 'failed', url: null } })
    const again = async (json: object) => {
      const headers = { 'idempotency-key': randomUUID() }
      const answer = await user.request(`/api/orders/${body.id}/pay_again`, { headers, json })
      return { status: answer.status, body: (await answer.json()) as OrderView }
    }
    const second = await again({ method: 'ovo' })
    expect(second).toMatchObject({ status: 200, body: { id: body.id, method: 'ovo', payment: { status: 'open' } } })
    // The open session stays.
    expect((await again({})).body.payment?.url).toBe(second.body.payment?.url)
    const cancelled = await user.request(`/api/orders/${body.id}/cancel`, { method: 'POST' })
    expect(await cancelled.json()).toMatchObject({ status: 3, canPayAgain: true })
    expect((await simulate(second.body, 'pay')).status).toBe(409)
    const third = await again({})
    expect(third).toMatchObject({ status: 201, body: { status: 1, method: 'ovo' } })
    expect(third.body.id).not.toBe(body.id)
    await simulate(third.body, 'pay')
    expect((await orderOf(user, third.body.id)).status).toBe(2)
    expect((await orderOf(user, body.id)).status).toBe(3)
  })

  test('expires with its method’s time, and a later payment is honoured', async () => {
    await newcomer()
    const before = (await balanceOf(user)).credits
    const { body } = await order(user, { packageId: 'starter', method: 'linkaja' })
    app.clock.advance({ minutes: 29 })
    await expireOrders(app.deps)
    expect((await orderOf(user, body.id)).status).toBe(1)
    app.clock.advance({ minutes: 2 })
    await expireOrders(app.deps)
    const expired = await orderOf(user, body.id)
    expect(expired).toMatchObject({ status: 3, payment: null })
    expect(expired.history.at(-1)).toMatchObject({ from: 1, to: 3, reason: 'expired' })
    expect((await balanceOf(user)).credits).toBe(before)
    await simulate(body, 'pay_late')
    const late = await orderOf(user, body.id)
    expect(late.history.at(-1)).toMatchObject({ from: 3, to: 2, by: 'gateway', reason: 'paid_late' })
    expect((await balanceOf(user)).credits).toBe(before + 499)
  })

  test('that is paid twice gives its credits once, and the second payment is kept for the admins', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'starter', method: 'qris' })
    await simulate(body, 'pay_twice')
    expect(await lotsOf(app, body.id)).toBe(1)
    const received = await app.deps.db.select().from(payments).where(eq(payments.orderId, body.id))
    expect(new Set(received.map(({ problem }) => problem))).toEqual(new Set([null, 'paid_again']))
    expect(received.length).toBe(2)
    await reconcileLedger({ ...app.deps, log: quiet() })
    const shown = (await (await admin.request('/api/admin/billing_differences')).json()) as {
      items: (typeof differences.$inferSelect)[]
    }
    expect(shown.items).toContainEqual(
      expect.objectContaining({
        what: 'paid_again',
        subjectId: received.find(({ problem }) => problem)?.id,
        expected: `${body.totalIdr} IDR`,
        found: `${body.totalIdr} IDR`,
      }),
    )
    expect((await user.request('/api/admin/billing_differences')).status).toBe(403)

    expect(await orderOf(user, body.id)).toMatchObject({ status: 2, moneyProblem: 'paid_again' })
    const double = received.find(({ problem }) => problem)?.id as string
    const settle = (id: string, by = admin) =>
      by.request(`/api/admin/payments/${id}/settle`, { json: { reason: 'Dikembalikan lewat transfer' } })
    expect((await settle(double, user)).status).toBe(403)
    const right = received.find(({ problem }) => !problem)?.id as string
    expect((await settle(right)).status).toBe(404)
    expect((await settle(double)).status).toBe(204)
    expect((await settle(double)).status).toBe(404)
    app.clock.advance({ seconds: 1 })
    await reconcileLedger({ ...app.deps, log: quiet() })
    const left = (await (await admin.request('/api/admin/billing_differences')).json()) as typeof shown
    expect(left.items.filter(({ subjectId }) => subjectId === double)).toEqual([])
    expect((await orderOf(user, body.id)).moneyProblem).toBeNull()
    const detail = await (await admin.request(`/api/admin/orders/${body.id}`)).json()
    expect(detail).toMatchObject({ payments: [{ settlement: null }, { settlement: 'Dikembalikan lewat transfer' }] })
  })

  test('with a wrong amount stays unpaid', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'basic', method: 'qris' })
    await simulate(body, 'pay_wrong')
    expect(await orderOf(user, body.id)).toMatchObject({ status: 1, moneyProblem: 'wrong_amount' })
    expect(await lotsOf(app, body.id)).toBe(0)
    const path = `/api/admin/orders/${body.id}/confirm`
    expect((await user.request(path, { json: { reason: 'please' } })).status).toBe(403)
    expect((await admin.request(path, { json: { reason: '' } })).status).toBe(422)
    expect((await admin.request(path, { json: { reason: 'sisanya sudah ditransfer' } })).status).toBe(204)
    expect((await admin.request(path, { json: { reason: 'once more' } })).status).toBe(204)
    expect(await orderOf(user, body.id)).toMatchObject({ status: 2, moneyProblem: null })
    expect(await lotsOf(app, body.id)).toBe(1)
    expect((await admin.request(`/api/admin/orders/${body.id}/cancel`, { json: { reason: 'no' } })).status).toBe(409)
  })

  test('is settled by polling the gateway when its webhook was lost', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'starter', method: 'bni' })
    const session = new URL(body.payment?.url as string).pathname.split('/').at(-1)
    const { simulatorSessions } = await import('#features/billing/server/tables/payments.ts')
    await app.deps.db
      .update(simulatorSessions)
      .set({ status: 'COMPLETED', payments: [{ id: randomUUID(), amount: body.totalIdr }] })
      .where(eq(simulatorSessions.id, session as string))
    app.clock.advance({ minutes: 2 })
    await pollPayments(app.deps)
    expect((await orderOf(user, body.id)).status).toBe(2)
  })

  test('lists newest first, page by page', async () => {
    await newcomer()
    const placed: string[] = []
    for (const packageId of ['starter', 'basic', 'premium']) {
      placed.unshift((await order(user, { packageId, method: 'qris' })).body.id)
    }
    const page = async (query: string) =>
      (await (await user.request(`/api/orders${query}`)).json()) as { items: OrderView[]; nextCursor: string | null }
    const first = await page('?limit=2')
    const rest = await page(`?limit=2&cursor=${first.nextCursor}`)
    expect([...first.items, ...rest.items].map(({ id }) => id)).toEqual(placed)
    expect(rest.nextCursor).toBeNull()
  })
})

describe('a voucher', () => {
  const verify = async (code: string, packageId?: string) => {
    const answer = await user.request('/api/vouchers/verify', {
      headers: { 'accept-language': 'en' },
      json: { code, packageId },
    })
    return { status: answer.status, body: await answer.json() }
  }

  test('shows what it changes before anything is bought, whatever its case', async () => {
    await newcomer()
    const percent = await voucher(app, { kind: 'percent_off', value: 33 })
    expect((await verify(` ${percent.toLowerCase()} `, 'starter')).body).toEqual({
      code: percent,
      kind: 'percent_off',
      credits: 0,
      subtotalIdr: 165_000,
      discountIdr: 54_450,
      totalIdr: 110_550,
    })
    const amount = await voucher(app, { kind: 'amount_off', value: 900_000 })
    expect((await verify(amount, 'starter')).body).toMatchObject({ discountIdr: 165_000, totalIdr: 0 })
    const free = await voucher(app, { kind: 'free_credits', value: 50 })
    expect((await verify(free)).body).toMatchObject({ credits: 50, totalIdr: 0 })
  })

  test('that is unknown, inactive, too early, too late or lacks its package is invalid', async () => {
    await newcomer()
    const at = (hours: number) => new Date(app.clock.now().getTime() + hours * 3_600_000)
    const codes = [
      'NOSUCHCODE',
      await voucher(app, { kind: 'free_credits', value: 5, active: false }),
      await voucher(app, { kind: 'free_credits', value: 5, validFrom: at(1) }),
      await voucher(app, { kind: 'free_credits', value: 5, validUntil: at(-1) }),
      await voucher(app, { kind: 'percent_off', value: 5 }),
    ]
    for (const code of codes) {
      expect(await verify(code)).toMatchObject({
        status: 422,
        body: { code: 'voucher.invalid', msg: 'Invalid voucher' },
      })
      expect((await order(user, { voucherCode: code, method: 'qris' })).body.code).toBe('voucher.invalid')
    }
    const json = { code: 'NEVER', kind: 'percent_off', value: 5, validFrom: at(2), validUntil: at(1) }
    expect((await admin.request('/api/admin/vouchers', { json })).status).toBe(422)
  })

  test('that leaves nothing to pay pays at once, with a receipt and without a gateway', async () => {
    await newcomer()
    const code = await voucher(app, { kind: 'percent_off', value: 100 })
    const { status, body } = await order(user, { packageId: 'starter', voucherCode: code })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      status: 2,
      totalIdr: 0,
      method: null,
      receiptNumber: expect.stringMatching(/^R-\d{6}$/),
    })
    expect((await balanceOf(user)).grants.map(({ source }) => source)).toContain('package')
  })

  test('of free credits is redeemed alone or comes on top of a package, and lasts 90 days', async () => {
    await newcomer()
    const code = await voucher(app, { kind: 'free_credits', value: 77, limitPerUser: 2 })
    expect((await order(user, { voucherCode: code })).body).toMatchObject({ status: 2, package: null })
    const { body } = await order(user, { packageId: 'starter', voucherCode: code, method: 'qris' })
    await simulate(body, 'pay')
    const { grants } = await balanceOf(user)
    expect(grants.filter(({ source }) => source === 'voucher').map(({ remaining }) => remaining)).toEqual([77, 77])
    const end = Date.parse(grants.find(({ source }) => source === 'voucher')?.expiresAt as string)
    expect(Math.round((end - app.clock.now().getTime()) / 86_400_000)).toBe(90)
    expect((await order(user, { voucherCode: code })).body.code).toBe('voucher.invalid')
  })

  test('limited to 10 is redeemed exactly 10 times by 100 users at once', async () => {
    const code = await voucher(app, { kind: 'free_credits', value: 3, limitTotal: 10 })
    const people = await Promise.all(Array.from({ length: 100 }, () => createUser(app)))
    const outcomes = await Promise.allSettled(people.map((id) => placeOrder(app, id, { voucherCode: code })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(10)
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'voucher.invalid' })
    }
  })

  test('goes back when its order is cancelled or expires', async () => {
    await newcomer()
    const code = await voucher(app, { kind: 'percent_off', value: 50, limitTotal: 1 })
    const wish = { packageId: 'starter', voucherCode: code, method: 'gopay' }
    const first = (await order(user, wish)).body
    expect((await order(user, wish)).body.code).toBe('voucher.invalid')
    await user.request(`/api/orders/${first.id}/cancel`, { method: 'POST' })
    const second = (await order(user, wish)).body
    expect(second.status).toBe(1)
    app.clock.advance({ minutes: 31 })
    await expireOrders(app.deps)
    const third = (await order(user, wish)).body
    await simulate(third, 'pay')
    expect((await order(user, wish)).body.code).toBe('voucher.invalid')
  })
})

test('free credits are not granted twice when the order that had returned them is paid late', async () => {
  const spare = await voucher(app, { kind: 'free_credits', value: 30 })
  const reused = await voucher(app, { kind: 'free_credits', value: 40 })
  for (const [code, again, gain] of [
    [spare, false, 499 + 30],
    [reused, true, 40 + 499],
  ] as const) {
    await newcomer()
    const before = (await balanceOf(user)).credits
    const { body } = await order(user, { packageId: 'starter', voucherCode: code, method: 'gopay' })
    await user.request(`/api/orders/${body.id}/cancel`, { method: 'POST' })
    if (again) expect((await order(user, { voucherCode: code })).body.status).toBe(2)
    await simulate(body, 'pay_late')
    expect((await orderOf(user, body.id)).status).toBe(2)
    expect((await balanceOf(user)).credits - before).toBe(gain)
    expect((await order(user, { voucherCode: code })).body.code).toBe('voucher.invalid')
  }
  const found = await reconcileLedger({ ...app.deps, log: quiet() })
  expect(found.filter(({ what }) => what === 'order_credits')).toEqual([])
})

describe('a receipt', () => {
  test('is numbered without gaps, also when many pay at once', async () => {
    const people = await Promise.all(Array.from({ length: 20 }, () => createUser(app)))
    const code = await voucher(app, { kind: 'percent_off', value: 100, limitPerUser: null })
    await Promise.all(people.map((id) => placeOrder(app, id, { packageId: 'basic', voucherCode: code })))
    const numbers = (await app.deps.db.select({ receipt: orders.receipt }).from(orders))
      .flatMap(({ receipt }) => (receipt === null ? [] : [receipt]))
      .sort((a, b) => a - b)
    expect(numbers).toEqual(numbers.map((_, index) => index + 1))
  })

  test('is a PDF, comes by mail once, and is not there before the payment', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'starter', method: 'mandiri' })
    const path = `/api/orders/${body.id}/receipt.pdf`
    expect(await (await user.request(path)).json()).toMatchObject({ code: 'order.not_paid' })
    await simulate(body, 'pay')
    await simulate(body, 'pay_twice')
    const answer = await user.request(path)
    expect(answer.headers.get('content-type')).toBe('application/pdf')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment; filename="INV-\d{4}-\d{6}\.pdf"$/)
    const file = Buffer.from(await answer.arrayBuffer())
    expect(file.subarray(0, 5).toString()).toBe('%PDF-')
    const mail = await app.mailTo(user.email, /INV/)
    const { invoiceNumber } = await orderOf(user, body.id)
    expect(mail.subject).toContain(invoiceNumber as string)
    const filename = invoiceNumber?.replaceAll('/', '-')
    expect(mail.attachments?.[0]).toMatchObject({ filename: `${filename}.pdf`, contentType: 'application/pdf' })
    expect(Buffer.from(mail.attachments?.[0]?.content as Uint8Array).equals(file)).toBe(true)
    expect(app.mails.filter(({ to }) => to === user.email).length).toBe(1)
  })
})

describe('the credit history', () => {
  test('shows every entry with its order, page by page', async () => {
    await newcomer()
    const code = await voucher(app, { kind: 'free_credits', value: 9 })
    const { body } = await order(user, { packageId: 'starter', voucherCode: code, method: 'qris' })
    await simulate(body, 'pay')
    const page = async (query: string) =>
      (await (await user.request(`/api/user/ledger${query}`)).json()) as {
        items: LedgerEntryView[]
        nextCursor: string | null
      }
    const first = await page('?limit=2')
    expect(first.items.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['voucher', 9],
      ['purchase', 499],
    ])
    expect(first.items[1]?.order).toMatchObject({ id: body.id, packageName: 'STARTER', voucherCode: code })
    const rest = await page(`?limit=2&cursor=${first.nextCursor}`)
    expect(rest.items.map(({ kind }) => kind)).toEqual(['welcome'])
    expect(rest.nextCursor).toBeNull()
  })
})

describe('reconciliation', () => {
  test('are compared hourly, the gateway’s daily, and what differs is logged and shown to admins until it is gone', async () => {
    const planned: Record<string, number> = {}
    const every = async (name: string, seconds: number) => void Object.assign(planned, { [name]: seconds })
    await workBilling({ ...app.deps, jobs: { ...app.deps.jobs, every } })
    expect(planned).toMatchObject({ 'reconcile-ledger': 3600, 'reconcile-payments': 3600 })

    await newcomer()
    const now = app.clock.now()
    const stray = { id: randomUUID(), userId: user.id, source: 'adjustment', amount: 7, createdAt: now } as const
    await app.deps.db
      .insert(creditLots)
      .values({ ...stray, remaining: 7, expiresAt: new Date(now.getTime() + 86_400_000) })
    app.expectErrors(/reconciliation found differences/)
    await reconcileLedger(app.deps)
    const line = app.logged.at(-1)
    expect(line).toMatchObject({ check: 'books', found: { grant: 1, account: 1 } })
    expect(line?.first).toEqual(expect.arrayContaining([`grant ${stray.id}`, `account ${user.id}`]))
    const shown = async () =>
      ((await (await admin.request('/api/admin/billing_differences')).json()) as { items: { subjectId: string }[] })
        .items
    expect((await shown()).map(({ subjectId }) => subjectId)).toEqual(expect.arrayContaining([stray.id, user.id]))

    await app.deps.db.delete(creditLots).where(eq(creditLots.id, stray.id))
    app.clock.advance({ seconds: 1 })
    await reconcileLedger({ ...app.deps, log: quiet() })
    expect((await shown()).filter(({ subjectId }) => [stray.id, user.id].includes(subjectId))).toEqual([])
  })
})

test('reconciliation reports missing money and credits, and unlimited days that were never bought or granted', async () => {
  const { db } = app.deps
  const found = async () => {
    const all = await reconcileLedger({ ...app.deps, log: quiet() })
    return all.filter(({ id }) => [starter.id, user.id].includes(id)).map(({ what }) => what)
  }
  await newcomer()
  const starter = (await order(user, { packageId: 'starter', method: 'qris' })).body
  const premium = (await order(user, { packageId: 'premium', method: 'qris' })).body
  await simulate(starter, 'pay')
  await simulate(premium, 'pay')
  expect(await found()).toEqual([])

  const mine = eq(payments.orderId, starter.id)
  const [kept] = await db.delete(payments).where(mine).returning()
  expect(await found()).toEqual(['paid_without_payment'])
  await db.insert(payments).values(kept as typeof payments.$inferInsert)
  expect(await found()).toEqual([])

  const [paid] = await db.select().from(orders).where(eq(orders.id, starter.id))
  const { receipt, paidAt, invoiceYear, invoiceNumber } = paid as typeof orders.$inferSelect
  await db
    .update(orders)
    .set({ status: orderStatus.cancelled, receipt: null, paidAt: null, invoiceYear: null, invoiceNumber: null })
    .where(eq(orders.id, starter.id))
  expect((await found()).sort()).toEqual(['order_credits', 'payment_without_effect'])
  await db
    .update(orders)
    .set({ status: orderStatus.paid, receipt, paidAt, invoiceYear, invoiceNumber })
    .where(eq(orders.id, starter.id))

  const account = eq(creditAccounts.userId, user.id)
  const { unlimitedUntil } = await balanceOf(user)
  for (const days of [-1, 1]) {
    const end = new Date(Date.parse(unlimitedUntil as string) + days * 86_400_000)
    await db.update(creditAccounts).set({ unlimitedUntil: end }).where(account)
    expect(await found()).toEqual(['unlimited_days'])
  }
  await db
    .update(creditAccounts)
    .set({ unlimitedUntil: new Date(unlimitedUntil as string) })
    .where(account)
  expect(await found()).toEqual([])
})

test('rates, gifts and dates that no order could hold are refused', async () => {
  const rate = { method: 'PUT', json: { idrPerUsd: 100_001 } }
  expect((await admin.request('/api/admin/idr_rate', rate)).status).toBe(422)
  const gift = { code: 'TOOMUCH', kind: 'free_credits', value: 10 }
  for (const wrong of [{ value: 10_000_001 }, { validUntil: '0000-01-01T00:00:00Z' }]) {
    expect((await admin.request('/api/admin/vouchers', { json: { ...gift, ...wrong } })).status).toBe(422)
  }
})

describe('a reminder', () => {
  test('comes three days before credits end, once', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'starter', method: 'qris' })
    await simulate(body, 'pay')
    await app.mailTo(user.email, /INV/)
    app.clock.advance({ days: 26, hours: 23 })
    await remindOfExpiry(app.deps)
    expect(app.mails.filter(({ to }) => to === user.email).length).toBe(1)
    app.clock.advance({ hours: 2 })
    await remindOfExpiry(app.deps)
    await remindOfExpiry(app.deps)
    await app.mailTo(user.email, /\/pricing$/)
    expect(app.mails.filter(({ to }) => to === user.email).length).toBe(2)
  })
})

describe('the simulator', () => {
  test('has a page that works without scripts and leads back to the result', async () => {
    await newcomer()
    const { body } = await order(user, { packageId: 'starter', method: 'qris' })
    const path = new URL(body.payment?.url as string).pathname
    const html = { accept: 'text/html' }
    const shown = await app.request(path, { headers: html })
    const page = await shown.text()
    expect(page).toContain('Rp 165.000')
    expect(page).toContain(`href="/checkout?order=${body.id}"`)
    const [, style = ''] = /<style>([^<]*)<\/style>/.exec(page) ?? []
    const hash = createHash('sha256').update(style).digest('base64')
    expect(shown.headers.get('content-security-policy')).toContain(`style-src 'sha256-${hash}'`)
    expect(page).not.toContain('<script')
    const answer = await app.request(`${path}/pay`, { method: 'POST', headers: html })
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/payment-success?order=${body.id}`])
    expect((await app.request(`${path}/steal`, { method: 'POST' })).status).toBe(404)
    expect((await app.request(`/api/simulator/${randomUUID()}`)).status).toBe(404)
  })
})

function quiet(): TestApp['deps']['log'] {
  return app.deps.log.child({}, { level: 'silent' })
}
