import { eq } from 'drizzle-orm'
import type { PushMessage } from '#contract/push-message.ts'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { translate } from '#server/i18n.ts'
import { pushKinds } from '../rules.ts'
import { encrypt } from './encrypt.ts'
import { isPushService } from './push-config.ts'
import type { PushDefinitions } from './push-definition.ts'
import { pushOutbox, pushSubscriptions } from './table.ts'
import { vapidHeader } from './vapid.ts'

const day = 86_400
const timeoutMilliseconds = 10_000

type SendDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'log' | 'tools'>

/**
 * Hands one owed message to the push service of its device and forgets it. A device whose session
 * is over, or that the service no longer knows, is forgotten with all that is owed to it. Throws
 * when the service may take it later; a message may then arrive twice, and replaces itself.
 */
export async function sendPush(deps: SendDeps, definitions: PushDefinitions, pushId: string): Promise<void> {
  const { db, clock, config, log } = deps
  const [found] = await db
    .select({ push: pushOutbox, device: pushSubscriptions })
    .from(pushOutbox)
    .innerJoin(pushSubscriptions, eq(pushSubscriptions.id, pushOutbox.subscriptionId))
    .where(eq(pushOutbox.id, pushId))
  if (!found) return
  const { push, device } = found
  const forgetDevice = () => db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, device.id))
  if (!isPushService(device.endpoint, config.push) || !(await account.isSessionAlive(deps, device.sessionId))) {
    await forgetDevice()
    return
  }
  const late = clock().getTime() - push.createdAt.getTime() > day * 1000
  const message = late ? null : await compose(deps, definitions, { ...push, userId: device.userId })
  if (message && config.vapidKey) {
    const endpoint = new URL(device.endpoint)
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: await vapidHeader(endpoint, config.vapidKey, { ...config, clock }),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(day),
        urgency: 'normal',
        // Of the same kind and subject the last one counts.
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

/** What the device shows; null when there is nothing to say any more. */
async function compose(
  deps: SendDeps,
  definitions: PushDefinitions,
  { kind, userId, subjectId }: Pick<typeof pushOutbox.$inferSelect, 'kind' | 'subjectId'> & { userId: string },
): Promise<PushMessage | null> {
  const person = await account.findRecipient(deps.db, userId)
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
          // The device counts.
          title: translate(language, `push.${pushKinds[kind]}.group`, { count: '{count}' }),
          navigate: address(content.groupPath),
        },
      },
    },
  }
}
