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
 * Whose request it is, by which it is counted: the peer, or, walking X-Forwarded-For from its right end, the first address that no trusted proxy has. A header from
 * anybody else is ignored, so that nobody can choose the address by which he is counted. Who has one IPv6 address has all of its /64, so that counts.
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
    return isIP(current) === 6 ? networkOf(current) : current
  }
}

/** The /64 of an IPv6 address. */
function networkOf(address: string): string {
  const [left = '', right] = address.split('::').map((part) => part.split(':').filter((group) => group !== ''))
  const groups = left as string[]
  if (right !== undefined) {
    // An IPv4 address at the end stands for two groups.
    const after = right.length + (right.at(-1)?.includes('.') ? 1 : 0)
    groups.push(...Array<string>(Math.max(0, 8 - groups.length - after)).fill('0'), ...right)
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}

/** IPv4 addresses that arrive in IPv6 clothes count as IPv4. */
function plain(address: string): string {
  return address.toLowerCase().startsWith('::ffff:') && isIP(address.slice(7)) === 4 ? address.slice(7) : address
}
