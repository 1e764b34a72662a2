import { createHmac } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Mailbox } from '#server/account-hooks.ts'
import type { Config } from '#server/config.ts'
import { domainsOf, isAliasService, ownedDomain } from './mail-providers.ts'

const sameDomains: Record<string, string> = {
  'googlemail.com': 'gmail.com',
  'me.com': 'icloud.com',
  'mac.com': 'icloud.com',
  'protonmail.com': 'proton.me',
  'protonmail.ch': 'proton.me',
  'pm.me': 'proton.me',
  'fastmail.fm': 'fastmail.com',
  'yandex.com': 'yandex.ru',
  'yandex.by': 'yandex.ru',
  'yandex.kz': 'yandex.ru',
  'ya.ru': 'yandex.ru',
}
const ignored: Record<string, RegExp> = {
  'gmail.com': /\./g,
  'proton.me': /[._-]/g,
  'yandex.ru': /[.-]/g,
}
/** Subdomain addressing: the subdomain is the mailbox's name, the part before the @ a tag. */
const subdomainTags = /^([^.]+)\.(fastmail\.(?:com|fm))$/
/** Yahoo's mailbox names have no hyphen: the part after it is a tag. */
const hyphenTags = /^(yahoo(\.[a-z]{2,3}){1,2}|ymail\.com|rocketmail\.com|myyahoo\.com)$/

/**
 * Returns one spelling for all addresses of a mailbox, as far as the provider's rules are known.
 * The part after a plus is a tag at every provider.
 */
export function canonicalAddress(email: string): string {
  const at = email.lastIndexOf('@')
  const given = email.slice(at + 1).toLowerCase()
  const [, owner, provider] = subdomainTags.exec(given) ?? []
  if (owner && provider) return canonicalAddress(`${owner}@${provider}`)
  const domain = Object.hasOwn(sameDomains, given) ? sameDomains[given] : given
  const [name = ''] = email
    .slice(0, at)
    .toLowerCase()
    .split(hyphenTags.test(given) ? /[+-]/ : '+')
  const bare = name.replace(ignored[domain as keyof typeof ignored] ?? '', '')
  // A name of only ignored characters is invalid there, so keep it.
  return `${bare || name}@${domain}`
}

let disposable: Set<string> | undefined

/** Matches subdomains too. */
export function isDisposable(email: string): boolean {
  disposable ??= disposableEmailBlocklistSet()
  return domainsOf(email).some((domain) => disposable?.has(domain))
}

/**
 * Returns keyed hashes of mailbox and domain; or the reason why its owner could create any number
 * of such addresses, unless the operator allows these.
 */
export function mailboxOf(
  email: string,
  { mailboxKey, welcomesDisposable }: Pick<Config, 'mailboxKey' | 'welcomesDisposable'>,
): Mailbox {
  if (!welcomesDisposable) {
    if (isDisposable(email)) return { refused: 'disposable' }
    if (isAliasService(email)) return { refused: 'alias' }
  }
  const hashOf = (text: string) => createHmac('sha256', mailboxKey).update(text).digest('base64url')
  const address = canonicalAddress(email)
  const domain = ownedDomain(address)
  return { hash: hashOf(address), domain: domain === undefined ? undefined : hashOf(`@${domain}`) }
}
