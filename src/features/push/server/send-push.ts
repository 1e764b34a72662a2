import { eq } from 'drizzle-orm'
import { findRecipient } from '#server/auth/accounts.ts'
import { isSessionAlive } from '#server/auth/sessions.ts'
import type { Deps } from '#server/deps.ts'
import { translate } from '#server/i18n.ts'
import { beginAttempt } from '#server/outbox.ts'
import type { PushMessage } from '#shared/push-message.ts'
import { addTime } from '#shared/time.ts'
import { pushKinds } from '../rules.ts'
import type { PushDefinitions } from './push.ts'
import { isPushService } from './push-config.ts'
import { pushOutbox, pushQueue, pushSubscriptions } from './table.ts'
import { areUsableKeys, encrypt, vapidHeader } from './web-push.ts'

const { maxAgeSeconds } = pushQueue
const timeoutMilliseconds = 10_000

type OwedRow = typeof pushOutbox.$inferSelect

type SendDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'tools'>

/**
 * Sends a queued message and deletes it. A device is deleted with its messages if its session has
 * ended, the push service no longer knows it, or its keys are unusable. Throws if a later attempt
 * may succeed; a message may then arrive twice, and the second replaces the first.
 */
export async function sendPush(deps: SendDeps, definitions: PushDefinitions, pushId: string): Promise<void> {
  const { db, clock, config, log } = deps
  if (!(await beginAttempt(deps, pushQueue, pushId))) return
  const [push] = await db.select().from(pushOutbox).where(eq(pushOutbox.id, pushId))
  if (!push) return
  const [device] = await db.select().from(pushSubscriptions).where(eq(pushSubscriptions.id, push.subscriptionId))
  if (!device) return
  const forgetDevice = () => db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, device.id))
  if (!isPushService(device.endpoint, config.push) || !(await isSessionAlive(deps, device.sessionId))) {
    await forgetDevice()
    return
  }
  const endpoint = new URL(device.endpoint)
  // New subscriptions are validated; rows of older versions were not.
  if (!areUsableKeys(device)) {
    log.warn({ host: endpoint.host }, 'removed a push device with unusable keys')
    await forgetDevice()
    return
  }
  const late = clock() > addTime(push.createdAt, { seconds: maxAgeSeconds })
  const message = late ? null : await compose(deps, definitions, { ...push, userId: device.userId })
  if (message && config.vapidKey) {
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: await vapidHeader(endpoint, config.vapidKey, { ...config, clock }),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(maxAgeSeconds),
        urgency: 'normal',
        // The newest message of a kind and subject replaces the ones before.
        ...(push.subjectId && { topic: push.subjectId.replaceAll('-', '') }),
      },
      body: encrypt(JSON.stringify(message), device),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    })
    await response.body?.cancel()
    const { status } = response
    if (status === 404 || status === 410) {
      await forgetDevice()
      return
    }
    if (status === 408 || status === 429 || status >= 500) throw new Error(`the push service answered ${status}`)
    if (!response.ok) log.warn({ status, host: endpoint.host, kind: push.kind }, 'a push service refused a message')
  }
  await db.delete(pushOutbox).where(eq(pushOutbox.id, pushId))
}

/** Null if the message has become pointless. */
async function compose(
  deps: SendDeps,
  definitions: PushDefinitions,
  { kind, userId, subjectId }: Pick<OwedRow, 'kind' | 'subjectId'> & { userId: string },
): Promise<PushMessage | null> {
  const person = await findRecipient(deps.db, userId)
  if (!person || person.deleted) return null
  const { language } = person
  const content = await definitions[kind]?.content(deps, { userId, subjectId, language })
  if (!content) return null
  const address = (path: string) => new URL(path, deps.config.publicUrl).href
  return {
    web_push: 8030,
    notification: {
      title: translate(language, `push.${kind}.title`, content.values),
      body: translate(language, `push.${kind}.text`, content.values),
      lang: language,
      navigate: address(content.path),
      tag: pushKinds[kind],
      data: {
        group: {
          // The device knows the count, so it replaces the placeholder.
          title: translate(language, `push.${pushKinds[kind]}.group`, { count: '{count}' }),
          navigate: address(content.groupPath),
        },
      },
    },
  }
}
