import { tokenKey } from '#shared/session.ts'
import { clockKey } from './device/server-time.ts'

/**
 * After `ended`, drafts and waiting uploads stay for the user's return; cached pictures and records
 * go.
 */
export type SignOutReason = 'signed-out' | 'other-user' | 'ended'

/** Choices about the device rather than a user; they survive a sign-out. */
const deviceKeys = {
  themeMode: 'themeMode',
  themePrimary: 'themePrimary',
  themeNeutral: 'themeNeutral',
  language: 'language',
  installOffered: 'installOffered',
  /** Includes the dismissed ones. */
  announcements: 'announcements',
  lastVisit: 'lastVisit',
  clockDifference: clockKey,
} as const

/** public/theme.js reads those of token, appearance and language before the first paint. */
export const localKeys = {
  ...deviceKeys,
  token: tokenKey,
  /** Stays when a session ends, for that user's waiting uploads. */
  lastUser: 'lastUser',
  registeredEmail: 'registeredEmail',
  afterSignUp: 'afterSignUp',
  paymentMethod: 'paymentMethod',
  /** Waits for an account or for credits. */
  pendingGeneration: 'promisedRun', // language-ok
  /** Followed by the tool. */
  toolOptions: 'options:',
  /** Followed by the tool: whose pictures wait on the device, and since when. */
  unsentDraft: 'draft:',
  /** Most recently used first. */
  usedTools: 'usedTools',
} as const

export const sessionKeys = {
  registration: 'registration',
  /** Purpose of a provider confirmation while this page is away at the provider. */
  confirmationPurpose: 'confirmFor',
  providerState: 'providerState',
  reloadedForBuild: 'reloadedForBuild',
  /** Followed by the tool. */
  unsentPictures: 'unsent:',
  /** Address of the tool page from which the user went to buy credits. */
  boughtFrom: 'boughtFrom',
  /** Followed by the name of the action. */
  idempotencyKey: 'once:',
} as const

export function clearStorage(reason: SignOutReason): void {
  localStorage.removeItem(localKeys.registeredEmail)
  sessionStorage.removeItem(sessionKeys.registration)
  if (reason === 'ended') return
  localStorage.removeItem(localKeys.paymentMethod)
  localStorage.removeItem(localKeys.pendingGeneration)
  removeAll(sessionStorage, (key) => key.startsWith(sessionKeys.unsentPictures))
  removeAll(localStorage, (key) => key.startsWith(localKeys.unsentDraft))
  if (reason === 'other-user') return
  removeAll(localStorage, (key) => !(key in deviceKeys))
  removeAll(sessionStorage, () => true)
}

declare global {
  /** Of public/theme.js: what could not be stored. */
  var heldValues: Map<Storage, Map<string, string>> | undefined
}

function removeAll(storage: Storage, applies: (key: string) => boolean): void {
  const held = globalThis.heldValues?.get(storage)
  for (const key of [...Object.keys(storage), ...(held?.keys() ?? [])]) if (applies(key)) storage.removeItem(key)
}

/** Null if there is none, or the storage is missing, forbidden or damaged. */
export function readStoredJson<Kept>(key: string, storage = () => localStorage): Kept | null {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

/** Does nothing if the storage is full or forbidden. */
export function storeJson(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Losing the value is acceptable.
  }
}
