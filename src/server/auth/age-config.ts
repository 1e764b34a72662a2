import type { ReadConfig } from '#server/config.ts'
import { integer } from '#server/config-values.ts'

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
  const adult = integer('ADULT_AGE', read('ADULT_AGE') ?? '18', 1, 25)
  const minimum = integer('MINIMUM_AGE', read('MINIMUM_AGE') ?? '13', 0, adult)
  const guardianDays = integer('GUARDIAN_DAYS', read('GUARDIAN_DAYS') ?? '7', 1, maxGuardianDays)
  return { config: { minimum, adult, needsGuardian: consent === 'required', guardianDays } }
}
