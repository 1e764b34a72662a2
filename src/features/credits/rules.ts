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
