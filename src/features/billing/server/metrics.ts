import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { checkStates } from './reconciliation/billing-checks.ts'

/** State of the last reconciliation: 1 for the label of the current state. */
export const billingMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_billing_check',
    help: 'Reconciliation of the ledger and of the payment gateway: ok, differences, failing or not_run',
    labels: ['check', 'state'],
    async read(tools) {
      const states = Object.entries(await checkStates(tools))
      return states.map(([check, state]) => ({ labels: { check, state }, value: 1 }))
    },
  },
]
