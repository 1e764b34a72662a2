import { tokenKey } from '#contract/session.ts'

/**
 * Reason for clearing a user's data. When a session only `ended`, unfinished work (drafts, waiting
 * uploads, the screen) stays for the user's return, while cached pictures and records go.
 */
export type SignOutReason = 'signed-out' | 'other-user' | 'ended'

/** Choices about the device rather than a user; they survive a sign-out. */
const deviceKeys = {
  themeMode: 'themeMode',
  themePrimary: 'themePrimary',
  themeNeutral: 'themeNeutral',
  language: 'language',
  installOffered: 'installOffered',
  /** Announcements of the operator, with the dismissed ones. */
  announcements: 'announcements',
  /** Day on which this device was last counted. */
  lastVisit: 'lastVisit',
} as const

/**
 * All keys of localStorage. public/theme.js reads those of token, appearance and language before
 * the first paint.
 */
export const localKeys = {
  ...deviceKeys,
  token: tokenKey,
  /** Id of the last signed-in user; stays when a session ends, for that user's waiting uploads. */
  lastUser: 'lastUser',
  registeredEmail: 'registeredEmail',
  afterSignUp: 'afterSignUp',
  paymentMethod: 'paymentMethod',
  /** A generation that waits for an account or for credits. */
  pendingGeneration: 'promisedRun', // language-ok
  /** Followed by the tool. */
  toolOptions: 'options:',
  /** Tools, most recently used first. */
  usedTools: 'usedTools',
} as const

/** All keys of sessionStorage, which belongs to this tab. */
export const sessionKeys = {
  registration: 'registration',
  /** Purpose of a provider confirmation while this page is away at the provider. */
  confirmationPurpose: 'confirmFor',
  providerState: 'providerState',
  reloadedForBuild: 'reloadedForBuild',
  /** Followed by the tool. */
  unsentPictures: 'unsent:',
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
  if (reason === 'other-user') return
  removeAll(localStorage, (key) => !(key in deviceKeys))
  sessionStorage.clear()
}

function removeAll(storage: Storage, applies: (key: string) => boolean): void {
  for (const key of Object.keys(storage)) if (applies(key)) storage.removeItem(key)
}

/** Reads a JSON value; null if there is none, or the storage is missing, forbidden or damaged. */
export function readKept<Kept>(key: string, storage = () => localStorage): Kept | null {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

/** Stores a JSON value, unless the storage is full or forbidden. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // Losing the value is acceptable.
  }
}
