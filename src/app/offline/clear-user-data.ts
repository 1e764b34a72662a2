import { clear } from 'idb-keyval'
import { forgetFiles } from '#sw/files.ts'
import { type onSignOut, onSignOut as register } from '../session.ts'

/**
 * What the parts that own it (uploads, queries) do not clear themselves: kept pictures and, when a person signs out, everything else in the
 * shared store, such as drafts and the mirrored token.
 */
const clearUserData: Parameters<typeof onSignOut>[0] = async (reason) => {
  await forgetFiles().catch(() => undefined)
  if (reason === 'signed-out') await clear().catch(() => undefined)
}

export function clearUserDataAtSignOut(): void {
  register(clearUserData)
}
