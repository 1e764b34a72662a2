import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { advisoryLock } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { maxDevices } from '../rules.ts'
import type { MutedInput, PushSettings, SubscriptionInput } from '../schemas.ts'
import { areUsableKeys } from './encrypt.ts'
import { isPushService } from './push-config.ts'
import { pushSettings, pushSubscriptions } from './table.ts'
import { publicKeyOf } from './vapid.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

export async function readSettings({ db, config }: Tools, userId: string): Promise<PushSettings> {
  const [row] = await db.select().from(pushSettings).where(eq(pushSettings.userId, userId))
  return { publicKey: config.vapidKey ? publicKeyOf(config.vapidKey) : null, muted: row?.muted ?? [] }
}

/**
 * Takes the device over from another user. Above the limit the device that subscribed longest ago
 * is removed; opening the app there subscribes it again.
 */
export async function subscribe(
  { db, clock, config }: Tools,
  { userId, sessionId }: { userId: string; sessionId: string },
  { endpoint, keys }: SubscriptionInput,
): Promise<void> {
  if (!isPushService(endpoint, config.push)) throw appError('push.service_unknown')
  if (!areUsableKeys(keys)) throw appError('push.keys_invalid')
  await transact(db, async (tx) => {
    await advisoryLock(tx, `push-devices:${userId}`)
    const row = { userId, sessionId, endpoint, ...keys, createdAt: clock() }
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.sessionId, sessionId), ne(pushSubscriptions.endpoint, endpoint)))
    // Messages queued for another user must not reach this one.
    await tx
      .delete(pushSubscriptions)
      .where(and(eq(pushSubscriptions.endpoint, endpoint), ne(pushSubscriptions.userId, userId)))
    await tx
      .insert(pushSubscriptions)
      .values({ id: uuid(), ...row })
      .onConflictDoUpdate({ target: pushSubscriptions.endpoint, set: row })
    const surplus = tx
      .select({ id: pushSubscriptions.id })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
      .orderBy(desc(pushSubscriptions.createdAt), desc(pushSubscriptions.id))
      .offset(maxDevices)
    await tx.delete(pushSubscriptions).where(inArray(pushSubscriptions.id, surplus))
  })
}

export async function unsubscribe({ db }: Tools, sessionId: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))
}

export async function setMutedTopics({ db }: Tools, userId: string, { muted }: MutedInput): Promise<void> {
  await db
    .insert(pushSettings)
    .values({ userId, muted })
    .onConflictDoUpdate({ target: pushSettings.userId, set: { muted } })
}
