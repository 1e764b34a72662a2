import { createHmac } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Mailbox } from '#server/account-hooks.ts'
import type { Config } from '#server/config.ts'
import { domainsOf, isAliasService, ownedDomain } from './mail-providers.ts'

/** Domains of which one mailbox has an address each. */
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
/** Signs that a provider ignores in the name of a mailbox. */
const ignored: Record<string, RegExp> = {
  'gmail.com': /\./g,
  'proton.me': /[._-]/g,
  'yandex.ru': /[.-]/g,
}
/** Before these domains the name of a mailbox may stand, and anything before the @. */
const subdomainTags = /^([^.]+)\.(fastmail\.(?:com|fm))$/
/** Yahoo's names have no hyphen: behind it stands what its owner made up. */
const hyphenTags = /^(yahoo(\.[a-z]{2,3}){1,2}|ymail\.com|rocketmail\.com|myyahoo\.com)$/

/**
 * One spelling for all addresses that reach the same mailbox, as far as its provider is known. What
 * follows a plus is a tag everywhere.
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
  // A name of nothing else is no name at that provider.
  return `${bare || name}@${domain}`
}

let disposable: Set<string> | undefined

/** Returns true for domains, and those below them, whose mails anyone can read for a while. */
export function isDisposable(email: string): boolean {
  disposable ??= disposableEmailBlocklistSet()
  return domainsOf(email).some((domain) => disposable?.has(domain))
}

/**
 * The mailbox to which an address belongs and the domain of its owner, as keyed hashes; or why an
 * owner could make any number of such addresses, unless the operator welcomes these too.
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
