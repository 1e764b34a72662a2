import type { IncomingMessage } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import type { Logger } from 'pino'
import { type Language, negotiateLanguage } from '#shared/language.ts'
import type { Duty, Role } from '#shared/roles.ts'
import type { Config } from '../config.ts'
import { clientAddress, trustedProxy } from './client-address.ts'
import { createLocality } from './local-request.ts'

export interface AppEnv {
  Variables: {
    language: Language
    address: string
    /** The request comes from this machine, through no proxy. */
    local: boolean
    /** Also in X-Request-Id and on error screens. */
    requestId: string
    /** The page's pattern, or the file of the app, for the log. */
    page?: string
    /** Hash of the page's style element, for its policy. */
    inlineStyle?: string
  }
}

export interface UserEnv extends AppEnv {
  Variables: AppEnv['Variables'] & {
    /** From the database; may differ from the token. */
    user: { id: string; name: string; email: string; role: Role; duty: Duty | null }
    /** The key's id in calls with an API key. */
    sessionId: string
    /** Set in calls with an API key. */
    apiKey?: { id: string; test: boolean }
    /** Set for routes that declare it. */
    idempotencyKey: string
  }
}

export type NodeEnv = AppEnv & { Bindings: { incoming?: IncomingMessage } | undefined }

const peerOf = (c: Context<NodeEnv>): string => c.env?.incoming?.socket.remoteAddress ?? 'unknown'

export function setClientContext(
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
  log: Logger,
): MiddlewareHandler<NodeEnv> {
  const addressOf = clientAddress(trustedProxies)
  const isProxy = trustedProxy(trustedProxies)
  const isLocal = createLocality()
  let warned = false
  return async (c, next) => {
    const peer = peerOf(c)
    const forwardedFor = c.req.header('x-forwarded-for')
    const address = addressOf(peer, forwardedFor)
    c.set('language', negotiateLanguage(c.req.header('accept-language')))
    c.set('address', address)
    c.set('local', isLocal({ headers: c.req.raw.headers, url: c.req.url, peer }))
    if (forwardedFor && !warned && !isProxy(peer)) {
      warned = true
      log.warn(
        'a request came with X-Forwarded-For from a proxy that is not trusted, so limits count the proxy and not people: set TRUSTED_PROXIES to its address if it is yours',
      )
    }
    await next()
  }
}
