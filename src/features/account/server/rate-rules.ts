import type { RateRule } from '#server/http/rate-limit.ts'

// Many people share an address behind a carrier's or a school's gateway, so the limits by address are wide and those by account narrow.
const quarter = 15 * 60
const hour = 60 * 60

/** Guesses at passwords; all but the first are forgiven after a success. */
export function loginRules(address: string, email: string): RateRule[] {
  return [
    { rule: 'login:ip', subject: address, limit: 300, seconds: quarter },
    { rule: 'login:account', subject: email, limit: 50, seconds: quarter },
    { rule: 'login:ip+account', subject: `${address} ${email}`, limit: 10, seconds: quarter },
  ]
}

export function registerRules(address: string, email: string): RateRule[] {
  return [
    { rule: 'register:ip', subject: address, limit: 300, seconds: hour },
    { rule: 'register:account', subject: email, limit: 5, seconds: hour },
  ]
}

/** Mails that anybody can cause to somebody's address. */
export function mailRules(kind: 'resend' | 'forgot', address: string, email: string): RateRule[] {
  return [
    { rule: `${kind}:ip`, subject: address, limit: 100, seconds: hour },
    { rule: `${kind}:account`, subject: email, limit: 5, seconds: hour },
  ]
}

export function resetRules(address: string): RateRule[] {
  return [{ rule: 'reset:ip', subject: address, limit: 60, seconds: hour }]
}
