import { healthNames } from '#shared/health.ts'
import { languages } from '#shared/language.ts'
import { pageFields, timeSort } from '#shared/paging.ts'
import { text, type } from '#shared/schema.ts'
import { mailLineMax, mailTextMax, noticeModes, periods, timelineKinds } from './rules.ts'

export const dashboardInput = type({ 'period?': type.enumerated(...periods) })

const line = text(mailLineMax).to(/^[^\r\n]*$/)
const count = type('number.integer >= 0')

export const figures = type({
  'revenueIdr?': count.describe('revenue of orders paid in the period; only for staff with the finance duty'),
  orders: count.describe('orders paid in the period'),
  newUsers: count,
  activeUsers: count.describe('users who started a generation in the period'),
  generations: count,
  failed: count.describe('failed generations of the period'),
  medianSeconds: type('number | null').describe('median seconds from the first attempt to the result'),
  creditsSold: count.describe('credits bought or granted by vouchers'),
  creditsSpent: count.describe('net of refunds'),
  creditsExpired: count,
})
export type Figures = typeof figures.infer

/** A bucket is a day of western Indonesian time, or a month if the period is a year. */
export const dashboardSchema = type({
  period: type.enumerated(...periods),
  now: figures,
  before: figures.describe('figures of the previous period of the same length'),
  series: type({
    /** First day of the bucket, `yyyy-mm-dd`. */
    day: 'string',
    'revenueIdr?': count,
    orders: count,
    newUsers: count,
    activeUsers: count,
    generations: count,
    failed: count,
    creditsSold: count,
    creditsSpent: count,
    creditsExpired: count,
  }).array(),
  tools: type({ tool: 'string', generations: count, failed: count, medianSeconds: 'number | null' }).array(),
  /** Independent of the period. */
  open: {
    queued: count,
    running: count,
    ordersAwaiting: count,
    paymentProblems: count,
    refundRequests: count,
    contentReports: count,
    creditApprovals: count,
    orderApprovals: count,
    voucherApprovals: count,
    customEdits: count,
    customEditsOverdue: count,
    differences: count,
  },
})
export type Dashboard = typeof dashboardSchema.infer

/** Sent once a day by each device. */
export const visitInput = type({ first: type('boolean').describe('first visit of the device ever') })

const funnelSteps = {
  visits: count.describe('devices, counted once a day'),
  visitors: count.describe('first-time devices'),
  registered: count.describe('users who registered in the period'),
  started: count.describe('of these users, those who have started a generation since'),
  paid: count.describe('of these users, those who have paid since'),
} as const

/** A bucket is a day of western Indonesian time, or a month for long periods. */
export const funnelSchema = type({
  from: type('string').describe('the first day, `yyyy-mm-dd`'),
  to: type('string').describe('the last day'),
  unit: "'day' | 'month'",
  total: funnelSteps,
  items: type({ day: type('string').describe('first day of the bucket'), ...funnelSteps })
    .array()
    .describe('newest first'),
})
export type Funnel = typeof funnelSchema.infer

export const timelineInput = type({
  'kind?': type.enumerated(...timelineKinds),
  'sort?': timeSort,
  ...pageFields,
})

export const timelineSchema = type({
  items: type({
    key: 'string',
    kind: type.enumerated(...timelineKinds),
    at: 'string',
    what: type('string').describe(
      'the tool, the order’s new status, the entry’s kind, the mail, the event, the action',
    ),
    state: type('string | null').describe('status or subject'),
    detail: 'string | null',
    subject: type('string | null').describe('id of the generation, order or request'),
    code: 'string | null',
    technical: type('string | null').describe('provider, number of attempts and provider messages'),
    again: type('boolean | null').describe('the generation can be run again'),
    amount: type('number | null').describe('credits'),
    seconds: 'number | null',
    usd: type('number | null').describe('provider cost of the generation'),
  }).array(),
  nextCursor: 'string | null',
})
export type TimelineEntry = (typeof timelineSchema.infer)['items'][number]

export const noticesSchema = type({ mode: type.enumerated(...noticeModes) })

export const healthSchema = type({
  items: type({
    name: type.enumerated(...healthNames),
    'value?': type('number | undefined').describe('bytes, seconds or a count; absent when it could not be read'),
    text: 'string',
    problem: type('boolean').describe('needs action'),
  }).array(),
})
export type Health = typeof healthSchema.infer

export const mailTemplatesSchema = type({
  items: type({
    template: 'string',
    subject: 'string',
    own: type('boolean').describe('default text, not edited by staff'),
  }).array(),
})
export type MailTemplates = typeof mailTemplatesSchema.infer

export const mailPreviewInput = type({ language: type.enumerated(...languages) })
export const mailPreviewSchema = type({
  subject: 'string',
  text: 'string',
  htmlUrl: type('string').describe('the email as a page; valid for up to an hour'),
  texts: type({ subject: 'string', text: 'string', action: 'string' }).describe('texts with placeholders as `{name}`'),
  isOwn: type('boolean').describe('default text, not edited by staff'),
  version: 'number.integer >= 0',
  allowed: type('string[]').describe('placeholders that the texts may contain'),
  needed: type('string[]').describe('allowed values that `text` must contain'),
})
export type MailPreview = typeof mailPreviewSchema.infer

/** Null restores the program's own texts. */
export const mailTextsInput = type({
  language: type.enumerated(...languages),
  texts: type({ subject: line, text: text(mailTextMax), action: line }).or('null'),
  version: 'number.integer >= 0',
})
