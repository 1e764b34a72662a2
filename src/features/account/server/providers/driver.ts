import type { Provider } from '../../rules.ts'

/**
 * State of a started sign-in, compared on the return from the provider; kept in the browser,
 * encrypted.
 */
export interface Flow {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  verifier: string
  /** True for a session of 30 days. */
  remember: boolean
  /** `confirm` only re-authenticates a signed-in user. */
  purpose: 'login' | 'confirm'
  /** Random value from the page that opened the window, returned to that page. */
  openerState: string | undefined
}

/** A user as identified by a provider. */
export interface ProviderPerson {
  provider: Provider
  /** The provider's permanent id of the user. */
  subject: string
  email: string | null
  /** True if the provider vouches that the address belongs to this user. */
  emailVerified: boolean
  name: string | null
}

/** A provider that signs users in with the authorization code flow. */
export interface ProviderDriver {
  /** Address that the window opens first. */
  start(flow: Flow, redirectUri: URL): Promise<URL>
  /**
   * Identifies the returning user; `callback` is the whole address of the return. Throws
   * `auth.provider_denied` if the user refused, and other errors for invalid responses.
   */
  finish(flow: Flow, callback: URL): Promise<ProviderPerson>
}
