import { wibFields } from './time.ts'
/** A changed text of the guardian's page needs a new version and a new consent. */
export const guardianConsentVersion = '2026-11'

/** `unknown` users have not told their birth year. Staff count as adults. */
export const ageBands = ['unknown', 'minor', 'adult'] as const
export type AgeBand = (typeof ageBands)[number]

/** `unnamed`: no guardian is named yet; `waiting`: the guardian has not decided. */
export const guardianStates = ['not_needed', 'unnamed', 'waiting', 'given'] as const
export type GuardianState = (typeof guardianStates)[number]

export type ClosingReason = 'too_young' | 'guardian_refused' | 'guardian_revoked' | 'guardian_silent'

const oldestAge = 120

/** Only the year is known, so this is the youngest age that it allows, by Jakarta's calendar. */
export function youngestAge(birthYear: number, now: Date): number {
  return yearOf(now) - birthYear - 1
}

export const yearOf = (now: Date): number => wibFields(now).getUTCFullYear()

export function isBirthYear(birthYear: number, now: Date): boolean {
  const year = yearOf(now)
  return Number.isInteger(birthYear) && birthYear <= year && birthYear >= year - oldestAge
}
