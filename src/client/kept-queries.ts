import { clear } from 'idb-keyval'
import { deviceStore } from '#client/device/device-store.ts'

/** Where queries marked `meta.persist` are kept on this device. */
export const keptQueries = deviceStore('rupa-queries', 'queries')

/** Forgets what was kept, whosever it is. */
export async function forgetQueries(): Promise<void> {
  await clear(keptQueries).catch(() => undefined)
}
