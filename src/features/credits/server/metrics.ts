import { sum } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { creditAccounts } from './table.ts'

export const creditMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_credits',
    help: 'Credits held by users',
    labels: [],
    async read({ db }) {
      const [found] = await db.select({ total: sum(creditAccounts.balance) }).from(creditAccounts)
      return [{ labels: {}, value: Number(found?.total ?? 0) }]
    },
  },
]
