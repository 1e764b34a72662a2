import { isLocalPath } from '#shared/local-path.ts'
import type { PushMessage } from '#shared/push-message.ts'
import { readToken } from '#shared/session.ts'

type Shown = PushMessage['notification']['data'] & { navigate: string; count: number }

const icons = { icon: '/icons/icon-192.png', badge: '/icons/shortcut-96.png' }

/**
 * Not shown if the app in front shows it itself, or no user is signed in. Messages of one kind
 * become a single one with a count.
 */
export async function showPush(
  worker: ServiceWorkerGlobalScope,
  message: PushMessage,
  token: () => Promise<string | null>,
): Promise<void> {
  if (!readToken(await token())) return
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.some(({ visibilityState }) => visibilityState === 'visible')) return
  const { title, body, lang, navigate, tag, data } = message.notification
  const before = await worker.registration.getNotifications({ tag })
  const count = before.reduce((sum, { data: shown }) => sum + (shown as Shown).count, 1)
  const [heading, leadsTo] =
    count > 1 ? [data.group.title.replace('{count}', String(count)), data.group.navigate] : [title, navigate]
  await worker.registration.showNotification(heading, {
    ...icons,
    body: count > 1 ? '' : body,
    lang,
    tag,
    // Replaces the previous notification and alerts again.
    renotify: count > 1,
    data: { ...data, navigate: leadsTo, count } satisfies Shown,
  } as NotificationOptions)
  const all = await worker.registration.getNotifications()
  await worker.navigator.setAppBadge?.(all.reduce((sum, { data: shown }) => sum + (shown as Shown).count, 0))
}

/** The first page of this site replaces foreign addresses. */
function sameSiteUrl(address: string, origin: string): string {
  const isOwn = address.startsWith(`${origin}/`) && isLocalPath(address.slice(origin.length))
  return isOwn ? address : `${origin}/`
}

/** Prefers the app that is open already. */
export async function openPush(worker: ServiceWorkerGlobalScope, notification: Notification): Promise<void> {
  notification.close()
  const navigate = sameSiteUrl((notification.data as Shown).navigate, worker.location.origin)
  const [page] = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (!page) {
    await worker.clients.openWindow(navigate)
    return
  }
  // The page navigates itself and keeps unfinished work.
  page.postMessage({ type: 'OPEN', address: navigate })
  await page.focus()
}
