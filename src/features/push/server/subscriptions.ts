import { and, eq, ne } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { MutedInput, PushSettings, SubscriptionInput } from '../types.ts'
import { isPushService } from './push-config.ts'
import { pushSettings, pushSubscriptions } from './table.ts'
import { publicKeyOf } from './vapid.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

export async function readSettings({ db, config }: Tools, userId: string): Promise<PushSettings> {
  const [row] = await db.select().from(pushSettings).where(eq(pushSettings.userId, userId))
  return { publicKey: config.vapidKey ? publicKeyOf(config.vapidKey) : null, muted: row?.muted ?? [] }
}

/** Messages come to this device from now on; whoever had it before gets none there any more. */
export async function subscribe(
  { db, clock, config }: Tools,
  { userId, sessionId }: { userId: string; sessionId: string },
  { endpoint, keys: { p256dh, auth } }: SubscriptionInput,
): Promise<void> {
  if (!isPushService(endpoint, config.push)) throw appError('push.service_unknown')
  await transact(db, async (tx) => {
    const row = { userId, sessionId, endpoint, p256dh, auth, createdAt: clock() }
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.sessionId, sessionId), ne(pushSubscriptions.endpoint, endpoint)))
    // What another person was owed there must not reach this one.
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.userId, userId)))
    await tx
      .insert(pushSubscriptions)
      .values({ id: uuid(), ...row })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: row })
  })
}

export async function unsubscribe({ db }: Tools, sessionId: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))
}

export async function mute({ db }: Tools, userId: string, { muted }: MutedInput): Promise<void> {
  await db
    .insert(pushSettings)
    .values({ userId, muted })
    .onConflictDoUpdate({ target: pushSettings.userId, set: { muted } })
}
