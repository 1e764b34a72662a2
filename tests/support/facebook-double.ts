import { createHmac, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface FacebookPerson {
  id: string
  name?: string
  email?: string
}

const app = { id: '1234567890', secret: 'facebook-secret-of-the-tests' }

/** The parts of Facebook that sign-in uses; `problems` lists what the real one would refuse. */
export async function createFacebookDouble({ redirectUri }: { redirectUri: string }) {
  const codes = new Map<string, FacebookPerson>()
  const tokens = new Map<string, FacebookPerson>()
  const problems: string[] = []
  let person: FacebookPerson | undefined
  let broken = false

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://facebook.test')
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const refuse = (message: string) => {
      problems.push(message)
      say(400, { error: { message, type: 'OAuthException', code: 100 } })
    }
    if (request.method === 'GET' && /\/dialog\/oauth$/.test(url.pathname)) {
      response.writeHead(302, { location: walk(new URL(request.url ?? '/', origin)).href })
      return response.end()
    }
    if (broken) return say(500, { error: { message: 'unexpected', type: 'OAuthException', code: 1 } })
    if (/^\/v\d+\.\d+\/oauth\/access_token$/.test(url.pathname)) {
      const body = new URLSearchParams(Buffer.concat(chunks).toString())
      const found = codes.get(body.get('code') ?? '')
      codes.delete(body.get('code') ?? '')
      if (body.get('client_id') !== app.id || body.get('client_secret') !== app.secret) return refuse('wrong app')
      if (body.get('redirect_uri') !== redirectUri) return refuse('another redirect_uri than in the dialog')
      if (!found) return refuse('This authorization code has been used.')
      const token = `EAAB${randomUUID()}`
      tokens.set(token, found)
      return say(200, { access_token: token, token_type: 'bearer', expires_in: 5_183_944 })
    }
    if (/^\/v\d+\.\d+\/me$/.test(url.pathname)) {
      const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
      const found = tokens.get(token)
      if (!found) return refuse('Invalid OAuth access token.')
      const proof = createHmac('sha256', app.secret).update(token).digest('hex')
      if (url.searchParams.get('appsecret_proof') !== proof) return refuse('Invalid appsecret_proof')
      const fields = (url.searchParams.get('fields') ?? '').split(',')
      return say(200, Object.fromEntries(Object.entries(found).filter(([name]) => fields.includes(name))))
    }
    refuse(`no such path: ${url.pathname}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  function walk(dialog: URL): URL {
    const query = dialog.searchParams
    if (dialog.origin !== origin || !/^\/v\d+\.\d+\/dialog\/oauth$/.test(dialog.pathname)) problems.push('wrong dialog')
    if (query.get('client_id') !== app.id || query.get('redirect_uri') !== redirectUri) problems.push('wrong app')
    const back = new URL(query.get('redirect_uri') as string)
    back.searchParams.set('state', query.get('state') as string)
    if (person) {
      const code = randomUUID()
      codes.set(code, person)
      back.searchParams.set('code', code)
    } else {
      back.searchParams.set('error', 'access_denied')
      back.searchParams.set('error_reason', 'user_denied')
    }
    return back
  }

  return {
    env: { FACEBOOK_BASE_URL: origin, FACEBOOK_APP_ID: app.id, FACEBOOK_APP_SECRET: app.secret },
    problems,
    setPerson(next: FacebookPerson | undefined) {
      person = next
    },
    breakDown(is: boolean) {
      broken = is
    },
    walk: (start: string) => walk(new URL(start)),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type FacebookDouble = Awaited<ReturnType<typeof createFacebookDouble>>
