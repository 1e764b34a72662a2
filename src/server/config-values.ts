import { isEmail } from '#shared/credentials.ts'
import { isAddressBlock } from './http/client-address.ts'

/** The message is a single line for the operator. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

export function oneOf<const Value extends string>(name: string, value: string, values: readonly Value[]): Value {
  const found = values.find((candidate) => candidate === value)
  if (!found) throw new ConfigError(`${name} must be one of ${values.join(', ')}`)
  return found
}

export function integer(name: string, value: string, least: number, most: number): number {
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN
  if (!(number >= least && number <= most))
    throw new ConfigError(`${name} must be a whole number from ${least} to ${most}`)
  return number
}

export function protocol(name: string, value: string, protocols: string[]): URL {
  const url = URL.parse(value)
  if (!url || !protocols.includes(url.protocol)) {
    throw new ConfigError(
      `${name} must be an address that starts with ${protocols.map((known) => `${known}//`).join(' or ')}`,
    )
  }
  return url
}

export function webAddress(name: string, value: string): URL {
  const url = protocol(name, value, ['http:', 'https:'])
  if (url.pathname !== '/' || url.search || url.hash || url.username) {
    throw new ConfigError(`${name} must be an origin such as https://example.com, without a path`)
  }
  return url
}

/** A host that is valid in a mail address; a bare number or name is not. */
export function mailHost({ hostname }: URL): string {
  return /^[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/i.test(hostname) ? hostname.replace(/^www\./i, '') : 'rupa.test'
}

export function mailFrom(value: string): string {
  const address = /^[^<>\r\n]*<([^<>\s]+)>$/.exec(value)?.[1] ?? value
  if (!isEmail(address)) throw new ConfigError('MAIL_FROM must be an e-mail address, or Name <address>')
  return value
}

/** Trimmed entries of a comma list. */
export const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)

export function hostsWithPorts(name: string, value: string): string[] {
  return listOf(value).map((entry) => {
    const url = URL.parse(`ws://${entry}/`)
    const port = /:(\d{1,5})$/.exec(entry)?.[1]
    if (!url?.hostname || url.pathname !== '/' || url.username || port === undefined || Number(port) === 0)
      throw new ConfigError(`${name} must be a comma list of hosts with ports such as hooks.internal:8443`)
    return `${url.hostname}:${Number(port)}`
  })
}

export function proxies(value: string): string[] {
  const blocks = listOf(value)
  for (const block of blocks) {
    if (!isAddressBlock(block)) {
      throw new ConfigError('TRUSTED_PROXIES must be a comma list of IP addresses or blocks such as 10.0.0.0/8')
    }
  }
  return blocks
}
