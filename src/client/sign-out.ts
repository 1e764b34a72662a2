import { clear } from 'idb-keyval'
import { keptQueries, sharedStore } from './device/device-store.ts'
import { forgetPush } from './device/forget-push.ts'
import { forgetFiles } from './device/kept-files.ts'
import { clearStorage, type SignOutReason } from './storage.ts'

type Clear = (reason: SignOutReason) => void | Promise<void>

/** What is stored of a person, by whichever part of the app, loaded or not. */
const stored: Clear[] = [
  clearStorage,
  () => clear(keptQueries),
  forgetFiles,
  (reason) => (reason === 'ended' ? undefined : forgetPush()),
  // Drafts, shared pictures and the mirrored token.
  (reason) => (reason === 'signed-out' ? clear(sharedStore) : undefined),
]

/** What parts of the app hold in memory while they are loaded. */
type Part =
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

/** Says how a part of the app forgets a person. */
export function onSignOut(part: Part, forget: Clear): void {
  loaded.set(part, forget)
}

/** Forgets what the device holds of a person; what fails keeps nothing else from going. */
export async function clearUserData(reason: SignOutReason): Promise<void> {
  await Promise.allSettled([...loaded.values(), ...stored].map(async (forget) => forget(reason)))
}
