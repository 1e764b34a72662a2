import { createHmac } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Mailbox } from '#server/account-hooks.ts'
import type { Config } from '#server/config.ts'
import { domainsOf, isAliasService, ownedDomain } from './mail-providers.ts'

/** Domains that reach the same mailbox under the same name. */
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
/** Characters that a provider ignores in the name of a mailbox. */
const ignored: Record<string, RegExp> = {
  'gmail.com': /\./g,
  'proton.me': /[._-]/g,
  'yandex.ru': /[.-]/g,
}
/**
 * Subdomain addressing of these domains: the mailbox's name is the subdomain, and the part before
 * the @ is a tag.
 */
const subdomainTags = /^([^.]+)\.(fastmail\.(?:com|fm))$/
/** Yahoo's mailbox names have no hyphen: the part after it is a tag chosen by the owner. */
const hyphenTags = /^(yahoo(\.[a-z]{2,3}){1,2}|ymail\.com|rocketmail\.com|myyahoo\.com)$/

/**
 * Returns one spelling for all addresses that reach the same mailbox, as far as the rules of its
 * provider are known. The part after a plus is a tag at every provider.
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
  // A name that consists only of ignored characters is invalid at that provider, so it is kept.
  return `${bare || name}@${domain}`
}

let disposable: Set<string> | undefined

/**
 * Returns true for domains of disposable mailboxes, which anyone can read for a while, and their
 * subdomains.
 */
export function isDisposable(email: string): boolean {
  disposable ??= disposableEmailBlocklistSet()
  return domainsOf(email).some((domain) => disposable?.has(domain))
}

/**
 * Keyed hashes of the mailbox and the domain of an address; or the reason why its owner could
 * create any number of such addresses, unless the operator allows these too.
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
