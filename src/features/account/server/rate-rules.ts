import { widerNetwork } from '#server/http/client-address.ts'
import type { RateRule } from '#server/http/rate-limit.ts'
import { canonicalAddress } from './registration/mailbox.ts'

// Many people share an address behind a carrier's or a school's gateway, so the limits by address
// are wide and those by account narrow. Within a list, what stops the sender alone comes first:
// what it refuses uses nothing up of the limits that stop others too.
const quarter = 15 * 60
const hour = 60 * 60
const day = 24 * hour

/**
 * Guesses at passwords. A device on which the account's owner has signed in before is counted for
 * itself: whoever guesses from elsewhere, however often, does not lock the owner out there.
 */
export function loginRules(address: string, email: string, knownDevice: string | undefined): RateRule[] {
  const everybody = { rule: 'login:ip', subject: address, limit: 300, seconds: quarter }
  if (knownDevice) {
    return [
      { rule: 'login:device+account', subject: `${knownDevice} ${email}`, limit: 10, seconds: quarter },
      everybody,
    ]
  }
  return [
    { rule: 'login:ip+account', subject: `${address} ${email}`, limit: 10, seconds: quarter },
    everybody,
    { rule: 'login:account', subject: email, limit: 50, seconds: quarter },
  ]
}

/**
 * What the right password takes back: the slips of its own device and address, not the guesses that
 * others make meanwhile.
 */
export function forgivenRules(address: string, email: string, knownDevice: string | undefined): RateRule[] {
  const own = loginRules(address, email, undefined).filter(({ rule }) => rule.includes('account'))
  if (!knownDevice) return own
  return [...loginRules(address, email, knownDevice), ...own].filter(({ rule }) => rule.includes('+account'))
}

/** Guesses at the password of somebody whose token one holds. */
export function reauthenticationRules(address: string, userId: string): RateRule[] {
  return [
    { rule: 'reauthentication:ip+account', subject: `${address} ${userId}`, limit: 10, seconds: quarter },
    { rule: 'reauthentication:account', subject: userId, limit: 50, seconds: quarter },
  ]
}

/**
 * New accounts bring credits, so these are the narrowest by address: a class that signs up together
 * behind one gateway still can.
 */
export function registerRules(address: string, email: string): RateRule[] {
  return [
    { rule: 'register:ip', subject: address, limit: 40, seconds: hour },
    { rule: 'register:account', subject: canonicalAddress(email), limit: 5, seconds: hour },
    { rule: 'register:network', subject: widerNetwork(address), limit: 120, seconds: hour },
  ]
}

/** Mails that anybody can cause to somebody's mailbox, however they spell its address. */
export function mailRules(
  kind: 'resend' | 'forgot' | 'email' | 'provider' | 'first-factor',
  address: string,
  email: string,
): RateRule[] {
  return [
    { rule: `${kind}:ip`, subject: address, limit: 100, seconds: hour },
    { rule: `${kind}:account`, subject: canonicalAddress(email), limit: 5, seconds: hour },
  ]
}

export function resetRules(address: string): RateRule[] {
  return [{ rule: 'reset:ip', subject: address, limit: 60, seconds: hour }]
}

/** Windows opened to sign in elsewhere: each makes us ask the provider. */
export function providerRules(address: string): RateRule[] {
  return [{ rule: 'provider:ip', subject: address, limit: 300, seconds: quarter }]
}

/** Archives read many files. */
export function exportRules(userId: string): RateRule[] {
  return [{ rule: 'export:account', subject: userId, limit: 10, seconds: hour }]
}

/**
 * Guesses at a code of six digits by who knows the password already, from whatever addresses. The
 * account's known devices have a count of their own: guesses made elsewhere do not lock its owner
 * out there, and setting a new password makes a device known.
 */
export function codeRules(address: string, userId: string, knownDevice: string | undefined): RateRule[] {
  const account = (name: string) => `${name}:${knownDevice ? 'known' : 'new'}`
  return [
    knownDevice
      ? { rule: 'code:device+account', subject: `${knownDevice} ${userId}`, limit: 8, seconds: quarter }
      : { rule: 'code:ip+account', subject: `${address} ${userId}`, limit: 8, seconds: quarter },
    { rule: account('code:account'), subject: userId, limit: 20, seconds: hour },
    { rule: account('code:account-day'), subject: userId, limit: 40, seconds: day },
  ]
}

/**
 * Guesses at the six digits of a verification mail, which only a device that registered the address
 * may make; the mailbox is one however its address is spelt.
 */
export function verificationRules(address: string, email: string): RateRule[] {
  const mailbox = canonicalAddress(email)
  return [
    { rule: 'verification:ip+account', subject: `${address} ${mailbox}`, limit: 8, seconds: quarter },
    { rule: 'verification:account', subject: mailbox, limit: 20, seconds: hour },
    { rule: 'verification:account-day', subject: mailbox, limit: 40, seconds: day },
  ]
}

/** First codes of an app that is being set up, whose secret is known to who sets it up. */
export function firstCodeRules(userId: string): RateRule[] {
  return [{ rule: 'first-code:account', subject: userId, limit: 20, seconds: quarter }]
}

/** Sign-ins without a password: tokens of a provider's window, passkeys. */
export function tokenLoginRules(address: string): RateRule[] {
  return [{ rule: 'token-login:ip', subject: address, limit: 300, seconds: quarter }]
}
