import { createHmac } from 'node:crypto'
import * as openid from 'openid-client'
import { appError } from '#server/http/app-error.ts'
import { type ProviderDriver, sameText } from './flow-cookie.ts'
import type { SignInConfig } from './sign-in-config.ts'

const version = 'v23.0'
const timeoutMilliseconds = 10_000

/** Facebook does not state whether an address is verified, so none is trusted. */
export function facebookDriver({
  appId,
  appSecret,
  dialogUrl,
  graphUrl,
}: NonNullable<SignInConfig['facebook']>): ProviderDriver {
  return {
    async start({ state, purpose }, redirectUri) {
      const url = new URL(`/${version}/dialog/oauth`, dialogUrl)
      url.search = String(
        new URLSearchParams({
          client_id: appId,
          redirect_uri: redirectUri.href,
          state,
          response_type: 'code',
          scope: 'email,public_profile',
          ...(purpose === 'confirm' && { auth_type: 'reauthenticate' }),
        }),
      )
      return url
    },
    async finish({ state }, callback) {
      const query = callback.searchParams
      if (!sameText(query.get('state') ?? '', state)) throw appError('auth.provider_failed')
      if (query.get('error') === 'access_denied') throw appError('auth.provider_denied')
      const code = query.get('code')
      if (!code) throw appError('auth.provider_failed')
      const { access_token: token } = await ask(new URL(`/${version}/oauth/access_token`, graphUrl), {
        method: 'POST',
        body: new URLSearchParams({
          client_id: appId,
          client_secret: appSecret,
          redirect_uri: new URL(callback.pathname, callback).href,
          code,
        }),
      })
      if (typeof token !== 'string') throw appError('auth.provider_failed')
      return await readPerson(token)
    },
  }

  async function readPerson(token: string) {
    const url = new URL(`/${version}/me`, graphUrl)
    url.searchParams.set('fields', 'id,name,email')
    url.searchParams.set('appsecret_proof', createHmac('sha256', appSecret).update(token).digest('hex'))
    const { id, name, email } = await ask(url, { headers: { authorization: `Bearer ${token}` } })
    if (typeof id !== 'string' || id === '') throw appError('auth.provider_failed')
    return {
      provider: 'facebook' as const,
      subject: id,
      email: typeof email === 'string' ? email : null,
      emailVerified: false,
      name: typeof name === 'string' ? name : null,
    }
  }
}

async function ask(url: URL, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMilliseconds), redirect: 'error' })
  const body: unknown = await response.json().catch(() => undefined)
  if (!response.ok || typeof body !== 'object' || body === null) {
    throw new Error(`the Graph API responded to ${url.pathname} with ${response.status}`)
  }
  return body as Record<string, unknown>
}

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
