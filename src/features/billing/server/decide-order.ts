import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { orderStatus } from '../contract.ts'
import { closeSession } from './close-session.ts'
import type { BillingDeps } from './deps.ts'
import { cancelHeldOrder, holdOrder, newestAttempt } from './order-record.ts'
import { settleOrder } from './settle-order.ts'

interface Decision {
  id: string
  adminId: string
  /** What the admin wrote. */
  reason: string
}

/** An admin has seen the money: the order is paid. A cancelled one too, for money that arrived is honoured; twice changes nothing. */
export async function confirmOrder(deps: BillingDeps, { id, adminId, reason }: Decision): Promise<void> {
  const mailId = await transact(deps.db, async (tx) =>
    settleOrder(tx, await holdOrder(tx, id), { by: 'admin', actorId: adminId, reason, now: deps.clock() }),
  )
  if (mailId) await deps.jobs.send('send-mail', { mailId })
}

/** An admin turns an order down that is not paid. */
export async function rejectOrder(deps: BillingDeps, { id, adminId, reason }: Decision): Promise<void> {
  await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, id)
    if (order.status === orderStatus.cancelled) return
    const change = { by: 'admin', actorId: adminId, reason, now: deps.clock() } as const
    if (!(await cancelHeldOrder(tx, order, change))) throw appError('order.final')
  })
  const attempt = await newestAttempt(deps.db, id)
  if (attempt) await closeSession(deps, attempt)
}
