import type { ReadConfig } from '#server/config.ts'
import { integer } from '#server/config-values.ts'

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
  return {
    config: {
      refusals: refusals === 'off' ? null : integer('REFUSALS_BEFORE_LIMIT', refusals, 1, 1000),
      windowHours: integer('REFUSAL_WINDOW_HOURS', read('REFUSAL_WINDOW_HOURS') ?? '24', 1, maxWindowHours),
      limitHours: integer('REFUSAL_LIMIT_HOURS', read('REFUSAL_LIMIT_HOURS') ?? '24', 1, maxLimitHours),
    },
  }
}
