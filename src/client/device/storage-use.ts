import { clear } from 'idb-keyval'
import { queryStorage } from './device-store.ts'
import { deleteEngineCache } from './engine-files.ts'
import { forgetFiles } from './forget.ts'

/** Bytes; `kept`: the browser will not clear it by itself. Null if the browser does not tell. */
export async function storageUse(): Promise<{ used: number; quota: number; kept: boolean } | null> {
  const estimate = await navigator.storage?.estimate?.().catch(() => undefined)
  if (estimate?.usage === undefined || estimate.quota === undefined) return null
  return { used: estimate.usage, quota: estimate.quota, kept: (await navigator.storage.persisted?.()) ?? false }
}

export async function requestPersistentStorage(): Promise<boolean> {
  return (await navigator.storage?.persist?.().catch(() => false)) ?? false
}

/** Waiting uploads and drafts stay. */
export async function clearReloadableData(): Promise<void> {
  await Promise.all([forgetFiles(), deleteEngineCache(), clear(queryStorage).catch(() => undefined)])
}
