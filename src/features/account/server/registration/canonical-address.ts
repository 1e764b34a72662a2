import { createHmac } from 'node:crypto'
import { disposableEmailBlocklistSet } from 'disposable-email-domains-js'
import type { Mailbox } from '#server/account-hooks.ts'
import type { Config } from '#server/config.ts'

/**
 * Forwarding services with any number of addresses, most for any name before or after the user's
 * own. Addresses below a user's name, such as `shop@sari.33mail.com`, count too.
 */
const aliasServices = new Set([
  ...['33mail.com', 'anonaddy.com', 'anonaddy.me', 'addy.io', 'addymail.com', '4wrd.cc', 'mailer.me'],
  ...['duck.com', 'mozmail.com', 'relay.firefox.com', 'privaterelay.appleid.com'],
  ...[
    'simplelogin.com',
    'simplelogin.co',
    'simplelogin.io',
    'simplelogin.fr',
    'aleeas.com',
    'slmails.com',
    'slmail.me',
  ],
  ...['8alias.com', '8shield.net', 'silomails.com', 'dralias.com'],
  ...['passmail.net', 'passmail.com', 'passinbox.com', 'passfwd.com'],
  ...['erine.email', 'burnermail.io', 'spamgourmet.com', 'cloaked.id', 'sudomail.com', 'maskmail.net'],
])

/**
 * Domains under which anyone can open a mailbox, each with separate effort. `belajar.id` serves all
 * schools in Indonesia.
 */
const publicProviders = new Set([
  ...['gmail.com', 'icloud.com', 'proton.me', 'fastmail.com', 'belajar.id', 'plasa.com', 'telkom.net', 'cbn.net.id'],
  ...['yahoo.com', 'yahoo.co.id', 'yahoo.co.uk', 'yahoo.co.in', 'yahoo.co.jp', 'yahoo.com.sg', 'yahoo.com.my'],
  ...['yahoo.com.au', 'yahoo.com.br', 'yahoo.com.ph', 'yahoo.com.vn', 'yahoo.com.hk', 'yahoo.com.tw', 'yahoo.com.mx'],
  ...['yahoo.fr', 'yahoo.de', 'yahoo.es', 'yahoo.it', 'yahoo.in', 'yahoo.ca', 'ymail.com', 'rocketmail.com'],
  ...['myyahoo.com', 'aol.com', 'outlook.com', 'outlook.co.id', 'outlook.sg', 'outlook.my', 'outlook.fr', 'outlook.de'],
  ...['outlook.es', 'outlook.it', 'outlook.jp', 'hotmail.com', 'hotmail.co.id', 'hotmail.co.uk', 'hotmail.fr'],
  ...[
    'hotmail.de',
    'hotmail.es',
    'hotmail.it',
    'live.com',
    'live.co.uk',
    'live.nl',
    'live.fr',
    'live.com.sg',
    'msn.com',
  ],
  ...['gmx.com', 'gmx.net', 'gmx.de', 'gmx.at', 'gmx.ch', 'web.de', 'mail.com', 't-online.de', 'freenet.de'],
  ...['orange.fr', 'free.fr', 'laposte.net', 'libero.it', 'btinternet.com', 'comcast.net', 'att.net', 'verizon.net'],
  ...['zoho.com', 'zohomail.com', 'tuta.com', 'tutanota.com', 'mailbox.org', 'posteo.de', 'hey.com', 'startmail.com'],
  ...[
    'yandex.ru',
    'mail.ru',
    'bk.ru',
    'inbox.ru',
    'list.ru',
    'qq.com',
    '163.com',
    '126.com',
    'foxmail.com',
    'sina.com',
  ],
  ...['naver.com', 'hanmail.net', 'daum.net', 'rediffmail.com', 'docomo.ne.jp', 'ezweb.ne.jp'],
])

/** Labels below which country registries register names. */
const secondLevels = new Set([
  ...[
    'ac',
    'biz',
    'co',
    'com',
    'desa',
    'edu',
    'go',
    'gob',
    'gov',
    'mil',
    'my',
    'ne',
    'net',
    'or',
    'org',
    'ponpes',
    'sch',
  ],
  ...['web'],
])

const labelsOf = (email: string) =>
  email
    .slice(email.lastIndexOf('@') + 1)
    .toLowerCase()
    .split('.')

/** The longest first. */
const domainsOf = (email: string): string[] => labelsOf(email).map((_, at, labels) => labels.slice(at).join('.'))

export const isAliasService = (email: string) => domainsOf(email).some((domain) => aliasServices.has(domain))

/**
 * Returns the registered domain, below which its owner can create any number of addresses;
 * undefined at a public provider. `email` is in its canonical spelling.
 */
export function ownedDomain(email: string): string | undefined {
  const labels = labelsOf(email)
  const [second = '', top = ''] = labels.slice(-2)
  const domain = labels.slice(top.length === 2 && secondLevels.has(second) ? -3 : -2).join('.')
  return publicProviders.has(domain) ? undefined : domain
}

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
