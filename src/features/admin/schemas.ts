import { healthNames } from '#contract/health.ts'
import { languages } from '#contract/language.ts'
import { fromMoment, untilMoment } from '#contract/moment.ts'
import { pageCursor, pageSize, timeSort } from '#contract/paging.ts'
import { text, type } from '#contract/schema.ts'
import { mailLineMax, mailTextMax, noticeModes, periods, timelineKinds } from './rules.ts'

/** GET /api/admin/dashboard */
export const dashboardInput = type({ 'period?': type.enumerated(...periods) })

/** A single line of a mail. */
const line = text(mailLineMax).to(/^[^\r\n]*$/)
const count = type('number.integer >= 0')

export const figures = type({
  'revenueIdr?': count.describe('of orders that were paid in it; only for staff who decide about money'),
  orders: count.describe('paid in it'),
  newUsers: count,
  activeUsers: count.describe('who started a generation in it'),
  generations: count,
  failed: count.describe('of these generations'),
  medianSeconds: type('number | null').describe('from the first attempt to the result'),
  creditsSold: count.describe('bought or given by vouchers'),
  creditsSpent: count.describe('less what was given back'),
  creditsExpired: count,
})

/**
 * GET /api/admin/dashboard: a bucket is a day of western Indonesian time, or a month if the period
 * is a year.
 */
export const dashboardSchema = type({
  period: type.enumerated(...periods),
  now: figures,
  before: figures.describe('of the span of the same length before'),
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
  /** Current counts, independent of the period. */
  open: {
    queued: count,
    running: count,
    ordersAwaiting: count,
    paymentProblems: count,
    refundRequests: count,
    creditApprovals: count,
    orderApprovals: count,
    voucherApprovals: count,
    customEdits: count,
    customEditsOverdue: count,
    differences: count,
  },
})

/** POST /api/visits: sent once a day by each device. */
export const visitInput = type({ first: type('boolean').describe('the device was never here before') })

/** Days of a report; by default the thirty that end today. */
export const daysInput = type({ 'from?': fromMoment, 'to?': untilMoment })

const funnelSteps = {
  visits: count.describe('devices, each once a day'),
  visitors: count.describe('devices that had never been here'),
  registered: count.describe('people who registered in it'),
  started: count.describe('of these, who have started a run since'),
  paid: count.describe('of these, who have paid money since'),
} as const

/**
 * GET /api/admin/funnel: a bucket is a day of western Indonesian time, or a month for long periods.
 */
export const funnelSchema = type({
  from: type('string').describe('the first day, `yyyy-mm-dd`'),
  to: type('string').describe('the last day'),
  unit: "'day' | 'month'",
  total: funnelSteps,
  items: type({ day: type('string').describe('the first of the bucket'), ...funnelSteps })
    .array()
    .describe('the newest first'),
})

const whole = type('number.integer')

/**
 * GET /api/admin/run_costs: generations of a tool that used external providers, on the days on
 * which they were started; their credits on the days on which they were charged or refunded.
 */
export const runCostsSchema = type({
  items: type({
    tool: 'string',
    provider: type('string').describe('who did them at last; the engine (`local`) when the others could not'),
    runs: count,
    untold: count.describe('of these, whose provider says nothing of its price'),
    usd: type('number >= 0').describe('what all that were asked for them have cost'),
    costIdr: count.describe('the same at the rate of now'),
    credits: whole.describe('taken for them, less what went back'),
    earnedIdr: whole.describe('what these credits had been bought for'),
    marginIdr: whole.describe('earned less cost'),
  }).array(),
  idrPerUsd: count,
})

/** GET /api/admin/users/{id}/summary */
export const userSummarySchema = type({
  credits: count,
  unlimitedUntil: 'string | null',
  generations: count,
  failedGenerations: count,
  lastGenerationAt: 'string | null',
  paidOrders: count,
  paidIdr: count,
  refundRequests: count,
  sessions: type({
    id: 'string',
    device: 'string | null',
    createdAt: 'string',
    lastSeenAt: 'string',
    secondFactor: 'boolean',
  }).array(),
})

/** GET /api/admin/users/{id}/timeline */
export const timelineInput = type({
  'kind?': type.enumerated(...timelineKinds),
  'sort?': timeSort,
  'cursor?': pageCursor,
  'limit?': pageSize,
})

export const timelineSchema = type({
  items: type({
    key: 'string',
    kind: type.enumerated(...timelineKinds),
    at: 'string',
    what: type('string').describe(
      'the tool, the order’s new status, the entry’s kind, the mail, the event, the action',
    ),
    state: type('string | null').describe('how it stands, or what it is about'),
    detail: 'string | null',
    subject: type('string | null').describe('id of the run, order or request'),
    code: 'string | null',
    technical: type('string | null').describe('who did it, how often it was tried, what providers said'),
    again: type('boolean | null').describe('the run can be run again'),
    amount: type('number | null').describe('credits'),
    seconds: 'number | null',
    usd: type('number | null').describe('what providers asked for the run'),
  }).array(),
  nextCursor: 'string | null',
})

/** GET /api/admin/tools/{tool}/failures */
export const failuresSchema = type({
  items: type({
    id: 'string',
    userId: 'string',
    code: 'string',
    msg: 'string',
    provider: 'string',
    attempts: count,
    finishedAt: 'string | null',
    again: type('boolean').describe('it can be run again: its inputs are there, and it was not before'),
  }).array(),
})

/** GET and PUT /api/admin/notices: how often the signed-in admin gets notices of open items. */
export const noticesSchema = type({ mode: type.enumerated(...noticeModes) })

/** GET /api/admin/health */
export const healthSchema = type({
  items: type({
    name: type.enumerated(...healthNames),
    value: type('number | undefined').describe('bytes, seconds or a count; absent when it could not be read'),
    text: 'string',
    problem: type('boolean').describe('somebody has to act'),
  }).array(),
})

/** GET /api/admin/mail_templates */
export const mailTemplatesSchema = type({
  items: type({
    template: 'string',
    subject: 'string',
    own: type('boolean').describe('worded by the program, and not by staff'),
  }).array(),
})

/** GET /api/admin/mail_templates/{template}, and POST …/test */
export const mailPreviewInput = type({ language: type.enumerated(...languages) })
export const mailPreviewSchema = type({
  subject: 'string',
  text: 'string',
  htmlUrl: type('string').describe('the same as a page, for an hour at most'),
  texts: type({ subject: 'string', text: 'string', action: 'string' }).describe('with its values as `{name}`'),
  isOwn: type('boolean').describe('worded by the program, and not by staff'),
  version: 'number.integer >= 0',
  allowed: type('string[]').describe('values that its texts may have'),
  needed: type('string[]').describe('of these, those that `text` must have'),
})

/** PUT /api/admin/mail_templates/{template}; null restores the program's own texts. */
export const mailTextsInput = type({
  language: type.enumerated(...languages),
  texts: type({ subject: line, text: text(mailTextMax), action: line }).or('null'),
  version: 'number.integer >= 0',
})
