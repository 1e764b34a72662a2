/** Reasons of ledger entries. */
export const ledgerKinds = ['purchase', 'voucher', 'welcome', 'generation', 'refund', 'adjustment', 'expiry'] as const
export type LedgerKind = (typeof ledgerKinds)[number]

/** Sources of credit lots. */
export const grantSources = ['package', 'voucher', 'welcome', 'refund', 'adjustment'] as const
export type GrantSource = (typeof grantSources)[number]

/**
 * Reason why an account got no welcome credits: a disposable address, an address of an alias
 * service, a mailbox that had them before, or a domain whose mailboxes reached the limit.
 */
export const welcomeRefusals = ['disposable', 'alias', 'mailbox', 'domain'] as const
export type WelcomeRefusal = (typeof welcomeRefusals)[number]
/** Days for which a welcome counts for its domain. */
export const domainWelcomeDays = 365

/** Days that welcome credits last, and the fewest days that a lot's first refund lasts. */
export const welcomeDays = 30
export const refundMinDays = 7
/** Days before expiry at which a mail and the screens remind. */
export const reminderDays = 3
/** Share of the given credits at which screens and a message report a low balance. */
export const lowShare = 0.2
/** Generations a day under an unlimited package before 429. */
export const fairUsePerDay = 500

/** Most credits at once, longest validity in days, highest unit price. */
export const maxCredits = 10_000_000
export const maxDays = 3650
export const maxUnitPrice = 100_000
