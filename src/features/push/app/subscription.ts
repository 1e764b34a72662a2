import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import { clearNotices, forgetPush } from '#client/device/forget.ts'
import { apiQuery, queryClient } from '#client/query.ts'
import { sessionIdAtom, store } from '#client/session.ts'
import type { PushTopic } from '../rules.ts'
import type { PushSettings } from '../schemas.ts'

type PushState = 'impossible' | 'refused' | 'off' | 'on'

export const pushStateQuery = queryOptions({
  queryKey: ['device', 'push'],
  queryFn: readState,
  staleTime: 0,
})

export const pushSettingsQuery = apiQuery<PushSettings>(['account', 'push'], '/api/user/push')

const findSubscription = async () =>
  (await (await navigator.serviceWorker?.getRegistration())?.pushManager?.getSubscription()) ?? null

async function readState(): Promise<PushState> {
  if (!('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)) return 'impossible'
  if ((await queryClient.ensureQueryData(pushSettingsQuery)).publicKey === null) return 'impossible'
  if (Notification.permission === 'denied') return 'refused'
  return Notification.permission === 'granted' && (await findSubscription()) ? 'on' : 'off'
}

/** Browsers grant the permission only after a tap. */
export async function turnOn(): Promise<void> {
  const [permission, { publicKey }] = await Promise.all([
    Notification.requestPermission(),
    queryClient.ensureQueryData(pushSettingsQuery),
  ])
  if (permission === 'granted' && publicKey !== null) await subscribe(publicKey)
  await queryClient.invalidateQueries(pushStateQuery)
}

export async function turnOff(): Promise<void> {
  await apiJson('/api/user/push/device', { method: 'DELETE' })
  await forgetPush()
  await queryClient.invalidateQueries(pushStateQuery)
}

async function subscribe(publicKey: string): Promise<void> {
  const { pushManager } = await navigator.serviceWorker.ready
  const before = await pushManager.getSubscription()
  // A subscription for an earlier server key cannot receive messages.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const { endpoint, keys } = subscription.toJSON()
  await apiJson('/api/user/push/device', { method: 'PUT', json: { endpoint, keys } })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? [])
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')
}

/** Follows new sessions and new addresses of the push service. Returns a function that stops it. */
export function keepSubscription(): () => void {
  const keep = async () => {
    if (store.get(sessionIdAtom) === undefined || (await readState()) !== 'on') return
    const { publicKey } = await queryClient.ensureQueryData(pushSettingsQuery)
    if (publicKey !== null) await subscribe(publicKey)
  }
  const onVisible = () => {
    if (document.visibilityState === 'visible') void clearNotices()
  }
  const again = () => void keep().catch(() => undefined)
  again()
  onVisible()
  document.addEventListener('visibilitychange', onVisible)
  const stop = store.sub(sessionIdAtom, again)
  return () => {
    document.removeEventListener('visibilitychange', onVisible)
    stop()
  }
}

/** Applies to all of the user's devices. */
export async function setTopicEnabled(topic: PushTopic, told: boolean): Promise<void> {
  const { muted } = await queryClient.ensureQueryData(pushSettingsQuery)
  const next = told ? muted.filter((other) => other !== topic) : [...new Set([...muted, topic])]
  await apiJson('/api/user/push', { method: 'PUT', json: { muted: next } })
  queryClient.setQueryData(pushSettingsQuery.queryKey, (known) => known && { ...known, muted: next })
}
