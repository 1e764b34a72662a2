import type { ReadConfig } from '#server/config.ts'
import { listOf } from '#server/config-values.ts'
import { isLoopbackHost } from '#server/http/local-request.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    push: PushConfig
  }
}

/** Full host names, or `*.` and the end of a name. */
export interface PushConfig {
  services: string[]
}

/** Chrome and browsers based on it, Firefox, Safari and Edge. */
const known = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

export const readPushConfig: ReadConfig<PushConfig> = (read) => {
  const given = read('PUSH_SERVICES')
  const services = given === undefined ? undefined : listOf(given.toLowerCase())
  if (services && !services.every((name) => /^(\*\.)?[a-z0-9.-]+$/.test(name)))
    return { problem: 'PUSH_SERVICES must be a comma list of hosts such as fcm.googleapis.com or *.push.apple.com' }
  return { config: { services: services ?? known } }
}

/** Any user may register an address, so the server calls no other. */
export function isPushService(endpoint: string, { services }: PushConfig): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return false
  const { hostname, protocol, port } = url
  if (protocol !== 'https:' ? !isLoopbackHost(hostname) : port !== '') return false
  return services.some((name) => (name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name))
}
