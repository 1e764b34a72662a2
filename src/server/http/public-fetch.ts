import { lookup as systemLookup } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import type { Config } from '../config.ts'

// Users choose these addresses, so a request must never reach the operator's own network (server-
// side request forgery). The connection itself uses the addresses that were checked: a second
// resolution could answer differently.

export interface PublicFetchDeps {
  config: Pick<Config, 'fetchPrivateHosts'>
  /** Resolver of host names; DNS by default, and the system's for opened hosts. */
  lookup?: LookupFunction
}

export interface PublicFetchOptions {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array
  /** Limit of the response body. It is never decompressed. */
  maxBytes: number
  /** Limit from the call to the last byte of the body, with all redirects. */
  seconds: number
  /** Redirects followed for requests without a body; with 0 the redirect is returned. */
  maxRedirects?: number
  ports?: readonly number[]
  signal?: AbortSignal | undefined
}

interface PublicResponse {
  status: number
  headers: Headers
  /** Fails with a PublicFetchError beyond `maxBytes` or `seconds`. Read or destroy it. */
  body: Readable
  finalUrl: string
}

/**
 * - `url_invalid`: no http or https address, or one with a user name or password
 * - `port_forbidden`, `address_forbidden`: not reachable for users of this server
 * - `redirect_refused`: too many redirects, one without a valid target, or one from https to http
 * - `unreachable`: no such host, no connection, no valid answer
 */
export type FetchFailure =
  | 'url_invalid'
  | 'port_forbidden'
  | 'address_forbidden'
  | 'redirect_refused'
  | 'too_large'
  | 'timeout'
  | 'unreachable'

export class PublicFetchError extends Error {
  readonly reason: FetchFailure

  constructor(reason: FetchFailure, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'PublicFetchError'
    this.reason = reason
  }
}

/** IANA special-purpose registries, and the metadata service of Azure (168.63.129.16). */
const specialIpv4 = subnets(
  'ipv4',
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
)
/** Everything else is loopback, private, mapped, translated (NAT64) or unassigned. */
const globalIpv6 = subnets('ipv6', '2000::/3')
/** Protocol assignments with Teredo, documentation, 6to4 and AS112. */
const specialIpv6 = subnets('ipv6', '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20')

function subnets(family: 'ipv4' | 'ipv6', list: string): BlockList {
  const blocks = new BlockList()
  for (const block of list.split(' ')) {
    const [net = '', prefix] = block.split('/')
    blocks.addSubnet(net, Number(prefix), family)
  }
  return blocks
}

/** False for addresses of special purpose, and for texts that are no IP address. */
export function isPublicAddress(address: string): boolean {
  // A zone names an interface of this machine.
  switch (address.includes('%') ? 0 : isIP(address)) {
    case 4:
      return !specialIpv4.check(address, 'ipv4')
    case 6:
      return globalIpv6.check(address, 'ipv6') && !specialIpv6.check(address, 'ipv6')
    default:
      return false
  }
}

const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))

/** True for hosts the operator opened in FETCH_PRIVATE_HOSTS. */
export const isOpenedHost = ({ fetchPrivateHosts }: PublicFetchDeps['config'], url: URL): boolean =>
  fetchPrivateHosts.includes(`${url.hostname}:${portOf(url)}`)

/**
 * Checks everything about an address that needs no resolution. Throws a PublicFetchError; the URL
 * parser has already turned `0x7f.1`, `2130706433` and the like into four decimal parts.
 */
export function checkPublicUrl({ config }: PublicFetchDeps, text: string, ports: readonly number[] = [80, 443]): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new PublicFetchError('url_invalid')
  if (isOpenedHost(config, url)) return url
  if (!ports.includes(portOf(url))) throw new PublicFetchError('port_forbidden')
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.+$/, '')
  if (host === '' || /(^|\.)localhost$/.test(host) || (isIP(host) && !isPublicAddress(host)))
    throw new PublicFetchError('address_forbidden')
  return url
}

/**
 * Unlike the system's lookup, holds no thread of Node's small pool while a name server is slow, and
 * reads no hosts file.
 */
export const dnsLookup =
  (dns: Pick<Resolver, 'resolve4' | 'resolve6'>): LookupFunction =>
  (host, _options, done) => {
    const resolved = Promise.allSettled([dns.resolve4(host), dns.resolve6(host)])
    void resolved.then(([v4, v6]) => {
      const found = [
        ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
        ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
      ]
      if (found.length > 0 || v4.status === 'fulfilled') done(null, found)
      else done(v4.reason, '')
    })
  }

const defaultLookup = dnsLookup(new Resolver({ timeout: 3000, tries: 2 }))

/** Gives the connection the public addresses of a name, and no others; refuses a name without. */
export function publicLookup(lookup: LookupFunction): LookupFunction {
  return (host, options, done) =>
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error) return done(error, '')
      const addresses = (Array.isArray(found) ? found : []).filter(({ address }) => isPublicAddress(address))
      const [first] = addresses
      if (!first) return done(new PublicFetchError('address_forbidden'), '')
      if (options.all) done(null, addresses)
      else done(null, first.address, first.family)
    })
}

const redirects = [301, 302, 303, 307, 308]

/**
 * Sends a request to a public address, without cookies, referrer or compression. Throws a
 * PublicFetchError, or the reason of `signal`.
 */
export async function fetchPublic(
  deps: PublicFetchDeps,
  address: string,
  options: PublicFetchOptions,
): Promise<PublicResponse> {
  const { seconds, maxRedirects = 3, ports, signal } = options
  signal?.throwIfAborted()
  const end = new AbortController()
  const timer = setTimeout(() => end.abort(new PublicFetchError('timeout')), seconds * 1000).unref()
  const cancel = () => end.abort(signal?.reason)
  signal?.addEventListener('abort', cancel)
  const release = () => {
    clearTimeout(timer)
    signal?.removeEventListener('abort', cancel)
  }
  try {
    let { headers = {} } = options
    let url = checkPublicUrl(deps, address, ports)
    for (let hop = 0; ; hop++) {
      const response = await send(deps, url, { ...options, headers }, end.signal)
      const follows = redirects.includes(response.statusCode ?? 0) && maxRedirects > 0 && options.body === undefined
      if (!follows) return answer(response, url, options.maxBytes, { signal: end.signal, release })
      response.destroy()
      if (hop >= maxRedirects) throw new PublicFetchError('redirect_refused')
      const next = redirectTarget(deps, url, response.headers.location, ports)
      // Another origin must not learn a key meant for the first.
      if (next.origin !== url.origin) headers = {}
      url = next
    }
  } catch (error) {
    release()
    throw failure(error, end.signal)
  }
}

/** Checks the target like a first address. Throws a PublicFetchError. */
export function redirectTarget(
  deps: PublicFetchDeps,
  from: URL,
  location: string | undefined,
  ports?: readonly number[],
): URL {
  const target = location === undefined ? null : URL.parse(location, from.href)
  if (!target) throw new PublicFetchError('redirect_refused')
  const to = checkPublicUrl(deps, target.href, ports)
  if (from.protocol === 'https:' && to.protocol === 'http:') throw new PublicFetchError('redirect_refused')
  return to
}

function send(
  { config, lookup }: PublicFetchDeps,
  url: URL,
  { method = 'GET', headers, body }: PublicFetchOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      method,
      headers: {
        'user-agent': 'Rupa',
        ...headers,
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-length': String(Buffer.byteLength(body)) }),
      },
      // A pooled connection would skip the check.
      agent: false,
      lookup: isOpenedHost(config, url)
        ? (lookup ?? (systemLookup as LookupFunction))
        : publicLookup(lookup ?? defaultLookup),
      signal,
    })
    request.on('response', resolve)
    request.on('error', reject)
    // After 'response' and 'error' this changes nothing; it ends requests that get neither.
    request.on('close', () => reject(new PublicFetchError('unreachable')))
    request.end(body)
  })
}

function answer(
  response: IncomingMessage,
  url: URL,
  maxBytes: number,
  { signal, release }: { signal: AbortSignal; release: () => void },
): PublicResponse {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) {
    response.destroy()
    throw new PublicFetchError('too_large')
  }
  let bytes = 0
  const body = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length
      if (bytes > maxBytes) done(new PublicFetchError('too_large'))
      else done(null, chunk)
    },
  })
  response.on('error', (error) => body.destroy(failure(error, signal) as Error))
  // A reader gets the error; without one it must not end the process.
  body.on('error', () => undefined)
  body.on('close', () => {
    release()
    response.destroy()
  })
  response.pipe(body)
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(response.headersDistinct))
    for (const value of values) headers.append(name, value)
  return { status: response.statusCode ?? 0, headers, body, finalUrl: url.href }
}

function failure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return error instanceof PublicFetchError ? error : new PublicFetchError('unreachable', { cause: error })
}
