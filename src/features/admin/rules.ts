import { healthNames } from '#contract/health.ts'

/** Periods of the dashboard in days. */
export const periodDays = { '7d': 7, '30d': 30, '90d': 90, '12m': 365 } as const
export type Period = keyof typeof periodDays
export const periods = Object.keys(periodDays) as Period[]

/** Kinds of entries in a user's timeline. */
export const timelineKinds = ['run', 'order', 'credits', 'claim', 'request', 'mail', 'security', 'staff'] as const
export type TimelineKind = (typeof timelineKinds)[number]

/** Subjects of notices that admins get by mail. */
export const topics = [
  ...(['ordersAwaiting', 'paymentProblems', 'refundRequests', 'differences'] as const),
  ...(['creditApprovals', 'orderApprovals', 'voucherApprovals'] as const),
  ...healthNames,
] as const
export type Topic = (typeof topics)[number]

/** Frequency of notices to an admin: with each new item, once a day, or never. */
export const noticeModes = ['at_once', 'daily', 'never'] as const
export type NoticeMode = (typeof noticeModes)[number]

/** Longest text of a mail in characters, and longest subject and button. */
export const mailTextMax = 2000
export const mailLineMax = 120
