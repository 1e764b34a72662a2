import { and, asc, count, desc, eq, gt, inArray, isNull, min, sql } from 'drizzle-orm'
import { type Change, type EventSource, maxResumed, positionOverlap } from '#features/events/server/events.ts'
import type { PushDefinition } from '#features/push/server/push.ts'
import type { WebhookDefinition, WebhookDefinitions } from '#features/webhooks/server/webhooks.ts'
import { rows } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { secondsSince } from '#server/health/checks.ts'
import type { HealthCheck } from '#server/health/health.ts'
import { translate } from '#server/i18n.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import type { MetricSource } from '#server/metrics.ts'
import { addTime } from '#shared/time.ts'
import { findTool, isVideoTool } from '#tools/contract/tool.ts'
import { openStatuses } from '../rules.ts'
import type { GenerationView } from '../schemas.ts'
import { generationSummary, generationsDuring, generationTimeline, openCounts } from './admin-sources.ts'
import { type Generation, generationMessage, generationViews } from './history/views.ts'
import { personalData } from './personal-data.ts'
import { allQueues, type GenerationQueue, generationQueues, laneOf, queues } from './queues.ts'
import { generations, refundRequests } from './table.ts'
import { workGenerations } from './work-generations.ts'

const generationMetrics: readonly MetricSource<Pick<Deps, 'db' | 'clock'>>[] = [
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
      const since = addTime(clock(), { hours: -1 }).toISOString()
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

const queueCheck: HealthCheck<Pick<Deps, 'db' | 'clock'>> = {
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

type Reading = Parameters<EventSource<GenerationView>['read']>

const generationEvents: EventSource<GenerationView> = {
  concerns: (notification) => (notification.kind === 'generation' ? notification.generationId : undefined),

  async read(deps, listener, ids) {
    const rows = await deps.db
      .select()
      .from(generations)
      .where(and(inArray(generations.id, ids), ownedBy(listener.userId)))
      .orderBy(asc(generations.change))
    return await changes(deps, listener, rows)
  },

  async start(deps, listener, after) {
    const missed = await deps.db
      .select()
      .from(generations)
      .where(
        and(
          ownedBy(listener.userId),
          after === undefined
            ? inArray(generations.status, [...openStatuses])
            : gt(generations.change, after - positionOverlap),
        ),
      )
      .orderBy(desc(generations.change))
      .limit(maxResumed)
    return {
      changes: await changes(deps, listener, missed.reverse()),
      position: await newestChange(deps, listener.userId),
    }
  },
}

const ownedBy = (userId: string) => and(eq(generations.userId, userId), isNull(generations.deletedAt))

async function newestChange({ db }: Pick<Deps, 'db'>, userId: string): Promise<number> {
  const [newest] = await db
    .select({ change: generations.change })
    .from(generations)
    .where(eq(generations.userId, userId))
    .orderBy(desc(generations.change))
    .limit(1)
  return newest?.change ?? 0
}

async function changes(deps: Reading[0], listener: Reading[1], rows: Generation[]): Promise<Change<GenerationView>[]> {
  const views = await generationViews(deps, deps.db, rows, listener)
  return views.map((data, index) => ({ data, position: rows[index]?.change ?? 0 }))
}

const ended = (status: 'succeeded' | 'failed'): PushDefinition => ({
  async content({ db, tools }, { subjectId, language }) {
    if (subjectId === null) return null
    const [generation] = await db
      .select({ id: generations.id, tool: generations.tool, credits: generations.credits })
      .from(generations)
      .where(and(eq(generations.id, subjectId), eq(generations.status, status), isNull(generations.deletedAt)))
    const tool = generation && findTool(tools, generation.tool)
    if (!tool) return null
    return {
      path: `${tool.route}?result=${generation.id}`,
      groupPath: '/history',
      values: {
        what: translate(language, isVideoTool(tool) ? 'push.video.title' : 'push.photo.title'),
        credits: generation.credits,
      },
    }
  },
})

const generationPushes = {
  result_ready: ended('succeeded'),
  run_failed: ended('failed'),
} satisfies Record<string, PushDefinition>

/** Deleted generations are reported too, without files. */
const message: WebhookDefinition = {
  async content({ db }, { userId, subjectId, language }) {
    const own = and(eq(generations.id, subjectId), eq(generations.userId, userId))
    const [row] = await db.select().from(generations).where(own)
    return row ? await generationMessage(db, row, language) : null
  },
}

const generationWebhooks = {
  'generation.succeeded': message,
  'generation.failed': message,
  'generation.cancelled': message,
} satisfies WebhookDefinitions

const decided = (status: 'refunded' | 'declined'): MailDefinition => ({
  cause: 'account',
  async content({ db }, { subjectId }) {
    if (subjectId === null) return null
    const [request] = await db
      .select()
      .from(refundRequests)
      .where(and(eq(refundRequests.generationId, subjectId), eq(refundRequests.status, status)))
    // The decision changed before the mail was sent.
    if (!request) return null
    return { path: '/history', values: { credits: String(request.refunded), reason: request.answer ?? '' } }
  },
})

const generationMails = {
  refund_accepted: decided('refunded'),
  refund_declined: decided('declined'),
} satisfies Record<string, MailDefinition>

export const generationContributions = {
  admin: { during: generationsDuring, openCounts, summary: generationSummary, timeline: generationTimeline },
  events: generationEvents,
  healthChecks: [queueCheck],
  mails: generationMails,
  metrics: generationMetrics,
  personalData,
  pushes: generationPushes,
  queues: allQueues,
  webhooks: generationWebhooks,
  work: workGenerations,
}
