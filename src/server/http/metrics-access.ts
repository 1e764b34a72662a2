import { createHash, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'
import { addressClass } from './client-address.ts'

/**
 * Whether a request may read the metrics: with METRICS_TOKEN, or from this machine itself. A proxy
 * on this machine asks for others, and says so in its headers.
 */
export function mayReadMetrics(
  headers: Headers,
  peer: string,
  { metricsToken }: Pick<Config, 'metricsToken'>,
): boolean {
  const given = /^Bearer (.+)$/.exec(headers.get('authorization') ?? '')?.[1]
  if (given !== undefined) return metricsToken !== undefined && equal(given, metricsToken)
  const passedOn = ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'].some((name) => headers.has(name))
  return !passedOn && addressClass(peer) === 'local'
}

/** In constant time, whatever the lengths are. */
function equal(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
