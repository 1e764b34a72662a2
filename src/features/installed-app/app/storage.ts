import { clear } from 'idb-keyval'
import { keptQueries } from '#client/device/device-store.ts'
import { forgetFiles } from '#client/device/kept-files.ts'
import { forgetEngine } from '#sw/engine-files.ts'

/**
 * Bytes this app uses on the device and may use at most, and whether they are `kept`: the browser
 * will not clear them by itself. Null where it does not tell.
 */
export async function storageUse(): Promise<{ used: number; quota: number; kept: boolean } | null> {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined)
  if (estimate?.usage === undefined || estimate.quota === undefined) return null
  return { used: estimate.usage, quota: estimate.quota, kept: (await navigator.storage.persisted?.()) ?? false }
}

/**
 * Asks the browser not to clear this app's data when the device runs full; browsers decide by
 * themselves.
 */
export async function keepStorage(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false
}

/**
 * Frees what can be loaded again: pictures, responses and the engine for previews. Waiting uploads
 * and drafts stay.
 */
export async function freeStorage(): Promise<void> {
  await Promise.all([forgetFiles(), forgetEngine(), clear(keptQueries).catch(() => undefined)])
}
