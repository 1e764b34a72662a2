import type { Provider } from '../../rules.ts'

/** What a sign-in that has begun must come back with; kept by the browser, sealed. */
export interface Flow {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  verifier: string
  /** The session is to last 30 days. */
  remember: boolean
  /** `confirm` only shows who is there, for somebody who is signed in already. */
  purpose: 'login' | 'confirm'
  /** What the page that opened the window sent along: brought back to it. */
  openerState: string | undefined
}

/** Somebody as a provider knows them. */
export interface ProviderPerson {
  provider: Provider
  /** The provider's own, lasting name of the person. */
  subject: string
  email: string | null
  /** The provider says that the address is this person's. */
  emailVerified: boolean
  name: string | null
}

/** A provider behind which people sign in with the authorization code flow. */
export interface ProviderDriver {
  /** Where the window goes first. */
  start(flow: Flow, redirectUri: URL): Promise<URL>
  /**
   * Who came back; `callback` is the whole address they came back to. Throws
   * `auth.provider_denied`, or anything else when something is not right.
   */
  finish(flow: Flow, callback: URL): Promise<ProviderPerson>
}
