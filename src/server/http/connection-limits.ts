import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { clientAddress, trustedProxy } from './client-address.ts'
import { refusalBody, refusalHeaders, refuseSocket } from './refuse-socket.ts'

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
export function limitConnections(
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
