import { createHash, randomInt } from 'node:crypto'
import { and, between, desc, eq, gt, isNull, notExists } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { requireAllowedAge } from '#server/auth/age.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { advisoryLock, isUniqueViolation, transact } from '#server/db/transact.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import { type MethodId, paymentMethods } from '../../payment-methods.ts'
import { type DriverId, type InvoiceBuyer, includedPpn, maxOpenOrders, orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { minSecondsToPay, renewAttempt, resolvePaymentMethod, startPayment } from '../payments/start-payment.ts'
import { currentRate, findPackage, type Package } from '../prices/packages.ts'
import { isOpen, orders, voucherRedemptions } from '../tables/orders.ts'
import { paymentAttempts, payments } from '../tables/payments.ts'
import { changeVoucherUses, holdVoucher, normalizeCode } from '../vouchers/vouchers.ts'
import { type HeldOrder, writeHistory } from './order-record.ts'
import { discountFor, idrFor } from './price.ts'
import { settleOrder } from './settle-order.ts'

const maxDigits = 999

/**
 * Rupiah to deduct so that no other open order has the same total and the bank statement identifies
 * the order. 0 if the price is too small, or all amounts are taken.
 */
async function uniqueTransferDigits(tx: Transaction, priceIdr: number): Promise<number> {
  if (priceIdr <= 10 * maxDigits) return 0
  await advisoryLock(tx, 'transfer-digits')
  const open = await tx
    .select({ idr: orders.totalIdr })
    .from(orders)
    .where(and(isOpen(orders), eq(orders.driver, 'manual'), between(orders.totalIdr, priceIdr - maxDigits, priceIdr)))
  const taken = new Set(open.map(({ idr }) => priceIdr - idr))
  const free = Array.from({ length: maxDigits }, (_, index) => index + 1).filter((digits) => !taken.has(digits))
  return free.length > 0 ? (free[randomInt(free.length)] ?? 0) : 0
}

export interface OrderRequest {
  packageId: string | null
  voucherCode: string | null
  method: MethodId | null
  /** As `+62…`. */
  mobileNumber: string | null
  /** Time at which the buyer accepted the privacy policy and the terms. */
  acceptedAt: Date
  invoiceBuyer?: InvoiceBuyer | null
}

interface Placed {
  id: string
  created: boolean
}

/**
 * Freezes all terms in the order and opens its payment; an order without an amount to pay is paid
 * at once. An unpaid order for the same package and terms is reused, with the requested method.
 * Repeating the idempotency key returns the same order and completes steps that a crash or an
 * unresponsive gateway left undone. Throws `payment.failed` if the gateway could not be reached:
 * the order then stays.
 */
export async function createOrder(
  deps: BillingDeps,
  userId: string,
  key: string,
  request: OrderRequest,
): Promise<{ id: string; created: boolean }> {
  const { id, created } = await placeOrderOnce(deps, userId, key, request)
  await startPayment(deps, id)
  return { id, created }
}

async function placeOrderOnce(deps: BillingDeps, userId: string, key: string, request: OrderRequest): Promise<Placed> {
  const contentHash = hashOf(request)
  const known = async (): Promise<Placed | undefined> => {
    const [order] = await deps.db
      .select({ id: orders.id, contentHash: orders.contentHash })
      .from(orders)
      .where(and(eq(orders.userId, userId), eq(orders.idempotencyKey, key)))
    if (!order) return undefined
    if (order.contentHash !== contentHash) throw appError('idempotency.reused')
    return { id: order.id, created: false }
  }
  const before = await known()
  if (before) return before
  // An order that is placed can still be paid.
  await requireAllowedAge(deps.db, deps.config, { userId, now: deps.clock() })
  try {
    return await transact(deps.db, (tx) => placeOrder(tx, deps, userId, key, contentHash, request))
  } catch (error) {
    // A concurrent request with the same key may have taken the voucher or the last open order.
    const twin = isUniqueViolation(error, 'one_order_per_key') || lostRaceToDuplicate(error) ? await known() : undefined
    if (twin) return twin
    throw error
  }
}

async function placeOrder(
  tx: Transaction,
  deps: BillingDeps,
  userId: string,
  key: string,
  contentHash: string,
  request: OrderRequest,
): Promise<Placed> {
  const now = deps.clock()
  const { packageId, voucherCode } = request
  if (packageId === null && voucherCode === null)
    throw appError('form.invalid', { details: { packageId: 'checkout.nothingChosen' } })
  const bought = packageId === null ? undefined : await findPackage(tx, packageId)
  if (packageId !== null && !bought) throw appError('package.unknown')
  const voucher =
    voucherCode === null
      ? null
      : await holdVoucher(tx, { code: voucherCode, userId, withPackage: bought !== undefined, now })
  const idrPerUsd = await currentRate(tx, deps.config)
  const subtotalIdr = bought ? idrFor(bought.cents, idrPerUsd) : 0
  const priceIdr = subtotalIdr - discountFor(voucher, subtotalIdr)
  const way = priceIdr > 0 ? resolvePaymentMethod(deps, request.method, priceIdr) : null
  if (way) {
    await lockBuyer(tx, userId)
    const { ppnPercent } = deps.config.payment
    const agreed = { userId, bought, idrPerUsd, priceIdr, ppnPercent, ...way, now }
    const same = voucher ? undefined : await findSameUnpaid(tx, agreed)
    if (same) {
      await renewAttempt(tx, deps, same, { method: way.method, mobileNumber: request.mobileNumber })
      return { id: same.id, created: false }
    }
    await limitOpenOrders(tx, userId)
  }
  const transferDigits = way?.driver === 'manual' ? await uniqueTransferDigits(tx, priceIdr) : 0
  const totalIdr = priceIdr - transferDigits
  const expiresAt = way && addTime(now, { seconds: paymentMethods[way.method].expiresInSeconds })

  const id = uuid()
  const [order] = await tx
    .insert(orders)
    .values({
      id,
      userId,
      status: orderStatus.unpaid,
      packageId: bought?.id ?? null,
      packageName: bought?.name ?? null,
      packageCents: bought?.cents ?? 0,
      packageCredits: bought?.credits ?? null,
      packageDays: bought?.days ?? null,
      voucherId: voucher?.id ?? null,
      voucherCode: voucher?.code ?? null,
      voucherKind: voucher?.kind ?? null,
      voucherCredits: voucher?.kind === 'free_credits' ? voucher.value : 0,
      voucherDays: voucher?.days ?? null,
      idrPerUsd,
      subtotalIdr,
      discountIdr: subtotalIdr - totalIdr,
      transferDigits,
      totalIdr,
      ppnPercent: deps.config.payment.ppnPercent,
      ppnIdr: includedPpn(totalIdr, deps.config.payment.ppnPercent),
      invoiceBuyer: request.invoiceBuyer ?? null,
      method: way?.method ?? null,
      driver: way?.driver ?? null,
      idempotencyKey: key,
      contentHash,
      acceptedAt: request.acceptedAt,
      mobileNumber: request.mobileNumber,
      createdAt: now,
      expiresAt,
    })
    .returning()
  if (!order) throw new Error('an order was not written')
  await writeHistory(tx, order, null, orderStatus.unpaid, { by: 'buyer', actorId: userId, reason: 'placed', now })
  if (voucher) {
    await tx.insert(voucherRedemptions).values({ orderId: id, voucherId: voucher.id, userId, createdAt: now })
    await changeVoucherUses(tx, voucher.id, 1)
  }
  if (!way || !expiresAt) {
    await settleOrder(tx, deps, { ...order, held: true }, { by: 'system', reason: 'nothing_to_pay', now })
    return { id, created: true }
  }
  await tx.insert(paymentAttempts).values({
    id: uuid(),
    orderId: id,
    driver: way.driver,
    method: way.method,
    amountIdr: totalIdr,
    status: 'creating',
    createdAt: now,
    expiresAt,
  })
  return { id, created: true }
}

/** Serializes the creation of unpaid orders per user. */
async function lockBuyer(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
}

/**
 * To be paid instead of a new order. Excludes orders for which a manual transfer may be under way
 * by another method, and orders shortly before their expiry.
 */
async function findSameUnpaid(
  tx: Transaction,
  {
    userId,
    bought,
    idrPerUsd,
    priceIdr,
    ppnPercent,
    method,
    driver,
    now,
  }: {
    userId: string
    bought: Package | undefined
    idrPerUsd: number
    priceIdr: number
    ppnPercent: number | null
    method: MethodId
    driver: DriverId
    now: Date
  },
): Promise<HeldOrder | undefined> {
  if (!bought) return undefined
  const [order] = await tx
    .select()
    .from(orders)
    .where(
      and(
        eq(orders.userId, userId),
        eq(orders.status, orderStatus.unpaid),
        eq(orders.packageId, bought.id),
        eq(orders.packageName, bought.name),
        bought.credits === null ? isNull(orders.packageCredits) : eq(orders.packageCredits, bought.credits),
        eq(orders.packageDays, bought.days),
        isNull(orders.voucherId),
        eq(orders.idrPerUsd, idrPerUsd),
        // Without a voucher the discount consists only of the digits that mark a transfer.
        eq(orders.subtotalIdr, priceIdr),
        ppnPercent === null ? isNull(orders.ppnPercent) : eq(orders.ppnPercent, ppnPercent),
        eq(orders.driver, driver),
        driver === 'manual' ? eq(orders.method, method) : undefined,
        // An order with a mismatched payment is under review.
        notExists(tx.select().from(payments).where(eq(payments.orderId, orders.id))),
        gt(orders.expiresAt, addTime(now, { seconds: minSecondsToPay })),
      ),
    )
    .orderBy(desc(orders.id))
    .limit(1)
    .for('update')
  return order && { ...order, held: true }
}

/** Open orders hold vouchers and cause calls to the gateway; lockBuyer serializes the count. */
async function limitOpenOrders(tx: Transaction, userId: string): Promise<void> {
  // Same condition as the partial index.
  const open = await tx.$count(orders, and(eq(orders.userId, userId), isOpen(orders)))
  if (open >= maxOpenOrders) throw appError('order.too_many_open')
}

function hashOf({ packageId, voucherCode, method }: OrderRequest): string {
  const content = [packageId, voucherCode === null ? null : normalizeCode(voucherCode), method]
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url')
}

function lostRaceToDuplicate(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'voucher.invalid' || error.code === 'order.too_many_open')
}
