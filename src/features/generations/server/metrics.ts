import { count, inArray } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { MetricSource } from '#server/metrics.ts'
import { openStatuses } from '../rules.ts'
import { generations } from './table.ts'

/** What waits and what runs, by lane: the depth of the queue. */
export const generationMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_open_generations',
    help: 'Generations that wait or run, by lane and status',
    labels: ['lane', 'status'],
    async read({ db }) {
      const { lane, status } = generations
      const rows = await db
        .select({ lane, status, open: count() })
        .from(generations)
        .where(inArray(status, [...openStatuses]))
        .groupBy(lane, status)
      return rows.map(({ open, ...labels }) => ({ labels, value: open }))
    },
  },
]
