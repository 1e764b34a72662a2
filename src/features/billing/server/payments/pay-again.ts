import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import type { MethodId } from '../../methods.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { createOrder } from '../orders/create-order.ts'
import { holdOrder } from '../orders/order-record.ts'
import { closeMarkedSessions } from './close-session.ts'
import { followOpenSessions } from './follow-attempt.ts'
import { renewAttempt } from './next-attempt.ts'
import { startPayment } from './start-payment.ts'

/**
 * Reads the gateway first, because the buyer may have paid already. An unpaid order keeps its open
 * session, or gets another one once that is closed; a cancelled order is placed anew at current
 * prices. Returns the order to pay, or the order that turned out to be paid.
 */
export async function payAgain(
  deps: BillingDeps,
  userId: string,
  key: string,
  { id, method, mobileNumber }: { id: string; method: MethodId | null; mobileNumber: string | null },
): Promise<{ id: string; created: boolean }> {
  // Checks the ownership before the gateway is called.
  await transact(deps.db, (tx) => holdOrder(tx, id, userId))
  const paid = await followOpenSessions(deps, id)
  if (paid) return { id, created: false }
  const order = await transact(deps.db, async (tx) => {
    const held = await holdOrder(tx, id, userId)
    if (held.status === orderStatus.unpaid) await renewAttempt(tx, deps, held, { method, mobileNumber })
    return await holdOrder(tx, id, userId)
  })
  if (order.status === orderStatus.cancelled) {
    if (!(await closeMarkedSessions(deps, id))) throw appError('payment.failed')
    return await createOrder(deps, userId, key, {
      packageId: order.packageId,
      voucherCode: order.voucherCode,
      method: method ?? order.method,
      mobileNumber: mobileNumber ?? order.mobileNumber,
      acceptedAt: order.acceptedAt,
      invoiceBuyer: order.invoiceBuyer,
    })
  }
  if (order.status !== orderStatus.unpaid) throw appError('order.not_payable')
  await startPayment(deps, id)
  return { id, created: false }
}
