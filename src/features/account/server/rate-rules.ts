import { widerNetwork } from '#server/http/client-address.ts'
import type { RateRule } from '#server/http/rate-limit.ts'
import { canonicalAddress } from './registration/canonical-address.ts'

// Many users share an address (NAT), so limits by address are wide and limits by account narrow.
// Rules that stop only the sender come first: a refused request does not consume the limits shared
// with other users.
const quarter = 15 * 60
const hour = 60 * 60
const day = 24 * hour

/** A known device has its own count: guesses made elsewhere do not lock the owner out on it. */
export function loginRules(address: string, email: string, knownDevice: string | undefined): RateRule[] {
  const allLogins = { rule: 'login:ip', subject: address, limit: 300, seconds: quarter }
  if (knownDevice) {
    return [
      { rule: 'login:device+account', subject: `${knownDevice} ${email}`, limit: 10, seconds: quarter },
      allLogins,
    ]
  }
  return [
    { rule: 'login:ip+account', subject: `${address} ${email}`, limit: 10, seconds: quarter },
    allLogins,
    { rule: 'login:account', subject: email, limit: 50, seconds: quarter },
  ]
}

/** The right password resets failures of its own device and address, not guesses made elsewhere. */
export function rulesResetBySuccess(address: string, email: string, knownDevice: string | undefined): RateRule[] {
  const own = loginRules(address, email, undefined).filter(({ rule }) => rule.includes('account'))
  if (!knownDevice) return own
  return [...loginRules(address, email, knownDevice), ...own].filter(({ rule }) => rule.includes('+account'))
}

/** Against guesses by the holder of a stolen token. */
export function reauthenticationRules(address: string, userId: string): RateRule[] {
  return [
    { rule: 'reauthentication:ip+account', subject: `${address} ${userId}`, limit: 10, seconds: quarter },
    { rule: 'reauthentication:account', subject: userId, limit: 50, seconds: quarter },
  ]
}

/**
 * The narrowest limits by address, since new accounts receive credits; a school class behind one
 * gateway still fits.
 */
export function registerRules(address: string, email: string): RateRule[] {
  return [
    { rule: 'register:ip', subject: address, limit: 40, seconds: hour },
    { rule: 'register:account', subject: canonicalAddress(email), limit: 5, seconds: hour },
    { rule: 'register:network', subject: widerNetwork(address), limit: 120, seconds: hour },
  ]
}

/** Limits mails that visitors can cause to a mailbox, for all spellings of its address. */
export function mailRules(
  kind: 'resend' | 'forgot' | 'email' | 'provider' | 'first-factor' | 'guardian',
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

/** Each window makes the server call the provider. */
export function providerRules(address: string): RateRule[] {
  return [{ rule: 'provider:ip', subject: address, limit: 300, seconds: quarter }]
}

export function exportRules(userId: string): RateRule[] {
  return [{ rule: 'export:account', subject: userId, limit: 10, seconds: hour }]
}

/**
 * Limits a holder of the password, from any number of addresses. Known devices have their own
 * count, so that the owner is not locked out; setting a new password makes a device known.
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
 * Only a device that registered the address can guess; all spellings of an address count as one
 * mailbox.
 */
export function verificationRules(address: string, email: string): RateRule[] {
  const mailbox = canonicalAddress(email)
  return [
    { rule: 'verification:ip+account', subject: `${address} ${mailbox}`, limit: 8, seconds: quarter },
    { rule: 'verification:account', subject: mailbox, limit: 20, seconds: hour },
    { rule: 'verification:account-day', subject: mailbox, limit: 40, seconds: day },
  ]
}

/** The user who sets the app up knows its secret. */
export function firstCodeRules(userId: string): RateRule[] {
  return [{ rule: 'first-code:account', subject: userId, limit: 20, seconds: quarter }]
}

export function tokenLoginRules(address: string): RateRule[] {
  return [{ rule: 'token-login:ip', subject: address, limit: 300, seconds: quarter }]
}
