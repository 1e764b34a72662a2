import type { ReadConfig } from '#server/config.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    moderation: ModerationConfig
  }
}

/** So many different refused contents within the window limit an account; null: never. */
export interface ModerationConfig {
  refusals: number | null
  windowHours: number
  limitHours: number
}

/** The window is not longer than refusals are kept. */
const maxWindowHours = 30 * 24
const maxLimitHours = 365 * 24

export const readModerationConfig: ReadConfig<ModerationConfig> = (read) => {
  const refusals = read('REFUSALS_BEFORE_LIMIT') ?? '5'
  if (refusals !== 'off' && wholeUpTo(1000, refusals) === undefined)
    return { problem: 'REFUSALS_BEFORE_LIMIT must be a whole number from 1 to 1000, or off' }
  const windowHours = wholeUpTo(maxWindowHours, read('REFUSAL_WINDOW_HOURS') ?? '24')
  if (windowHours === undefined)
    return { problem: `REFUSAL_WINDOW_HOURS must be a whole number from 1 to ${maxWindowHours}` }
  const limitHours = wholeUpTo(maxLimitHours, read('REFUSAL_LIMIT_HOURS') ?? '24')
  if (limitHours === undefined)
    return { problem: `REFUSAL_LIMIT_HOURS must be a whole number from 1 to ${maxLimitHours}` }
  return { config: { refusals: refusals === 'off' ? null : Number(refusals), windowHours, limitHours } }
}

function wholeUpTo(most: number, given: string): number | undefined {
  const number = /^\d{1,6}$/.test(given) ? Number(given) : 0
  return number >= 1 && number <= most ? number : undefined
}
