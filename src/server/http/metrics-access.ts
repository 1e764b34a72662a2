import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'

/**
 * Allowed with METRICS_TOKEN, or from this machine if the server serves no other. Behind a proxy
 * every request may be a stranger's.
 */
export function canReadMetrics(
  request: { headers: Headers; local: boolean },
  { metricsToken, loopback }: Pick<Config, 'metricsToken' | 'loopback'>,
): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given !== undefined) return metricsToken !== undefined && equal(given, metricsToken)
  return loopback && request.local
}

/** Constant time for any lengths. */
function equal(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
