import type { ReadConfig } from '#server/config.ts'
import { isLoopbackHost } from '#server/http/local-request.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    push: PushConfig
  }
}

/** Where push messages may be sent: hosts, or `*.` and the end of a host's name. */
export interface PushConfig {
  services: string[]
}

/** Those of Chrome and its like, Firefox, Safari and Edge. */
const known = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

export const readPushConfig: ReadConfig<PushConfig> = (read) => {
  const services = read('PUSH_SERVICES')
    ?.split(',')
    .map((name) => name.trim().toLowerCase())
  if (services && !services.every((name) => /^(\*\.)?[a-z0-9.-]+$/.test(name)))
    return { problem: 'PUSH_SERVICES must be a comma list of hosts such as fcm.googleapis.com or *.push.apple.com' }
  return { config: { services: services ?? known } }
}

/**
 * Whether an address is a push service's. Anybody may register one, so nothing else is ever called.
 */
export function isPushService(endpoint: string, { services }: PushConfig): boolean {
  const url = URL.parse(endpoint)
  if (!url || url.username || url.password) return false
  const { hostname, protocol, port } = url
  if (protocol !== 'https:' ? !isLoopbackHost(hostname) : port !== '') return false
  return services.some((name) => (name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name))
}
