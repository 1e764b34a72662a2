/** Removes shown notifications from this device. */
export async function clearNotices(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  for (const notice of (await registration?.getNotifications?.()) ?? []) notice.close()
  await navigator.clearAppBadge?.()
}

/** Ends push messages on this device and unsubscribes from its push service. */
export async function forgetPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration()
  const subscription = await registration?.pushManager?.getSubscription()
  await Promise.allSettled([subscription?.unsubscribe(), clearNotices()])
}
