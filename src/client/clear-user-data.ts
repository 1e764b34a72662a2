import { clear } from 'idb-keyval'
import { sharedStore } from '#client/device/device-store.ts'
import { forgetFiles } from '#sw/files.ts'
import { onSignOut } from './session.ts'

/** Choices about this device rather than about a person: they stay. */
const deviceKeys = new Set(['themeMode', 'themePrimary', 'themeNeutral', 'language', 'installOffered'])

/**
 * What the parts that own it (uploads, queries) do not clear themselves: kept pictures and, when a
 * person signs out, everything else in the shared store, such as drafts and the mirrored token.
 */
export function clearUserDataAtSignOut(): void {
  onSignOut(async (reason) => {
    await forgetFiles().catch(() => undefined)
    if (reason !== 'signed-out') return
    for (const key of Object.keys(localStorage)) if (!deviceKeys.has(key)) localStorage.removeItem(key)
    sessionStorage.clear()
    await clear(sharedStore).catch(() => undefined)
  })
}
