import * as openid from 'openid-client'
import { appError } from '#server/http/app-error.ts'
import type { ProviderDriver } from './driver.ts'
import type { SignInConfig } from './sign-in-config.ts'

const timeoutSeconds = 10
/** What openid-client says when the provider's published keys lack the one of an ID token. */
const unknownKey = 'OAUTH_KEY_SELECTION_FAILED'
/** Google knows no `prompt=login`, against OpenID Connect Core §3.1.2.1. */
const googleIssuer = 'accounts.google.com'

/**
 * Google, or any other OpenID provider that GOOGLE_ISSUER names: code flow with PKCE, state and
 * nonce. ID tokens are believed by their signature, with a key that the provider publishes, and not
 * because they came over TLS.
 */
export function googleDriver({ issuer, clientId, clientSecret }: NonNullable<SignInConfig['google']>): ProviderDriver {
  let discovered: Promise<openid.Configuration> | undefined
  const discover = (): Promise<openid.Configuration> => {
    discovered ??= openid
      .discovery(issuer, clientId, undefined, openid.ClientSecretBasic(clientSecret), {
        timeout: timeoutSeconds,
        execute: [
          openid.enableNonRepudiationChecks,
          // The configuration lets http through for a loopback address alone.
          ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : []),
        ],
      })
      .catch((error: unknown) => {
        discovered = undefined
        throw error
      })
    return discovered
  }
  return {
    async start({ state, nonce, verifier, purpose }, redirectUri) {
      const again = issuer.hostname === googleIssuer ? 'select_account' : 'login'
      return openid.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri.href,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(purpose === 'confirm' && { prompt: again }),
      })
    },
    async finish({ state, nonce, verifier }, callback) {
      const configuration = await discover()
      try {
        const tokens = await openid.authorizationCodeGrant(configuration, callback, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        const claims = tokens.claims()
        if (!claims) throw appError('auth.provider_failed')
        const { sub: subject } = claims
        const facts =
          claims.email === undefined && configuration.serverMetadata().userinfo_endpoint
            ? await openid.fetchUserInfo(configuration, tokens.access_token, subject)
            : claims
        const { email, email_verified: verified, name } = facts as Record<string, unknown>
        return {
          provider: 'google',
          subject,
          email: typeof email === 'string' ? email : null,
          emailVerified: verified === true,
          name: typeof name === 'string' ? name : null,
        }
      } catch (error) {
        if (error instanceof openid.AuthorizationResponseError && error.error === 'access_denied') {
          throw appError('auth.provider_denied', { cause: error })
        }
        // A new key of the provider: the next sign-in reads what it publishes now.
        if ((error as { code?: unknown }).code === unknownKey) discovered = undefined
        throw error
      }
    },
  }
}
