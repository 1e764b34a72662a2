import { createHmac } from 'node:crypto'
import { appError } from '#server/http/app-error.ts'
import type { ProviderDriver } from './driver.ts'
import { sameText } from './flow-cookie.ts'
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
