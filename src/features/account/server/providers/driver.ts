import type { Provider } from '../../rules.ts'

/** Kept encrypted in the browser and compared on the return from the provider. */
export interface Flow {
  state: string
  nonce: string
  /** PKCE (RFC 7636). */
  verifier: string
  /** True for a session of 30 days. */
  remember: boolean
  /** `confirm` only re-authenticates a signed-in user. */
  purpose: 'login' | 'confirm'
  openerState: string | undefined
}

export interface ProviderIdentity {
  provider: Provider
  /** The provider's permanent id of the user. */
  subject: string
  email: string | null
  /** True if the provider vouches that the address belongs to this user. */
  emailVerified: boolean
  name: string | null
}

/** Authorization code flow. */
export interface ProviderDriver {
  start(flow: Flow, redirectUri: URL): Promise<URL>
  /** Throws `auth.provider_denied` if the user refused, and other errors for invalid responses. */
  finish(flow: Flow, callback: URL): Promise<ProviderIdentity>
}
