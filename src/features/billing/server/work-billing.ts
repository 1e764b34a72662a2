import type { BillingDeps } from './deps.ts'
import { expireOrders } from './expire-orders.ts'
import { pollPayments } from './poll-payments.ts'
import { reconcileBooks, reconcilePayments } from './reconcile.ts'
import { remindOfExpiry } from './remind-expiry.ts'

/** What billing does by itself for as long as the process lives: lost webhooks, orders past their time, reminders, and checking the books. */
export async function workBilling(deps: BillingDeps): Promise<void> {
  const { jobs } = deps
  const every = (name: string, seconds: number, task: (deps: BillingDeps) => Promise<unknown>) =>
    jobs.every(name, seconds, async () => {
      await task(deps)
    })
  await every('remind-of-expiry', 3600, remindOfExpiry)
  await every('reconcile-books', 3600, reconcileBooks)
  // These ask a gateway, which must not hold up the start; the queue logs what goes wrong.
  void every('poll-payments', 15, pollPayments)
  void every('expire-orders', 15, expireOrders)
  void every('reconcile-payments', 24 * 3600, reconcilePayments)
}
