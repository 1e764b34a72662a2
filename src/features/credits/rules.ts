export const ledgerKinds = ['purchase', 'voucher', 'welcome', 'generation', 'refund', 'adjustment', 'expiry'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

export const lotSources = ['package', 'voucher', 'welcome', 'refund', 'adjustment'] as const
export type LotSource = (typeof lotSources)[number]

/**
 * Reasons for an account without welcome credits: disposable address, alias service, mailbox that
 * had them before, or a domain at its limit.
 */
export const welcomeRefusals = ['disposable', 'alias', 'mailbox', 'domain'] as const
export type WelcomeRefusal = (typeof welcomeRefusals)[number]
/** Welcomes are counted for a domain for this long. */
export const domainWelcomeDays = 365

/** Days that welcome credits last, and the least that a lot's first refund lasts. */
export const welcomeDays = 30
export const refundMinDays = 7
/** Days before the expiry. */
export const reminderDays = 3
/** Share of the given credits. */
export const lowShare = 0.2
/** Generations under an unlimited package. */
export const fairUsePerDay = 500

export const maxCredits = 10_000_000
export const maxDays = 3650
export const maxUnitPrice = 100_000

interface Owned {
  credits: number
  given: number
  unlimitedUntil: string | null
}

/** Null if the balance suffices and does not run low. */
export function creditNotice(
  { credits, given, unlimitedUntil }: Owned,
  price: number | null,
  now: number,
): 'too-few' | 'low' | null {
  if (unlimitedUntil !== null && Date.parse(unlimitedUntil) > now) return null
  if (price !== null && credits < price) return 'too-few'
  return given > 0 && credits <= given * lowShare ? 'low' : null
}
