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
