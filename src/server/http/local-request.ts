import { addressClass } from './client-address.ts'

/** Headers added by proxies (RFC 7239, 8586, 9110, and common practice). */
const standard = /^(forwarded|via|cdn-loop|front-end-https|(wl-)?proxy-.+|(true-)?client-.+)$/
const proxyHeaders =
  /^x-(forwarded|original|originating|real|client|remote|cluster|proxy|host$|scheme|url-scheme|request-start|envoy)/
const ofClouds = /^(x-(amz|amzn|azure|appengine|arr|vercel|nf|akamai|cloud-trace)|cf|fastly|fly|akamai)-/
const saysForwarded = (name: string) => [standard, proxyHeaders, ofClouds].some((pattern) => pattern.test(name))

interface ArrivedRequest {
  headers: Headers
  url: string
  peer: string
}

/**
 * Detects requests from this machine without a proxy, by peer, host and proxy headers. A silent
 * proxy reveals itself when its pages' calls name a public origin; after that nothing counts as
 * local.
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

/** A foreign page's request is marked cross-site instead. */
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

/** True for host names and addresses of this machine. */
export function isLoopbackHost(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '[::1]' ||
    host === '::1' ||
    /^127\.\d+\.\d+\.\d+$/.test(host)
  )
}
