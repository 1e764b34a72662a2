import type { ReadConfig } from '#server/config.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    /** Null: the operator has no rules for ages. */
    age: AgeConfig | null
  }
}

/** Ages in full years. Defaults: PP 17/2025, for a service of low risk. */
export interface AgeConfig {
  minimum: number
  adult: number
  needsGuardian: boolean
  /** A silent guardian is reminded after these days; after as many again the account closes. */
  guardianDays: number
}

/** Links to guardians are valid for longer than twice as many days. */
const maxGuardianDays = 28

export const readAgeConfig: ReadConfig<AgeConfig | null> = (read) => {
  const rules = read('AGE_RULES') ?? 'on'
  if (rules === 'off') return { config: null }
  if (rules !== 'on') return { problem: 'AGE_RULES must be on or off' }
  const consent = read('GUARDIAN_CONSENT') ?? 'required'
  if (consent !== 'required' && consent !== 'off') return { problem: 'GUARDIAN_CONSENT must be required or off' }
  const adult = whole(read('ADULT_AGE') ?? '18', 1, 25)
  if (adult === undefined) return { problem: 'ADULT_AGE must be a whole number from 1 to 25' }
  const minimum = whole(read('MINIMUM_AGE') ?? '13', 0, adult)
  if (minimum === undefined) return { problem: `MINIMUM_AGE must be a whole number from 0 to ADULT_AGE, ${adult}` }
  const guardianDays = whole(read('GUARDIAN_DAYS') ?? '7', 1, maxGuardianDays)
  if (guardianDays === undefined)
    return { problem: `GUARDIAN_DAYS must be a whole number from 1 to ${maxGuardianDays}` }
  return { config: { minimum, adult, needsGuardian: consent === 'required', guardianDays } }
}

function whole(given: string, least: number, most: number): number | undefined {
  const number = /^\d{1,3}$/.test(given) ? Number(given) : -1
  return number >= least && number <= most ? number : undefined
}
