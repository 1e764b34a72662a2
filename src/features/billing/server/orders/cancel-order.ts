import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { closeMarkedSessions } from '../payments/close-session.ts'
import { cancelHeldOrder, holdOrder } from './order-record.ts'

/** A payment already on its way still counts. */
export async function cancelOrder(deps: BillingDeps, userId: string, id: string): Promise<void> {
  await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, id, userId)
    if (order.status === orderStatus.cancelled) return
    if (order.status !== orderStatus.unpaid) throw appError('order.not_cancellable')
    await cancelHeldOrder(tx, order, { by: 'buyer', actorId: userId, reason: 'cancelled_by_buyer', now: deps.clock() })
  })
  await closeMarkedSessions(deps, id)
}
