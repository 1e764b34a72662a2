import { BlockList, isIP } from 'node:net'

/** An IP address or CIDR block, or null when the text is neither. */
export function parseAddressBlock(text: string): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | null {
  const [address = '', length, ...rest] = text.split('/')
  const version = isIP(address)
  if (version === 0 || rest.length > 0) return null
  const bits = version === 4 ? 32 : 128
  if (length !== undefined && !(/^\d{1,3}$/.test(length) && Number(length) <= bits)) return null
  return { address, prefix: length === undefined ? bits : Number(length), family: version === 4 ? 'ipv4' : 'ipv6' }
}

/**
 * Whose request it is: the peer, or, walking X-Forwarded-For from its right end, the first address that no trusted proxy has. A header from
 * anybody else is ignored, so that nobody can choose the address by which he is counted.
 */
export function clientAddress(trustedProxies: string[]): (peer: string, forwardedFor: string | undefined) => string {
  const trusted = new BlockList()
  for (const block of trustedProxies) {
    const parsed = parseAddressBlock(block)
    if (parsed) trusted.addSubnet(parsed.address, parsed.prefix, parsed.family)
  }
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (peer, forwardedFor) => {
    let current = plain(peer)
    const hops = (forwardedFor ?? '').split(',').map((hop) => plain(hop.trim()))
    while (hops.length > 0 && isIP(current) && isTrusted(current)) {
      const next = hops.pop() as string
      if (!isIP(next)) break
      current = next
    }
    return current
  }
}

/** IPv4 addresses that arrive in IPv6 clothes count as IPv4. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
