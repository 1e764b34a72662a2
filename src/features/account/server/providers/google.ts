import * as openid from 'openid-client'
import { appError } from '#server/http/app-error.ts'
import type { ProviderDriver } from './driver.ts'
import type { SignInConfig } from './sign-in-config.ts'

const timeoutSeconds = 10
/** openid-client's error code for an ID token with an unpublished key. */
const unknownKey = 'OAUTH_KEY_SELECTION_FAILED'
/** Google does not support `prompt=login`, against OpenID Connect Core §3.1.2.1. */
const googleIssuer = 'accounts.google.com'

/**
 * Google, or the OpenID provider of GOOGLE_ISSUER: code flow with PKCE, state and nonce. ID tokens
 * are verified by signature, not by TLS alone.
 */
export function googleDriver({ issuer, clientId, clientSecret }: NonNullable<SignInConfig['google']>): ProviderDriver {
  let discovered: Promise<openid.Configuration> | undefined
  const discover = (): Promise<openid.Configuration> => {
    discovered ??= openid
      .discovery(issuer, clientId, undefined, openid.ClientSecretBasic(clientSecret), {
        timeout: timeoutSeconds,
        execute: [
          openid.enableNonRepudiationChecks,
          // The configuration allows http only for a loopback address.
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
      const promptToConfirm = issuer.hostname === googleIssuer ? 'select_account' : 'login'
      return openid.buildAuthorizationUrl(await discover(), {
        redirect_uri: redirectUri.href,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(purpose === 'confirm' && { prompt: promptToConfirm }),
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
        // The provider may have rotated its keys: reload them at the next sign-in.
        if ((error as { code?: unknown }).code === unknownKey) discovered = undefined
        throw error
      }
    },
  }
}
