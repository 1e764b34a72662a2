import type { BillingDeps } from './deps.ts'
import { remindOfExpiry } from './ledger/remind-expiry.ts'
import { expireOrders } from './orders/expire-orders.ts'
import { remindOfUnpaid } from './orders/remind-unpaid.ts'
import { pollPayments } from './payments/poll-payments.ts'
import { reconcileLedger } from './reconciliation/reconcile-ledger.ts'
import { reconcilePaymentsDaily } from './reconciliation/reconcile-payments.ts'

export async function workBilling(deps: BillingDeps): Promise<void> {
  const { jobs } = deps
  const every = (name: string, seconds: number, task: (signal: AbortSignal) => Promise<unknown>) =>
    jobs.every(name, seconds, async (signal) => {
      await task(signal)
    })
  await every('remind-of-expiry', 3600, () => remindOfExpiry(deps))
  await every('remind-of-unpaid', 300, () => remindOfUnpaid(deps))
  await every('reconcile-ledger', 3600, (signal) => reconcileLedger(deps, { signal }))
  await every('poll-payments', 15, (signal) => pollPayments(deps, { signal }))
  // Separate job, so that an unresponsive gateway does not delay orders that need no gateway.
  await every('expire-orders', 15, (signal) => expireOrders(deps, { signal, asking: false }))
  await every('expire-orders-at-gateway', 15, (signal) => expireOrders(deps, { signal, asking: true }))
  await every('reconcile-payments', 3600, (signal) => reconcilePaymentsDaily(deps, { signal }))
}
