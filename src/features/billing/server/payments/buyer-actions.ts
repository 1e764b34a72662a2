import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { type StoredInput, uploads } from '#features/uploads/server/uploads.ts'
import { holdAccount } from '#server/auth/accounts.ts'
import { isDatabaseOutage } from '#server/db/errors.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { MethodId } from '../../payment-methods.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { createOrder } from '../orders/create-order.ts'
import { holdOrder, markAwaitingConfirmation } from '../orders/order-record.ts'
import { orders } from '../tables/orders.ts'
import { closeMarkedSessions } from './close-session.ts'
import { followOpenSessions } from './follow-attempt.ts'
import { renewAttempt, startPayment } from './start-payment.ts'

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

/** The order then waits for an admin's review. */
export async function reportTransfer(
  deps: BillingDeps & Pick<Deps, 'spentCredits'>,
  userId: string,
  { id, proof }: { id: string; proof: Pick<StoredInput, 'storageKey' | 'contentType' | 'bytes'> },
): Promise<void> {
  const { contentType, bytes } = proof
  const key = `proofs/${id}/${uuid()}`
  const reportable = (order: { status: number; driver: string | null }) =>
    order.status === orderStatus.unpaid && order.driver === 'manual'
  await transact(deps.db, async (tx) => {
    if (!reportable(await holdOrder(tx, id, userId))) throw appError('order.not_reportable')
  })
  const files = [{ storageKey: key, bytes }]
  await uploads.announceFiles(deps.db, { files, now: deps.clock() })
  await deps.store.copy(proof.storageKey, key)
  try {
    await transact(deps.db, async (tx) => {
      const order = await holdOrder(tx, id, userId)
      if (!reportable(order)) throw appError('order.not_reportable')
      await holdAccount(tx, userId)
      await uploads.requireSpace(deps, tx, { userId, bytes, now: deps.clock() })
      await uploads.keepFiles(tx, { userId, files, now: deps.clock() })
      await tx.update(orders).set({ proofKey: key, proofType: contentType }).where(eq(orders.id, id))
      await markAwaitingConfirmation(tx, order, {
        by: 'buyer',
        actorId: userId,
        reason: 'transfer_reported',
        now: deps.clock(),
      })
    })
  } catch (error) {
    // After a lost answer to the commit the order may refer to the picture; else the sweep deletes
    // it.
    if (!isDatabaseOutage(error)) await deps.store.delete([key]).catch(() => {})
    throw error
  }
}
