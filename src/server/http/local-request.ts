import { addressClass } from './client-address.ts'

/** What proxies add to a request that they pass on (RFC 7239, 8586, 9110, and what is in use). */
const forwardingHeaders = new Set([
  'forwarded',
  'via',
  'cdn-loop',
  'front-end-https',
  'proxy-client-ip',
  'true-client-ip',
  'wl-proxy-client-ip',
  'x-amzn-trace-id',
  'x-cloud-trace-context',
  'x-cluster-client-ip',
  'x-originating-ip',
  'x-real-ip',
  'x-remote-addr',
  'x-remote-ip',
  'x-scheme',
  'x-url-scheme',
])
const forwardingPrefixes =
  /^(x-forwarded|x-original-|x-client-|x-envoy-|x-azure-|x-appengine-|x-arr-|x-vercel-|x-amz-cf-|x-nf-|cf-|fastly-|fly-)/

export interface ArrivedRequest {
  headers: Headers
  url: string
  /** The address of the socket's other end. */
  peer: string
}

/**
 * Tells whether somebody on this machine asks, or somebody elsewhere through a proxy that stands
 * here: by the peer, the host that was asked for and what proxies add. One that adds nothing and
 * asks for `localhost` shows in the pages that it serves: their calls name a public origin. From
 * the first of them on nothing counts as local any more.
 */
export function createLocality(): (request: ArrivedRequest) => boolean {
  let published = false
  return ({ headers, url, peer }) => {
    published ||= isCallOfPublicPage(headers)
    if (published || addressClass(peer) !== 'local') return false
    const host = headers.get('host')
    if (!isLoopbackAddress(url) || (host !== null && !isLoopbackAddress(`http://${host}`))) return false
    return ![...headers.keys()].some((name) => forwardingHeaders.has(name) || forwardingPrefixes.test(name))
  }
}

/** Our own page at an address that others reach; a foreign site's page calls itself cross-site. */
function isCallOfPublicPage(headers: Headers): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  if (origin === null || origin === 'null' || (site !== null && site !== 'same-origin')) return false
  return !isLoopbackAddress(origin)
}

function isLoopbackAddress(address: string): boolean {
  const hostname = URL.parse(address)?.hostname
  return hostname !== undefined && isLoopbackHost(hostname)
}

/** Whether a host name or address is this machine's own. */
export function isLoopbackHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}
