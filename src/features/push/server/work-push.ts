import { and, asc, gte, inArray, lt, lte, or } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { QueueOptions } from '#server/jobs/queue.ts'
import type { PushDefinitions } from './push-definition.ts'
import { maxAttempts } from './retry.ts'
import { maxAgeSeconds, sendPush } from './send-push.ts'
import { pushOutbox } from './table.ts'

declare module '#server/jobs/queue.ts' {
  interface Jobs {
    /** The sweeper replaces a lost job. */
    'send-push': { pushId: string }
  }
}

export const pushQueues = {
  'send-push': {
    expireInSeconds: 60,
    // The outbox counts attempts and knows when the next one is due.
    retryLimit: 0,
    deleteAfterSeconds: 600,
  },
} as const satisfies Record<string, QueueOptions>

/** Seconds until the sweeper queues a queued message again; other messages go first meanwhile. */
const leaseSeconds = 300
const batch = 500

/** Sends when the transaction that queued the message commits, and later those missed then. */
export async function workPush(deps: Deps, definitions: PushDefinitions): Promise<void> {
  const { jobs, notifier, log } = deps
  await jobs.work('send-push', 4, ({ pushId }) =>
    sendPush(deps, definitions, pushId).catch((error) =>
      log.warn({ err: error, pushId }, 'a push message could not be sent and waits for its next attempt'),
    ),
  )
  await jobs.every('sweep-push', 15, () => sweepPush(deps))
  notifier.subscribe((notification) => {
    if (notification.kind !== 'push_owed') return
    const { pushId } = notification
    // If this fails, the sweeper sends the message.
    jobs.send('send-push', { pushId }).catch((error) => log.warn({ err: error }, 'a push job could not be queued'))
  })
}

/**
 * Queues due messages, longest waiting first, and deletes those that are too old or had all their
 * attempts. A queued message goes to the end of the line, so that failing ones never fill every
 * batch; in the job queue messages with fewer failures go first.
 */
export async function sweepPush({ db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const now = clock()
  const isDue = lte(pushOutbox.nextAttemptAt, now)
  const tooOld = lt(pushOutbox.createdAt, new Date(now.getTime() - maxAgeSeconds * 1000))
  await db.delete(pushOutbox).where(and(isDue, or(gte(pushOutbox.attempts, maxAttempts), tooOld)))
  const due = db
    .select({ id: pushOutbox.id })
    .from(pushOutbox)
    .where(isDue)
    .orderBy(asc(pushOutbox.nextAttemptAt), asc(pushOutbox.id))
    .limit(batch)
  const owed = await db
    .update(pushOutbox)
    .set({ nextAttemptAt: new Date(now.getTime() + leaseSeconds * 1000) })
    .where(and(inArray(pushOutbox.id, due), isDue))
    .returning({ id: pushOutbox.id, attempts: pushOutbox.attempts })
  await jobs.sendAll(
    'send-push',
    owed.map(({ id, attempts }) => ({ data: { pushId: id }, options: { priority: -attempts } })),
  )
}
