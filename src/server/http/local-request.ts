import { addressClass } from './client-address.ts'

/** What proxies add to a request that they pass on (RFC 7239, 8586, 9110, and what is in use). */
const standard = /^(forwarded|via|cdn-loop|front-end-https|(wl-)?proxy-.+|(true-)?client-.+)$/
const ofProxies =
  /^x-(forwarded|original|originating|real|client|remote|cluster|proxy|host$|scheme|url-scheme|request-start|envoy)/
const ofClouds = /^(x-(amz|amzn|azure|appengine|arr|vercel|nf|akamai|cloud-trace)|cf|fastly|fly|akamai)-/
const saysForwarded = (name: string) => [standard, ofProxies, ofClouds].some((pattern) => pattern.test(name))

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
    return ![...headers.keys()].some(saysForwarded)
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
