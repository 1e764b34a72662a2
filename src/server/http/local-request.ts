import { addressClass } from './client-address.ts'

/** Headers added by proxies (RFC 7239, 8586, 9110, and common practice). */
const standard = /^(forwarded|via|cdn-loop|front-end-https|(wl-)?proxy-.+|(true-)?client-.+)$/
const ofProxies =
  /^x-(forwarded|original|originating|real|client|remote|cluster|proxy|host$|scheme|url-scheme|request-start|envoy)/
const ofClouds = /^(x-(amz|amzn|azure|appengine|arr|vercel|nf|akamai|cloud-trace)|cf|fastly|fly|akamai)-/
const saysForwarded = (name: string) => [standard, ofProxies, ofClouds].some((pattern) => pattern.test(name))

export interface ArrivedRequest {
  headers: Headers
  url: string
  /** Remote address of the socket. */
  peer: string
}

/**
 * Detects requests from this machine without a proxy: by peer, requested host and proxy headers. A
 * proxy that adds no headers and requests `localhost` reveals itself by the pages it serves: their
 * calls name a public origin. After the first of these nothing counts as local.
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

/** Our own page at a public address; a foreign page's request is marked cross-site. */
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
