import { tokenKey } from '#contract/session.ts'

/**
 * Why what belongs to a person has to leave this device. When a session only `ended`, what the
 * person was doing (drafts, waiting uploads, the screen) stays for their return, while pictures and
 * records that were kept for reading go.
 */
export type SignOutReason = 'signed-out' | 'other-user' | 'ended'

/** Choices about this device rather than about a person; they stay when somebody signs out. */
const deviceKeys = {
  themeMode: 'themeMode',
  themePrimary: 'themePrimary',
  themeNeutral: 'themeNeutral',
  language: 'language',
  installOffered: 'installOffered',
  /** What the operator tells everybody, with what of it was closed here. */
  announcements: 'announcements',
  /** The day on which this device was counted last. */
  lastVisit: 'lastVisit',
} as const

/**
 * All keys of localStorage. public/theme.js reads those of the token, the appearance and the
 * language before the first paint.
 */
export const localKeys = {
  ...deviceKeys,
  token: tokenKey,
  /** The id of who was signed in last; stays when a session ends, for their uploads that wait. */
  lastUser: 'lastUser',
  registeredEmail: 'registeredEmail',
  afterSignUp: 'afterSignUp',
  paymentMethod: 'paymentMethod',
  /** A run that was asked for and waits for an account, or for credits. */
  promisedRun: 'promisedRun',
  /** Followed by the tool. */
  toolOptions: 'options:',
  /** The tools, last used first. */
  usedTools: 'usedTools',
} as const

/** All keys of sessionStorage: of this tab. */
export const sessionKeys = {
  registration: 'registration',
  /** What a provider's confirmation is for, while this page is away at the provider's. */
  confirmationPurpose: 'confirmFor',
  providerState: 'providerState',
  reloadedForBuild: 'reloadedForBuild',
  /** Followed by the tool. */
  unsentPictures: 'unsent:',
  /** Followed by what is done once. */
  idempotencyKey: 'once:',
} as const

export function clearStorage(reason: SignOutReason): void {
  localStorage.removeItem(localKeys.registeredEmail)
  sessionStorage.removeItem(sessionKeys.registration)
  if (reason === 'ended') return
  localStorage.removeItem(localKeys.paymentMethod)
  localStorage.removeItem(localKeys.promisedRun)
  removeAll(sessionStorage, (key) => key.startsWith(sessionKeys.unsentPictures))
  if (reason === 'other-user') return
  removeAll(localStorage, (key) => !(key in deviceKeys))
  sessionStorage.clear()
}

function removeAll(storage: Storage, applies: (key: string) => boolean): void {
  for (const key of Object.keys(storage)) if (applies(key)) storage.removeItem(key)
}

/** What is kept as JSON; null where nothing is, or the storage is missing, forbidden or damaged. */
export function readKept<Kept>(key: string, storage = () => localStorage): Kept | null {
  try {
    return JSON.parse(storage().getItem(key) ?? 'null') as Kept | null
  } catch {
    return null
  }
}

/** Keeps something as JSON, where the storage is neither full nor forbidden. */
export function keep(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
  } catch {
    // It is not worth more.
  }
}
