import { randomUUID } from 'node:crypto'
import { count, eq } from 'drizzle-orm'
import type { OrderView } from '#features/billing/schemas.ts'
import { createOrder, type OrderRequest } from '#features/billing/server/orders/create-order.ts'
import { readOrder } from '#features/billing/server/orders/view-order.ts'
import { createVoucher } from '#features/billing/server/vouchers/admin-vouchers.ts'
import type { CreditBalance } from '#features/credits/schemas.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { users } from '#server/auth/table.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { TestApp, TestUser } from './test-app.ts'

type VoucherRequest = Parameters<typeof createVoucher>[2]

export async function order(
  user: TestUser,
  given: { packageId?: string; voucherCode?: string; method?: string } & Record<string, unknown>,
  key: string = randomUUID(),
): Promise<{ status: number; body: OrderView & { code?: string; msg?: string; details?: Record<string, string> } }> {
  const answer = await user.request('/api/orders', {
    headers: { 'idempotency-key': key },
    json: { acceptPrivacy: true, acceptTerms: true, ...given },
  })
  return { status: answer.status, body: (await answer.json()) as never }
}

export async function orderOf(user: TestUser, id: string): Promise<OrderView> {
  return (await (await user.request(`/api/orders/${id}`)).json()) as OrderView
}

export async function balanceOf(user: TestUser): Promise<CreditBalance> {
  return (await (await user.request('/api/user/myCredit')).json()) as CreditBalance
}

export async function lotsOf(app: TestApp, orderId: string): Promise<number> {
  const [row] = await app.deps.db.select({ n: count() }).from(ledgerEntries).where(eq(ledgerEntries.subjectId, orderId))
  return row?.n ?? 0
}

export async function voucher(app: TestApp, given: Partial<VoucherRequest> & Pick<VoucherRequest, 'kind' | 'value'>) {
  const code = `V${randomUUID().slice(0, 8)}`.toUpperCase()
  await createVoucher(app.deps, null, { code, days: 90, active: true, ...given })
  return code
}

/** Cannot sign in; for tests that need many users. */
export async function createUser(app: TestApp): Promise<string> {
  const id = randomUUID()
  const createdAt = app.clock.now()
  await app.deps.db.insert(users).values({ id, name: 'Budi', email: `${id}@contoh.id`, birthYear: 1990, createdAt })
  return id
}

/** Bypasses the web's rate limit. */
export async function placeOrder(
  app: TestApp,
  userId: string,
  given: Partial<OrderRequest>,
  key: string = randomUUID(),
): Promise<OrderView> {
  const nothing = { packageId: null, voucherCode: null, method: null, mobileNumber: null }
  const request = { ...nothing, acceptedAt: app.clock.now(), ...given }
  const { id } = await createOrder(app.deps, userId, key, request)
  return await readOrder(app.deps, userId, id)
}

export async function auditedBooks(app: TestApp) {
  return await findLedgerProblems(app.deps.db)
}
