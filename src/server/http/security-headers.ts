import type { MiddlewareHandler } from 'hono'
import type { Config } from '../config.ts'
import { publicOriginOf } from '../storage/storage-config.ts'
import { appError } from './app-error.ts'
import type { AppEnv } from './env.ts'

/**
 * Served files may have a stricter policy. Pictures may come from the storage, where browsers reach
 * it.
 */
function contentSecurityPolicy(storageOrigin: string | null): string {
  const files = storageOrigin ? `'self' ${storageOrigin}` : `'self'`
  return [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    `img-src ${files} blob: data:`,
    `media-src ${files} blob:`,
    `connect-src ${files}`,
    `worker-src 'self'`,
    `manifest-src 'self'`,
    `font-src 'self'`,
    `base-uri 'none'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
    `require-trusted-types-for 'script'`,
  ].join('; ')
}

/**
 * Compiling WebAssembly counts as evaluating code; a worker has its own file's policy, so no page
 * needs it.
 */
const enginePaths = /^\/assets\/engine\/.*\.js$/
const enginePolicy = [
  `default-src 'none'`,
  `script-src 'self' 'wasm-unsafe-eval'`,
  `connect-src 'self'`,
  `frame-ancestors 'none'`,
  `require-trusted-types-for 'script'`,
].join('; ')

/**
 * An opener policy on these pages would cut the sign-in window off from its opener, which awaits
 * the token.
 */
const windowPaths = /^\/(auth\/callback|api\/login_[a-z]+(\/callback)?)$/

export function securityHeaders({
  publicUrl,
  hstsSubdomains,
  storage,
}: Pick<Config, 'publicUrl' | 'hstsSubdomains' | 'storage'>): MiddlewareHandler<AppEnv> {
  const transport = `max-age=31536000${hstsSubdomains ? '; includeSubDomains' : ''}`
  const headers: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(publicOriginOf(storage.place)),
    'x-content-type-options': 'nosniff',
    // Addresses can carry tokens (a password reset link).
    'referrer-policy': 'no-referrer',
    // The sign-in window must reach its opener: see windowPaths.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    ...(publicUrl.protocol === 'https:' && { 'strict-transport-security': transport }),
  }
  return async (c, next) => {
    await next()
    const style = c.get('inlineStyle')
    if (style) {
      const policy = headers['content-security-policy']?.replace(`style-src 'self'`, `$& '${style}'`)
      if (policy) c.res.headers.set('content-security-policy', policy)
    }
    if (enginePaths.test(c.req.path)) c.res.headers.set('content-security-policy', enginePolicy)
    for (const [name, value] of Object.entries(headers)) {
      if (name === 'cross-origin-opener-policy' && windowPaths.test(c.req.path)) continue
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    }
  }
}

/** Never cached, and nothing in the picture may run. */
export function privatePicture(contentType: string): Record<string, string> {
  return {
    'content-type': contentType,
    'content-disposition': 'inline; filename="picture"',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'private, no-store',
  }
}

/** Clients other than browsers send no such header. */
function isOfForeignSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** Fallback for browsers without Sec-Fetch-Site. */
function namesOtherHost(headers: Headers): boolean {
  const [origin, host] = [headers.get('origin'), headers.get('host')]
  return !headers.has('sec-fetch-site') && origin !== null && host !== null && URL.parse(origin)?.host !== host
}

/** Throws when another site's page caused the request. */
export function refuseForeignSite(headers: Headers): void {
  if (isOfForeignSite(headers) || namesOtherHost(headers)) throw appError('request.foreign_site')
}

/**
 * Other sites may only link here: they must not use up visitors' previews or cause mails. Routes
 * with a token are out of their reach anyway.
 */
export const restrictForeignSites: MiddlewareHandler = async (c, next) => {
  const { method, raw } = c.req
  const leads = (method === 'GET' || method === 'HEAD') && raw.headers.get('sec-fetch-mode') === 'navigate'
  if (!leads && isOfForeignSite(raw.headers)) throw appError('request.foreign_site')
  await next()
}
