import type { ReadConfig } from '#server/config.ts'
import { type ApprovalUnit, defaultThresholds } from '../rules.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    approvals: ApprovalConfig
  }
}

/** A sum above which a second person confirms; null: never. */
interface Threshold {
  above: number | null
  /**
   * Set by the operator: without a second person nothing above it happens. The default gives way
   * there, so that a shop of one admin works.
   */
  strict: boolean
}

export type ApprovalConfig = Record<ApprovalUnit, Threshold>

const variables: Record<ApprovalUnit, string> = { credits: 'APPROVAL_CREDITS', idr: 'APPROVAL_IDR' }

/** Reads APPROVAL_CREDITS and APPROVAL_IDR: whole numbers, or `off`. */
export const readApprovalConfig: ReadConfig<ApprovalConfig> = (read) => {
  const config: Partial<ApprovalConfig> = {}
  for (const unit of ['credits', 'idr'] as const) {
    const given = read(variables[unit])
    if (given === undefined) config[unit] = { above: defaultThresholds[unit], strict: false }
    else if (given === 'off') config[unit] = { above: null, strict: false }
    else if (/^\d{1,12}$/.test(given)) config[unit] = { above: Number(given), strict: true }
    else return { problem: `${variables[unit]} must be a whole number, or off` }
  }
  return { config: config as ApprovalConfig }
}
