import { and, desc, eq, inArray, ne } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { requireUser } from '#server/auth/require-user.ts'
import { advisoryLock, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { route } from '#server/http/route.ts'
import { workOutbox } from '#server/outbox.ts'
import { maxDevices } from '../rules.ts'
import {
  type MutedInput,
  mutedInput,
  type PushSettings,
  pushSettingsView,
  type SubscriptionInput,
  subscriptionInput,
} from '../schemas.ts'
import type { PushDefinitions } from './push.ts'
import { isPushService } from './push-config.ts'
import { sendPush } from './send-push.ts'
import { pushQueue, pushSettings, pushSubscriptions } from './table.ts'
import { areUsableKeys, publicKeyOf } from './web-push.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const devices = await db
      .select({ endpoint: pushSubscriptions.endpoint, createdAt: pushSubscriptions.createdAt })
      .from(pushSubscriptions)
      .where(eq(pushSubscriptions.userId, userId))
    const [settings] = await db.select().from(pushSettings).where(eq(pushSettings.userId, userId))
    const services = devices.map(({ endpoint, createdAt }) => ({ service: new URL(endpoint).host, createdAt }))
    if (devices.length > 0 || settings)
      yield jsonFile('notifications.json', { devices: services, muted: settings?.muted ?? [] })
  },
  async erase(tx, { userId }) {
    await tx.delete(pushSubscriptions).where(eq(pushSubscriptions.userId, userId))
    await tx.delete(pushSettings).where(eq(pushSettings.userId, userId))
    return []
  },
}

export const pushContributions = {
  personalData,
  work: (deps: Deps, definitions: PushDefinitions) =>
    workOutbox(deps, pushQueue, 4, (id) => sendPush(deps, definitions, id)),
}

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

async function readSettings({ db, config }: Tools, userId: string): Promise<PushSettings> {
  const [row] = await db.select().from(pushSettings).where(eq(pushSettings.userId, userId))
  return { publicKey: config.vapidKey ? publicKeyOf(config.vapidKey) : null, muted: row?.muted ?? [] }
}

/**
 * Takes the device over from another user. Above the limit the device that subscribed longest ago
 * is removed; opening the app there subscribes it again.
 */
async function subscribe(
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

async function unsubscribe({ db }: Tools, sessionId: string): Promise<void> {
  await db.delete(pushSubscriptions).where(eq(pushSubscriptions.sessionId, sessionId))
}

async function setMutedTopics({ db }: Tools, userId: string, { muted }: MutedInput): Promise<void> {
  await db
    .insert(pushSettings)
    .values({ userId, muted })
    .onConflictDoUpdate({ target: pushSettings.userId, set: { muted } })
}

export function pushRoutes(deps: Deps) {
  const user = requireUser(deps)
  return [
    route('readPushSettings', 'GET /user/push', user, {
      summary: 'Get the push key and the notification settings',
      output: { 200: ['The settings', pushSettingsView] },
      handler: (c) => readSettings(deps, c.var.user.id),
    }),
    route('setMutedTopics', 'PUT /user/push', user, {
      summary: 'Set which notifications are off',
      input: { json: mutedInput },
      output: { 204: 'Saved' },
      handler: (c) => setMutedTopics(deps, c.var.user.id, c.req.valid('json')),
    }),
    route('subscribeDevice', 'PUT /user/push/device', user, {
      summary: 'Subscribe this device to push messages until its session ends',
      input: { json: subscriptionInput },
      output: { 204: 'Subscribed' },
      errors: ['push.service_unknown', 'push.keys_invalid'],
      handler: (c) => subscribe(deps, { userId: c.var.user.id, sessionId: c.var.sessionId }, c.req.valid('json')),
    }),
    route('unsubscribeDevice', 'DELETE /user/push/device', user, {
      summary: 'Unsubscribe this device from push messages',
      output: { 204: 'Unsubscribed' },
      handler: (c) => unsubscribe(deps, c.var.sessionId),
    }),
  ]
}
