import { createServer, type Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Logger } from 'pino'
import type { ErrorCode } from '#shared/errors.ts'
import type { Config } from '../config.ts'
import { limitConnections } from './connection-limits.ts'
import { refusalBody, refusalHeaders, refuseSocket } from './refuse-socket.ts'

/** Milliseconds for a whole request; a slow phone may need as long for a picture. */
const requestMilliseconds = 15 * 60_000
/**
 * Idle milliseconds. Proxies keep connections for up to two minutes (Caddy), also in reserve, and
 * must close first: a request sent while the server closes fails. Other clients' headers have a
 * shorter limit.
 */
const idleMilliseconds = 150_000

type Fetch = Parameters<typeof getRequestListener>[0]
type ListenConfig = Pick<Config, 'host' | 'port' | 'trustedProxies' | 'connections'>

/** Rejects with a sentence about the variable to change. */
export async function listen(config: ListenConfig, log: Logger, fetch: Fetch): Promise<Server> {
  const { host, port } = config
  const listener = getRequestListener(fetch, { hostname: host, errorHandler: refuseUnreadable })
  const server = createServer({
    requestTimeout: requestMilliseconds,
    headersTimeout: idleMilliseconds,
    keepAliveTimeout: idleMilliseconds,
  })
  const mayGoOn = limitConnections(server, config, log)
  server.on('request', (request, response) => {
    if (mayGoOn(request, response)) void listener(request, response)
  })
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

/** Refuses a request without a valid URL: a strange Host, a path with a backslash. */
function refuseUnreadable(error: unknown): Response {
  const unreadable = error instanceof RequestError
  const body = refusalBody(unreadable ? 'request.malformed' : 'server.error')
  return new Response(body, { status: unreadable ? 400 : 500, headers: refusalHeaders })
}

/** Node's HTTP parser errors by code; input that is no HTTP at all is not listed. */
const parserFailures: Record<string, { code: ErrorCode; status?: number }> = {
  HPE_HEADER_OVERFLOW: { code: 'request.too_large', status: 431 },
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'request.timeout' },
}

/** Refuses input that never became a request. */
function refuseConnection({ code: cause }: NodeJS.ErrnoException, socket: Duplex): void {
  if (cause === 'ECONNRESET') {
    socket.destroy()
    return
  }
  const { code, status } = parserFailures[cause ?? ''] ?? { code: 'request.malformed' }
  refuseSocket(socket, code, { status })
}
