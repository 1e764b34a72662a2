import { count, eq, inArray, min, sql } from 'drizzle-orm'
import { rows } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { secondsSince } from '#server/health/checks.ts'
import type { HealthCheck } from '#server/health/health.ts'
import type { MetricSource } from '#server/metrics.ts'
import { openStatuses } from '../rules.ts'
import { type GenerationQueue, generationQueues, laneOf, queues } from './queues.ts'
import { generations } from './table.ts'

export const generationMetrics: readonly MetricSource<Pick<Deps, 'db' | 'clock'>>[] = [
  {
    name: 'rupa_open_generations',
    help: 'Queued and running generations by queue and status',
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
  {
    name: 'rupa_lane_oldest_seconds',
    help: 'Seconds the oldest queued generation of a lane has waited; helps to size the number of workers',
    labels: ['lane'],
    async read({ db, clock }) {
      const { queue, createdAt, status } = generations
      const found = await db
        .select({ queue, oldest: min(createdAt) })
        .from(generations)
        .where(eq(status, 'queued'))
        .groupBy(queue)
      return generationQueues.map((name) => {
        const oldest = found.find((row) => row.queue === name)?.oldest
        return { labels: laneLabel(name), value: oldest ? secondsSince(oldest, clock()) : 0 }
      })
    },
  },
  {
    name: 'rupa_lane_waiting_seconds',
    help: "Estimated seconds for one thread to work off a lane's queue, from durations of the last hour",
    labels: ['lane'],
    async read({ db, clock }) {
      const since = new Date(clock().getTime() - 3_600_000).toISOString()
      const found = await rows<{ queue: GenerationQueue; seconds: number }>(
        db,
        sql`select w.queue, (w.runs * coalesce(d.seconds, ${defaultSeconds}))::float8 as seconds
          from (select queue, count(*) as runs from ${generations} where status = 'queued' group by queue) w
          left join (select queue, avg(extract(epoch from finished_at - started_at)) as seconds from ${generations}
            where status = 'succeeded' and created_at > ${since}::timestamptz group by queue) d using (queue)`,
      )
      return generationQueues.map((name) => ({
        labels: laneLabel(name),
        value: Number(found.find((row) => row.queue === name)?.seconds ?? 0),
      }))
    },
  },
]

/** Assumed duration when no generation of its kind has ended recently. */
const defaultSeconds = 5
const laneLabel = (name: GenerationQueue) => ({ lane: laneOf[queues[name].threads] })

/** A generation that has waited longer has no worker, or far too few. */
const maxWaitSeconds = 900

export const queueCheck: HealthCheck<Pick<Deps, 'db' | 'clock'>> = {
  name: 'queue',
  metric: 'rupa_queued_run_oldest_seconds',
  help: 'Seconds the oldest queued generation has waited',
  async read({ db, clock }) {
    const { createdAt, status } = generations
    const [oldest] = await db
      .select({ createdAt: min(createdAt) })
      .from(generations)
      .where(eq(status, 'queued'))
    return oldest?.createdAt ? secondsSince(oldest.createdAt, clock()) : 0
  },
  isProblem: (seconds) => seconds > maxWaitSeconds,
  says: (seconds) =>
    seconds === 0 ? 'nothing waits' : `the oldest generation has waited for ${Math.round(seconds)} s`,
}
