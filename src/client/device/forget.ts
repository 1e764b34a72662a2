/** A cache for each user, so that users never see each other's pictures. */
export const filesCachePrefix = 'rupa-files-'

export async function forgetFiles(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(filesCachePrefix)) await caches.delete(name)
}

export async function clearNotices(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notice of (await registration?.getNotifications?.()) ?? []) notice.close()
  await navigator.clearAppBadge?.()
}

export async function forgetPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await Promise.allSettled([subscription?.unsubscribe(), clearNotices()])
}
