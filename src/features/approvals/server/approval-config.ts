import type { ReadConfig } from '#server/config.ts'
import { type ApprovalUnit, defaultThresholds } from '../rules.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    approvals: ApprovalConfig
  }
}

/** Null: no amount needs a second member of staff. */
interface Threshold {
  above: number | null
  /**
   * Without a second member of staff no action above the amount is possible. Off by default, so
   * that a shop with a single admin works.
   */
  strict: boolean
}

export type ApprovalConfig = Record<ApprovalUnit, Threshold>

/** Whole numbers, or `off`. */
export const readApprovalConfig: ReadConfig<ApprovalConfig> = (read) => {
  const credits = thresholdOf('credits', read('APPROVAL_CREDITS'))
  if (!credits) return { problem: 'APPROVAL_CREDITS must be a whole number, or off' }
  const idr = thresholdOf('idr', read('APPROVAL_IDR'))
  if (!idr) return { problem: 'APPROVAL_IDR must be a whole number, or off' }
  return { config: { credits, idr } }
}

function thresholdOf(unit: ApprovalUnit, given: string | undefined): Threshold | undefined {
  if (given === undefined) return { above: defaultThresholds[unit], strict: false }
  if (given === 'off') return { above: null, strict: false }
  return /^\d{1,12}$/.test(given) ? { above: Number(given), strict: true } : undefined
}
