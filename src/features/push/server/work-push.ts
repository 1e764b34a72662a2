import { asc, lt } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import type { QueueOptions } from '#server/jobs/queue.ts'
import type { PushDefinitions } from './push-definition.ts'
import { sendPush } from './send-push.ts'
import { pushOutbox } from './table.ts'

declare module '#server/jobs/queue.ts' {
  interface Jobs {
    /** A row of push_outbox; a lost job is sent again by the sweeper. */
    'send-push': { pushId: string }
  }
}

export const pushQueues = {
  'send-push': {
    expireInSeconds: 60,
    retryLimit: 8,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 900,
    deleteAfterSeconds: 3600,
  },
} as const satisfies Record<string, QueueOptions>

const graceSeconds = 10
const batch = 500

/** Sends what is owed as soon as its transaction has committed, and what was missed then. */
export async function workPush(deps: Deps, definitions: PushDefinitions): Promise<void> {
  const { jobs, notifier, log } = deps
  await jobs.work('send-push', 4, ({ pushId }) => sendPush(deps, definitions, pushId))
  await jobs.every('sweep-push', 15, () => sweepPush(deps))
  notifier.subscribe((notification) => {
    if (notification.kind !== 'push_owed') return
    const { pushId } = notification
    // The sweeper sends it where this cannot.
    jobs.send('send-push', { pushId }).catch((error) => log.warn({ err: error }, 'a push job could not be queued'))
  })
}

/** Sends a job for every owed message that has none. */
export async function sweepPush({ db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - graceSeconds * 1000)
  const owed = await db
    .select({ id: pushOutbox.id })
    .from(pushOutbox)
    .where(lt(pushOutbox.createdAt, before))
    .orderBy(asc(pushOutbox.createdAt))
    .limit(batch)
  await jobs.sendAll(
    'send-push',
    owed.map(({ id }) => ({ data: { pushId: id } })),
  )
}
