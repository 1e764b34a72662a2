import { randomBytes } from 'node:crypto'
import type { Context } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import type { Config } from '#server/config.ts'
import type { RateRule } from '#server/http/rate-limit.ts'

const cookieName = 'visitor'
const daySeconds = 86_400

/**
 * Previews of one device in a day, of one address in an hour (many share one behind a carrier), and
 * of everybody in a minute.
 */
const limits = { device: 15, address: 60, everybody: 240 } as const

/** What stops the sender alone comes first. */
export function previewRules(address: string, visitor: string): RateRule[] {
  return [
    { rule: 'preview:device', subject: visitor, limit: limits.device, seconds: daySeconds },
    { rule: 'preview:ip', subject: address, limit: limits.address, seconds: 3600 },
    { rule: 'preview:all', subject: '', limit: limits.everybody, seconds: 60 },
  ]
}

/**
 * The device's number, which says nothing about anybody; a new one where the browser has none. It
 * is forgotten after a day.
 */
export function keepVisitor(c: Context, { publicUrl }: Pick<Config, 'publicUrl'>): string {
  const known = getCookie(c, cookieName)
  if (known && /^[A-Za-z0-9_-]{22}$/.test(known)) return known
  const visitor = randomBytes(16).toString('base64url')
  setCookie(c, cookieName, visitor, {
    path: '/api/tools',
    httpOnly: true,
    sameSite: 'Strict',
    secure: publicUrl.protocol === 'https:',
    maxAge: daySeconds,
  })
  return visitor
}
