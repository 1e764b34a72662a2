import { healthNames } from '#shared/health.ts'

export const periodDays = { '7d': 7, '30d': 30, '90d': 90, '12m': 365 } as const
export type Period = keyof typeof periodDays
export const periods = Object.keys(periodDays) as Period[]

export const timelineKinds = ['run', 'order', 'credits', 'claim', 'request', 'mail', 'security', 'staff'] as const
export type TimelineKind = (typeof timelineKinds)[number]

const openTopics = [
  'ordersAwaiting',
  'paymentProblems',
  'refundRequests',
  'contentReports',
  'differences',
  'creditApprovals',
  'orderApprovals',
  'voucherApprovals',
] as const
export type OpenTopic = (typeof openTopics)[number]

/** Subjects of notices that admins get by mail. */
export const topics = [...openTopics, ...healthNames] as const
export type Topic = (typeof topics)[number]

export const noticeModes = ['at_once', 'daily', 'never'] as const
export type NoticeMode = (typeof noticeModes)[number]

/** In characters; `mailLineMax` limits subject and button. */
export const mailTextMax = 2000
export const mailLineMax = 120
