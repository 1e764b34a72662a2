import { count, eq, inArray, min } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { secondsSince } from '#server/health/checks.ts'
import type { HealthCheck } from '#server/health/health.ts'
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

/** A run that has waited so long has no worker that takes it, or far too few. */
const patienceSeconds = 900

/** For how long the run that was first in line has waited. */
export const queueCheck: HealthCheck<Pick<Deps, 'db' | 'clock'>> = {
  name: 'queue',
  metric: 'rupa_queued_run_oldest_seconds',
  help: 'For how long the oldest queued generation has waited',
  async read({ db, clock }) {
    const { createdAt, status } = generations
    const [oldest] = await db
      .select({ createdAt: min(createdAt) })
      .from(generations)
      .where(eq(status, 'queued'))
    return oldest?.createdAt ? secondsSince(oldest.createdAt, clock()) : 0
  },
  isProblem: (seconds) => seconds > patienceSeconds,
  says: (seconds) => (seconds === 0 ? 'nothing waits' : `the oldest run waits for ${Math.round(seconds)} s`),
}
