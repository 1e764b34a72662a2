import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener, RequestError } from '@hono/node-server'
import type { Logger } from 'pino'
import { type ApiErrorBody, type ErrorCode, errorStatus } from '#shared/errors.ts'
import { negotiateLanguage } from '#shared/language.ts'
import type { Config } from '../config.ts'
import { translate } from '../i18n.ts'
import { clientAddress, trustedProxy } from './client-address.ts'

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

/** Concurrent refusals; further connections are closed without a response. */
const refusedAtOnce = 100
const retrySeconds = 10
const maxSweepMilliseconds = 1000
const warnMilliseconds = 60_000
/** Bytes of a small body; a larger one may take proportionally longer. */
const smallBodyBytes = 64 * 1024
const maxBodyShare = 16
/** Uploads have limits of their own: idle time and throughput. */
const upload = /^\s*(multipart\/form-data|application\/offset\+octet-stream)\b/i

interface Connection {
  open: number
  /** performance.now() since which a request's headers are awaited. */
  awaitedSince: number | undefined
  /** Bytes received when the last request ended. */
  received: number
}

/**
 * Limits connections in total and for each address, and the time for headers and small bodies.
 * Connections of trusted proxies count only in total; their concurrent requests count by the
 * client's address. Returns false if the request is already answered.
 */
function limitConnections(
  server: Server,
  { trustedProxies, connections: limits }: Pick<Config, 'trustedProxies' | 'connections'>,
  log: Logger,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const isProxy = trustedProxy(trustedProxies)
  const addressOf = clientAddress(trustedProxies)
  const perAddress = new Map<string, number>()
  const waiting = new Map<Socket, Connection>()
  /** Requests that still arrive on these sockets do not reach the app. */
  const refused = new WeakSet<Socket>()
  const warn = warnNowAndThen(log)
  let all = 0
  server.maxConnections = limits.all + refusedAtOnce

  const refuse: typeof refuseSocket = (socket, code, options) => {
    refused.add(socket as Socket)
    refuseSocket(socket, code, options)
  }

  const enter = (address: string): (() => void) | undefined => {
    const held = perAddress.get(address) ?? 0
    if (held >= limits.perAddress) {
      warn('a client has too many connections: CONNECTIONS_EACH')
      return undefined
    }
    perAddress.set(address, held + 1)
    return () => {
      const left = (perAddress.get(address) ?? 1) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    }
  }

  server.on('connection', (socket: Socket) => {
    all += 1
    socket.once('close', () => {
      all -= 1
    })
    if (all > limits.all) {
      warn('there are too many connections: CONNECTIONS')
      return refuse(socket, 'server.unavailable', { retryAfter: retrySeconds })
    }
    const peer = socket.remoteAddress ?? ''
    if (isProxy(peer)) return
    const leave = enter(addressOf(peer, undefined))
    if (!leave) return refuse(socket, 'request.rate_limited', { retryAfter: retrySeconds })
    waiting.set(socket, { open: 0, awaitedSince: performance.now(), received: 0 })
    socket.once('close', () => {
      waiting.delete(socket)
      leave()
    })
  })

  const sweep = Math.min(maxSweepMilliseconds, limits.headersMilliseconds / 4)
  let swept = performance.now()
  const timer = setInterval(() => {
    const now = performance.now()
    // After a pause of the process, data that arrived meanwhile are read first.
    const late = now - swept > limits.headersMilliseconds / 2
    swept = now
    if (late) return
    for (const [socket, connection] of waiting) {
      if (connection.open > 0) continue
      if (connection.awaitedSince === undefined) {
        // An idle connection may stay open until the next headers begin.
        if (socket.bytesRead > connection.received) connection.awaitedSince = now
      } else if (now - connection.awaitedSince > limits.headersMilliseconds) {
        waiting.delete(socket)
        if (socket.bytesRead === connection.received) socket.destroy()
        else refuse(socket, 'request.timeout')
      }
    }
  }, sweep).unref()
  server.once('close', () => clearInterval(timer))

  const limitBody = (request: IncomingMessage, response: ServerResponse) => {
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type = '' } = request.headers
    if ((length === undefined && encoding === undefined) || length === '0' || upload.test(type)) return
    const share = Math.min(maxBodyShare, Math.max(1, Number(length ?? 0) / smallBodyBytes))
    const late = setTimeout(() => {
      if (request.complete) return
      // Only if no other response of this connection is in progress.
      if (!response.headersSent && response.socket) refuse(request.socket, 'request.timeout')
      else request.socket.destroy()
    }, limits.bodyMilliseconds * share).unref()
    request.once('close', () => clearTimeout(late))
  }

  return (request, response) => {
    const { socket } = request
    if (refused.has(socket)) return false
    const connection = waiting.get(socket)
    if (connection) {
      connection.open += 1
      connection.awaitedSince = undefined
      response.once('close', () => {
        connection.open -= 1
        connection.received = socket.bytesRead
      })
    } else {
      const forwardedFor = request.headers['x-forwarded-for']
      const address = addressOf(socket.remoteAddress ?? '', forwardedFor?.toString())
      const leave = isProxy(address) ? () => {} : enter(address)
      if (!leave) {
        const headers = { ...refusalHeaders, 'retry-after': String(retrySeconds), connection: 'close' }
        response.writeHead(429, headers).end(refusalBody('request.rate_limited', request.headers['accept-language']))
        return false
      }
      response.once('close', leave)
    }
    limitBody(request, response)
    return true
  }
}

/** One line a minute, so that a flood does not fill the log. */
function warnNowAndThen(log: Logger): (message: string) => void {
  let due = 0
  return (message) => {
    const now = performance.now()
    if (now < due) return
    due = now + warnMilliseconds
    log.warn(message)
  }
}

const refusalHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/**
 * Milliseconds for reading the refusal. A socket closed at once would answer later data with a
 * reset, which discards the refusal at the client.
 */
const lingerMilliseconds = 1000

/** For input that never reaches the app. */
function refusalBody(code: ErrorCode, acceptLanguage?: string): string {
  const body: ApiErrorBody = { code, msg: translate(negotiateLanguage(acceptLanguage), `error.${code}`) }
  return JSON.stringify(body)
}

const reasonPhrases: Partial<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}

function refuseSocket(
  socket: Duplex,
  code: ErrorCode,
  { status = errorStatus[code], retryAfter }: { status?: number; retryAfter?: number } = {},
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = refusalBody(code)
  const headers = {
    ...refusalHeaders,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}`, ...lines].join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}
