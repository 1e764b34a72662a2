import ipaddr from 'ipaddr.js'
import proxyAddr from 'proxy-addr'

export function isAddressBlock(text: string): boolean {
  const [address = '', length, ...rest] = text.split('/')
  if (rest.length > 0 || !isAddress(address)) return false
  const bits = ipaddr.parse(address).kind() === 'ipv4' ? 32 : 128
  return length === undefined || (/^\d{1,3}$/.test(length) && Number(length) <= bits)
}

/** Peers whose X-Forwarded-For is trusted. */
export function trustedProxy(trustedProxies: string[]): (peer: string) => boolean {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return (peer) => isAddress(peer) && isTrusted(peer, 0)
}

/**
 * Address by which a request is counted: the last hop that is no trusted proxy. X-Forwarded-For
 * from other peers is ignored, so that clients cannot choose their address. An IPv6 client has a
 * whole /64, so the /64 counts.
 */
export function clientAddress(trustedProxies: string[]): (peer: string, forwardedFor: string | undefined) => string {
  const isTrusted = proxyAddr.compile(trustedProxies)
  return (peer, forwardedFor) => {
    if (!isAddress(peer)) return peer
    const request = { socket: { remoteAddress: peer }, headers: { 'x-forwarded-for': forwardedFor } }
    const hops = proxyAddr.all(request as never, isTrusted)
    return networkOf(hops.findLast(isAddress) ?? peer)
  }
}

/** `local`, `private`, or the network of the address, which identifies no single user. */
export function addressClass(address: string): string {
  const text = address.replace(/\/64$/, '')
  if (!isAddress(text)) return 'unknown'
  const parsed = ipaddr.process(text)
  const range = parsed.range()
  if (range === 'loopback') return 'local'
  if (['private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'].includes(range)) return 'private'
  return widerNetwork(text)
}

/** Network in which the holder of an address can usually take others (IPv4 /24, IPv6 /48). */
export function widerNetwork(text: string): string {
  const address = text.replace(/\/64$/, '')
  if (!isAddress(address)) return text
  const parsed = ipaddr.process(address)
  return parsed.kind() === 'ipv4' ? ipv4Network(parsed) : ipv6Network(parsed, 48)
}

/** IPv4 addresses that arrive as IPv6 (`::ffff:…`) count as IPv4. */
function networkOf(text: string): string {
  const address = ipaddr.process(text)
  return address.kind() === 'ipv4' ? address.toString() : ipv6Network(address, 64)
}

type Address = ReturnType<typeof ipaddr.parse>

function ipv4Network(address: Address): string {
  return `${address.toByteArray().slice(0, 3).join('.')}.0/24`
}

function ipv6Network(address: Address, bits: 48 | 64): string {
  const groups = (address as ipaddr.IPv6).parts.slice(0, bits / 16)
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`
}

/** The library also takes `1`, `0x7f.1` and zones. */
function isAddress(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || (ipaddr.IPv6.isValid(text) && !text.includes('%'))
}
