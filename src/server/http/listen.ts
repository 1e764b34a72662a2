import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { ApiErrorBody, ErrorCode } from '#contract/errors.ts'
import { negotiateLanguage } from '#contract/language.ts'
import type { Config } from '../config.ts'
import { translate } from '../i18n.ts'

/** A slow phone may need this long for its picture. */
const requestMilliseconds = 15 * 60_000
/**
 * How long a connection may rest. Proxies keep theirs for up to two minutes (Caddy) and have to be
 * the ones who end them: a request that is sent while we do fails.
 */
const restMilliseconds = 150_000

type Fetch = Parameters<typeof getRequestListener>[0]

/** Holds the port at once; rejects with a sentence about the variable to change. */
export async function listen({ host, port }: Pick<Config, 'host' | 'port'>, fetch: Fetch): Promise<Server> {
  const listener = getRequestListener(fetch, { hostname: host, errorHandler: refuseUnreadable })
  const server = createServer({ requestTimeout: requestMilliseconds, keepAliveTimeout: restMilliseconds }, listener)
  server.on('clientError', refuseConnection)
  return await new Promise((resolve, reject) => {
    const refuse = (error: NodeJS.ErrnoException) => reject(explained(error, { host, port }))
    server.once('error', refuse)
    server.listen(port, host, () => {
      server.off('error', refuse)
      resolve(server)
    })
  })
}

function explained(error: NodeJS.ErrnoException, { host, port }: Pick<Config, 'host' | 'port'>): Error {
  const reasons: Record<string, string> = {
    EADDRINUSE: `${host}:${port} is in use by another program; set PORT to another number`,
    EACCES: `not allowed to listen on ${host}:${port}; set PORT to a number above 1023`,
    EADDRNOTAVAIL: `this machine has no address ${host}; set HOST to one it has`,
  }
  const reason = reasons[error.code ?? '']
  return reason ? new Error(reason) : error
}

/** The body of every other refusal, also where no language is known. */
function refusal(code: ErrorCode): string {
  const body: ApiErrorBody = { code, msg: translate(negotiateLanguage(undefined), `error.${code}`) }
  return JSON.stringify(body)
}

const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/**
 * A request of which no address can be made: a strange Host, a path with a backslash. What fails in
 * the app it says itself.
 */
function refuseUnreadable(error: unknown): Response {
  const unreadable = error instanceof RequestError
  const body = refusal(unreadable ? 'request.malformed' : 'server.error')
  return new Response(body, { status: unreadable ? 400 : 500, headers })
}

/** What Node's parser calls the failures that are not simply no HTTP. */
const parserFailures: Record<string, { code: ErrorCode; status: string }> = {
  HPE_HEADER_OVERFLOW: { code: 'request.too_large', status: '431 Request Header Fields Too Large' },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request.timeout', status: '408 Request Timeout' },
}

/** What never became a request: no HTTP, endless headers, too slow. */
function refuseConnection({ code: cause }: NodeJS.ErrnoException, socket: Duplex): void {
  if (cause === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { code, status } = parserFailures[cause ?? ''] ?? { code: 'request.malformed', status: '400 Bad Request' }
  const body = refusal(code)
  const all = { ...headers, 'content-length': Buffer.byteLength(body), connection: 'close' }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${status}`, ...lines].join('\r\n')}\r\n\r\n${body}`)
}
