/** Why credits moved. */
export const ledgerKinds = ['purchase', 'voucher', 'welcome', 'generation', 'refund', 'adjustment', 'expiry'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** Where a grant came from. */
export const grantSources = ['package', 'voucher', 'welcome', 'refund', 'adjustment'] as const
export type GrantSource = (typeof grantSources)[number]

/** Credits that came in together and expire together; times are ISO 8601 in UTC. */
export interface GrantView {
  remaining: number
  expiresAt: string
  source: GrantSource
}

/** GET /api/user/myCredit: `credits` is the sum of what remains in grants that have not expired, soonest to expire first. */
export interface CreditBalance {
  credits: number
  unlimitedUntil: string | null
  grants: GrantView[]
  updatedAt: string
}

/** A tool in GET /api/admin/tool_prices; prices are credits for a unit of it. */
export interface ToolPriceView {
  tool: string
  unit: number
  /** What it costs as long as no admin says otherwise. */
  defaultUnit: number
  /** What admins have set, newest first; `by` is the admin's id. */
  history: { unit: number; at: string; by: string | null }[]
}

/** Days that welcome credits last, and the fewest days a refund gives back. */
export const welcomeDays = 30
export const refundMinDays = 7
/** Days before the end of credits at which a mail and the screens remind. */
export const reminderDays = 3
/** Generations a day under an unlimited package before 429. */
export const fairUsePerDay = 500
