import { refusalKinds } from '#shared/moderation.ts'
import { pageFields, timeSort } from '#shared/paging.ts'
import { personFields, reason, type } from '#shared/schema.ts'
import { limitDays, reportCategories, reportNoteMax, reportStatuses } from './rules.ts'

const count = type('number.integer >= 0')
const position = type('0 <= number.integer <= 1000').describe('index of the output')

const about = { category: type.enumerated(...reportCategories), note: `string <= ${reportNoteMax}` } as const
export const sharedReportInput = type(about)
/** `token` names a shared link, `generationId` a result of the user's own. */
export const ownReportInput = type({
  ...about,
  'token?': 'string <= 100',
  'generationId?': 'string.uuid',
  'position?': position,
})
export type SharedReport = typeof sharedReportInput.infer

export const listReportsInput = type({
  'status?': type.enumerated(...reportStatuses),
  'search?': 'string <= 200',
  'sort?': timeSort,
  ...pageFields,
})

const person = type(personFields)

/** Contains nothing of the picture. Times are ISO 8601 in UTC. */
export const reportedResult = type({
  id: type('string').describe('id of the generation'),
  user: person.describe('owner of the result'),
  tool: 'string',
  status: type.enumerated(...reportStatuses),
  reports: type({
    category: type.enumerated(...reportCategories),
    note: 'string',
    position,
    own: type('boolean').describe('the owner reported the own result'),
    guest: type('boolean').describe('the reporter was not signed in'),
    createdAt: 'string',
  })
    .array()
    .describe('the newest ten'),
  reportCount: count,
  links: type(count).describe('active shared links of the result'),
  hasPicture: type('boolean').describe('the result was neither deleted nor did it expire'),
  refusals: type(count).describe("refused contents of the owner's account within a month"),
  limitedUntil: 'string | null',
  answer: 'string | null',
  decidedBy: 'string | null',
  createdAt: 'string',
})
export type ReportedResult = typeof reportedResult.infer
export const reportedResultPage = type({ items: reportedResult.array(), nextCursor: 'string | null' })

export const openPictureInput = type({ position, reason })

export const decideReportInput = type({
  decision: "'kept' | 'withdrawn' | 'limited'",
  reason,
  'days?': type.enumerated(...limitDays).describe('for `limited`; 7 if absent'),
})
export type DecideReport = typeof decideReportInput.infer

export const limitList = type({
  items: type({
    id: 'string',
    user: person,
    until: 'string',
    reason: type('string | null').describe('null after repeated refusals'),
    by: 'string | null',
    createdAt: 'string',
  }).array(),
})
export type LimitList = typeof limitList.infer
export type AccountLimitView = LimitList['items'][number]

export const endLimitInput = type({ reason })

/** Of the last 30 days. */
export const misuseCounts = type({
  reports: count,
  waiting: type(count).describe('now'),
  kept: count,
  withdrawn: count,
  limited: count,
  limitedAccounts: type(count).describe('now'),
  refusals: type({ tool: 'string', kind: type.enumerated(...refusalKinds), count }).array(),
})
export type MisuseCounts = typeof misuseCounts.infer
