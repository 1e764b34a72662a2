import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { decodeJwt, exportJWK, generateKeyPair, type JWTPayload } from 'jose'
import Provider, { type Adapter, type AdapterPayload } from 'oidc-provider'

export interface OpenIdPerson {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

const client = { id: 'rupa-client', secret: 'rupa-secret-of-the-tests' }

/** Replaces the provider's ID token. */
export type SignIdToken = (claims: JWTPayload) => string | Promise<string>

/** Lasts as long as a test. */
function memoryAdapter(): (model: string) => Adapter {
  const records = new Map<string, AdapterPayload>()
  return (model) => {
    const key = (id: string) => `${model}:${id}`
    const findBy = async (holds: (payload: AdapterPayload) => boolean) =>
      [...records].find(([name, payload]) => name.startsWith(`${model}:`) && holds(payload))?.[1]
    return {
      async upsert(id, payload) {
        records.set(key(id), payload)
      },
      find: async (id) => records.get(key(id)),
      findByUserCode: (code) => findBy(({ userCode }) => userCode === code),
      findByUid: (uid) => findBy((payload) => payload.uid === uid),
      async consume(id) {
        const payload = records.get(key(id))
        if (payload) payload.consumed = Math.floor(Date.now() / 1000)
      },
      async destroy(id) {
        records.delete(key(id))
      },
      async revokeByGrantId(grantId) {
        for (const [name, payload] of records) if (payload.grantId === grantId) records.delete(name)
      },
    }
  }
}

function rewriteBody(
  response: ServerResponse,
  rewrite: (body: Record<string, unknown>) => Record<string, unknown> | Promise<Record<string, unknown>>,
): void {
  const end = response.end.bind(response) as (body?: unknown) => ServerResponse
  response.end = ((body?: unknown) => {
    const send = async () => {
      const text = JSON.stringify(await rewrite(JSON.parse(String(body)) as Record<string, unknown>))
      response.setHeader('content-length', Buffer.byteLength(text))
      end(text)
    }
    send().catch((error: unknown) => response.destroy(error as Error))
    return response
  }) as typeof response.end
}

/** A real OpenID provider on a loopback address. `person` consents at once; undefined declines. */
export async function createOpenIdProvider({ redirectUri }: { redirectUri: string }) {
  const people = new Map<string, OpenIdPerson>()
  const state: {
    person: OpenIdPerson | undefined
    prompts: string[]
    requests: string[]
    rewrite: Record<
      string,
      (body: Record<string, unknown>) => Record<string, unknown> | Promise<Record<string, unknown>>
    >
  } = { person: undefined, prompts: [], requests: [], rewrite: {} }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const provider = new Provider(issuer, {
    adapter: memoryAdapter(),
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig', kid: 'test' }] },
    cookies: { keys: ['a key of the tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    async findAccount(_context, id) {
      const person = people.get(id)
      return person && { accountId: id, claims: async () => ({ ...person }) }
    },
  })
  const callback = provider.callback()

  async function handle(request: IncomingMessage, response: ServerResponse) {
    state.requests.push(`${request.method} ${request.url?.split('?')[0]}`)
    const rewrite = state.rewrite[request.url?.split('?')[0] ?? '']
    if (rewrite) rewriteBody(response, rewrite)
    if (!request.url?.startsWith('/interaction/')) return callback(request, response)
    const { person } = state
    const { prompt, params, session, grantId } = await provider.interactionDetails(request, response)
    if (!person) {
      const denied = { error: 'access_denied', error_description: 'The person turned away' }
      return provider.interactionFinished(request, response, denied, { mergeWithLastSubmission: false })
    }
    people.set(person.sub, person)
    state.prompts.push(prompt.name)
    if (prompt.name === 'login') {
      return provider.interactionFinished(request, response, { login: { accountId: person.sub } })
    }
    const grant =
      (grantId && (await provider.Grant.find(grantId))) ||
      new provider.Grant({ accountId: session?.accountId, clientId: String(params.client_id) })
    grant.addOIDCScope('openid email profile')
    return provider.interactionFinished(request, response, { consent: { grantId: await grant.save() } })
  }

  return {
    issuer,
    env: { GOOGLE_ISSUER: issuer, GOOGLE_CLIENT_ID: client.id, GOOGLE_CLIENT_SECRET: client.secret },
    /** Undefined declines. */
    setPerson(person: OpenIdPerson | undefined) {
      state.person = person
    },
    /** Undefined restores the provider's own. */
    signWith(sign: SignIdToken | undefined) {
      delete state.rewrite['/token']
      if (sign)
        state.rewrite['/token'] = async (body) =>
          typeof body.id_token === 'string' ? { ...body, id_token: await sign(decodeJwt(body.id_token)) } : body
    },
    /** Undefined restores the provider's own. */
    publishKeys(keys: object[] | undefined) {
      delete state.rewrite['/jwks']
      if (keys) state.rewrite['/jwks'] = () => ({ keys })
    },
    /** Advertised ID token algorithms. */
    announceAlgorithms(names: string[] | undefined) {
      const path = '/.well-known/openid-configuration'
      delete state.rewrite[path]
      if (names) state.rewrite[path] = (body) => ({ ...body, id_token_signing_alg_values_supported: names })
    },
    clientSecret: client.secret,
    prompts: state.prompts,
    requests: state.requests,
    /** Follows redirects as a fresh browser would. */
    async walk(start: string): Promise<URL> {
      const cookies = new Map<string, string>()
      let url = new URL(start)
      for (let hop = 0; hop < 10; hop += 1) {
        if (url.href.startsWith(redirectUri)) return url
        const answer = await fetch(url, {
          redirect: 'manual',
          headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
        })
        for (const cookie of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const location = answer.headers.get('location')
        if (!location) throw new Error(`the provider stopped with ${answer.status}: ${await answer.text()}`)
        url = new URL(location, url)
      }
      throw new Error('the provider goes round in circles')
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type OpenIdProvider = Awaited<ReturnType<typeof createOpenIdProvider>>
