import { clear } from 'idb-keyval'
import { queryStorage, sharedStore } from './device/device-store.ts'
import { forgetFiles, forgetPush } from './device/forget.ts'
import { clearStorage, type SignOutReason } from './storage.ts'

type Clear = (reason: SignOutReason) => void | Promise<void>

/** Cleared even if its part of the app is not loaded. */
const stored: Clear[] = [
  clearStorage,
  () => clear(queryStorage),
  forgetFiles,
  (reason) => (reason === 'ended' ? undefined : forgetPush()),
  // Drafts, shared pictures and the mirrored token.
  (reason) => (reason === 'signed-out' ? clear(sharedStore) : undefined),
]

type Part =
  | 'age sheet'
  | 'auth form'
  | 'consent question'
  | 'device engine'
  | 'drafts'
  | 'queries'
  | 'registration'
  | 'samples'
  | 'studios'
  | 'uploads'

const loaded = new Map<Part, Clear>()

export function onSignOut(part: Part, forget: Clear): void {
  loaded.set(part, forget)
}

/** A failure does not stop the rest. */
export async function clearUserData(reason: SignOutReason): Promise<void> {
  await Promise.allSettled([...loaded.values(), ...stored].map(async (forget) => forget(reason)))
}
