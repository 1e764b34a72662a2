import { count, inArray } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { openStatuses } from '../rules.ts'
import { generations } from './table.ts'

/** What waits and what runs, by queue. */
export const generationMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_open_generations',
    help: 'Generations that wait or run, by queue and status',
    labels: ['queue', 'status'],
    async read({ db }) {
      const { queue, status } = generations
      const rows = await db
        .select({ queue, status, open: count() })
        .from(generations)
        .where(inArray(status, [...openStatuses]))
        .groupBy(queue, status)
      return rows.map(({ open, ...labels }) => ({ labels, value: open }))
    },
  },
]
