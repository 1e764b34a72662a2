import { and, asc, eq, isNull, notExists } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { credits } from '#features/credits/server/credits.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { addTime } from '#shared/time.ts'
import type { refundOrderInput } from '../../admin/schemas.ts'
import { includedPpn, orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { orders } from '../tables/orders.ts'
import { orderRefunds, payments } from '../tables/payments.ts'
import { type HeldOrder, holdOrder } from './order-record.ts'
import { reservedIdr, summarizePayments } from './payment-summary.ts'

interface Refund {
  orderId: string
  adminId: string
  /** Idempotency key: repeating it returns the same refund. */
  key: string
}
type RefundInput = Omit<typeof refundOrderInput.infer, 'via' | 'reference'> & { reference: string }

interface RefundedOrder {
  id: string
  amountIdr: number
  /** Credits taken back. */
  credits: number
}

/**
 * Records money that an admin has sent back, and mails the buyer. The order stays paid and keeps
 * its receipt; unspent credits are taken back in proportion, and with the last rupiah the days of
 * an unlimited package end. Throws `order.not_paid`, and `form.invalid` for more than the received
 * money that remains.
 */
export async function refundOrder(deps: BillingDeps, request: Refund, input: RefundInput): Promise<RefundedOrder> {
  const { id, amountIdr, credits } = await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, request.orderId)
    await requireAuthorityOver(tx, request.adminId, order.userId)
    const known = await findRefund(tx, request, input)
    return known ?? (await sendBack(tx, order, request, input, deps.clock()))
  })
  return { id, amountIdr, credits }
}

async function findRefund(tx: Transaction, { orderId, key }: Refund, { amountIdr, reference }: RefundInput) {
  const [known] = await tx
    .select()
    .from(orderRefunds)
    .where(and(eq(orderRefunds.orderId, orderId), eq(orderRefunds.idempotencyKey, key)))
  if (known && (known.amountIdr !== amountIdr || known.reference !== reference)) throw appError('idempotency.reused')
  return known
}

/** Money that has left, by a bank or a gateway. */
export async function sendBack(
  tx: Transaction,
  order: HeldOrder,
  { adminId, key }: Refund,
  { amountIdr, reference, reason, takeCredits }: RefundInput,
  now: Date,
) {
  if (order.status !== orderStatus.paid) throw appError('order.not_paid')
  const { id: orderId, userId } = order
  const [received, sentBack] = [
    await tx.select().from(payments).where(eq(payments.orderId, orderId)),
    await tx.select().from(orderRefunds).where(eq(orderRefunds.orderId, orderId)),
  ]
  const money = summarizePayments(order, received, sentBack)
  if (amountIdr > money.left - (await reservedIdr(tx, orderId)))
    throw appError('form.invalid', { details: { amountIdr: 'form.invalid' } })
  const whole = amountIdr === money.left
  const sentIdr = sentBack.reduce((sum, refund) => sum + refund.amountIdr, 0)
  const id = uuid()
  const given = (order.packageCredits ?? 0) + order.voucherCredits
  const share = whole ? given - money.taken : Math.floor((given * amountIdr) / money.received)
  const taken =
    takeCredits && share > 0
      ? await credits.takeBackCredits(tx, {
          given: [`purchase:${orderId}`, `voucher:${orderId}`],
          userId,
          amount: share,
          uniqueKey: `order_refund:${id}`,
          subjectId: orderId,
          note: reason,
          now,
        })
      : 0
  const endsUnlimited = whole && takeCredits && order.packageId !== null && order.packageCredits === null
  const [refund] = await tx
    .insert(orderRefunds)
    .values({
      id,
      orderId,
      idempotencyKey: key,
      amountIdr,
      ppnIdr: ppnUpTo(order, sentIdr + amountIdr) - ppnUpTo(order, sentIdr),
      credits: taken,
      endsUnlimited,
      reference,
      reason,
      createdAt: now,
      createdBy: adminId,
    })
    .returning()
  if (!refund) throw new Error('a refund was not written')
  if (endsUnlimited) await credits.resetUnlimited(tx, { userId, until: await unlimitedWithout(tx, userId), now })
  const after = { amountIdr, credits: taken, reference, leftIdr: money.left - amountIdr }
  const subject = { kind: 'order', id: orderId }
  await audit(tx, {
    actor: adminId,
    action: 'order.refunded',
    subject,
    before: { leftIdr: money.left },
    after,
    reason,
    now,
  })
  await enqueueMail(tx, { template: 'order_refunded', userId, subjectId: id, now })
  return refund
}

/**
 * PPN in the first rupiah sent back: several refunds add up to the order's PPN. Money above the
 * total was never taxed.
 */
function ppnUpTo({ totalIdr, ppnPercent }: HeldOrder, sentIdr: number): number {
  return includedPpn(Math.min(sentIdr, totalIdr), ppnPercent)
}

/** Adds up the packages that were not refunded, one after the other. */
async function unlimitedWithout(tx: Transaction, userId: string): Promise<Date | null> {
  const ended = tx
    .select({ id: orderRefunds.id })
    .from(orderRefunds)
    .where(and(eq(orderRefunds.orderId, orders.id), eq(orderRefunds.endsUnlimited, true)))
  const bought = await tx
    .select({ paidAt: orders.paidAt, days: orders.packageDays })
    .from(orders)
    .where(
      and(
        ...[eq(orders.userId, userId), eq(orders.status, orderStatus.paid), isNull(orders.packageCredits)],
        notExists(ended),
      ),
    )
    .orderBy(asc(orders.paidAt), asc(orders.receipt))
  return bought.reduce<Date | null>((until, { paidAt, days }) => {
    if (!paidAt || days === null) return until
    return addTime(until && until > paidAt ? until : paidAt, { days })
  }, null)
}
