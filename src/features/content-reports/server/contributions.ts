import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type CsvColumns, listResponse, toWesternIndonesianTime } from '#server/http/csv.ts'
import type { UserEnv } from '#server/http/env.ts'
import { file, route } from '#server/http/route.ts'
import { privatePicture } from '#server/http/security-headers.ts'
import { pathId } from '#server/http/validate.ts'
import { formatWib } from '#server/i18n.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import { deleteOldRefusals, isRunning } from '#server/moderation/account-limit.ts'
import { accountLimits, contentRefusals } from '#server/moderation/table.ts'
import { addTime } from '#shared/time.ts'
import {
  decideReportInput,
  endLimitInput,
  limitList,
  listReportsInput,
  misuseCounts,
  openPictureInput,
  ownReportInput,
  type ReportedResult,
  reportedResultPage,
  sharedReportInput,
} from '../schemas.ts'
import { decideReport, endLimit, openReportedPicture } from './decide-report.ts'
import { countMisuse, listLimits, listReports } from './list-reports.ts'
import { reportOwn, reportShared } from './report-result.ts'
import { contentReports, reportedResults } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const sent = await db
      .select({ category: contentReports.category, note: contentReports.note, at: contentReports.createdAt })
      .from(contentReports)
      .where(eq(contentReports.reporterId, userId))
    if (sent.length > 0) yield jsonFile('reports.json', sent)
    const limits = await db
      .select({ until: accountLimits.until, reason: accountLimits.reason, at: accountLimits.createdAt })
      .from(accountLimits)
      .where(eq(accountLimits.userId, userId))
    const refusals = await db
      .select({ tool: contentRefusals.tool, kind: contentRefusals.kind, at: contentRefusals.createdAt })
      .from(contentRefusals)
      .where(eq(contentRefusals.userId, userId))
    if (limits.length > 0 || refusals.length > 0) yield jsonFile('limits.json', { limits, refusals })
  },
  async erase(tx, { userId }) {
    await tx.delete(reportedResults).where(eq(reportedResults.userId, userId))
    await tx.update(contentReports).set({ reporterId: null, note: '' }).where(eq(contentReports.reporterId, userId))
    await tx.delete(accountLimits).where(eq(accountLimits.userId, userId))
    await tx.delete(contentRefusals).where(eq(contentRefusals.userId, userId))
    return []
  },
}

const decided = (statuses: readonly ('kept' | 'withdrawn' | 'limited')[], path: string): MailDefinition => ({
  cause: 'account',
  async content({ db }, { subjectId }) {
    if (subjectId === null) return null
    const [result] = await db
      .select({ answer: reportedResults.answer })
      .from(reportedResults)
      .where(and(eq(reportedResults.generationId, subjectId), inArray(reportedResults.status, [...statuses])))
    // The decision changed, or the result's account was deleted, before the mail was sent.
    return result ? { path, values: { reason: result.answer ?? '' } } : null
  },
})

const limited: MailDefinition = {
  cause: 'account',
  async content({ db, clock }, { subjectId, language }) {
    if (subjectId === null) return null
    const [limit] = await db
      .select()
      .from(accountLimits)
      .where(and(eq(accountLimits.id, subjectId), isRunning(clock())))
    if (!limit) return null
    return {
      path: '/terms-of-service',
      values: { when: formatWib(limit.until, language), ...(limit.reason !== null && { reason: limit.reason }) },
    }
  },
}

const mails = {
  report_kept: decided(['kept'], '/'),
  report_acted: decided(['withdrawn', 'limited'], '/'),
  share_withdrawn: decided(['withdrawn'], '/history'),
  account_limited: limited,
  account_limited_refusals: limited,
} satisfies Record<string, MailDefinition>

const openCounts = {
  contentReports: {
    count: () => sql`select count(*) from ${reportedResults} where ${reportedResults.status} = 'waiting'`,
    notice: 'moderation',
  },
} as const

const keptDays = 365

/** Decided reports are kept for a year, since a refused user may ask again. */
async function deleteOldReports({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = addTime(clock(), { days: -keptDays })
  await db
    .delete(reportedResults)
    .where(and(ne(reportedResults.status, 'waiting'), lt(reportedResults.decidedAt, before)))
}

async function work(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-old-content-reports', 24 * 3600, () => deleteOldReports(deps))
  await deps.jobs.every('delete-old-refusals', 24 * 3600, () => deleteOldRefusals(deps))
}

export const contentReportContributions = { admin: { openCounts }, mails, personalData, work }

const columns: CsvColumns<ReportedResult> = {
  generation: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  status: ({ status }) => status,
  tool: ({ tool }) => tool,
  owner: ({ user }) => user.email,
  reports: ({ reportCount }) => reportCount,
  categories: ({ reports }) => [...new Set(reports.map(({ category }) => category))].join(', '),
  refusals: ({ refusals }) => refusals,
  decided_by: ({ decidedBy }) => decidedBy,
  answer: ({ answer }) => answer,
}

export function contentReportRoutes(deps: Deps) {
  const staff = requirePermission(deps, 'moderation')
  const task = (c: Context<UserEnv>) => ({ id: pathId(c, 'content_report.not_found'), adminId: c.var.user.id })
  return [
    route('reportSharedResult', 'POST /shared_results/:token/reports', 'visitor', {
      summary: 'Report a shared result without an account',
      input: { json: sharedReportInput },
      output: { 204: 'Reported' },
      errors: ['request.rate_limited', 'shared_result.not_found'],
      handler: (c) => {
        const source = { token: c.req.param('token'), address: c.var.address, reporterId: null }
        return reportShared(deps, source, c.req.valid('json'))
      },
    }),
    route('reportResult', 'POST /user/reports', requireUser(deps), {
      summary: 'Report a shared result or a result of your own; the decision comes by email',
      input: { json: ownReportInput },
      limits: (c) => [{ rule: 'content-report:user', subject: c.var.user.id, limit: 20, seconds: 3600 }],
      output: { 204: 'Reported' },
      errors: ['shared_result.not_found', 'generation.not_found'],
      handler: (c) => {
        const { user, address } = c.var
        const { token, generationId, position = 0, ...report } = c.req.valid('json')
        if (generationId !== undefined)
          return reportOwn(deps, { userId: user.id, generationId }, { ...report, position })
        if (token === undefined) throw appError('form.invalid', { details: { token: 'form.required' } })
        return reportShared(deps, { token, address, reporterId: user.id }, report)
      },
    }),
    route('listContentReports', 'GET /admin/content_reports', staff, {
      summary: 'List reported results without their pictures: waiting ones oldest first, others newest first',
      input: { query: listReportsInput },
      output: { 200: ['One page of results', reportedResultPage] },
      handler: (c) =>
        listResponse(c, 'content-reports', columns, (page) => listReports(deps, c.req.valid('query'), page)),
    }),
    route('countMisuse', 'GET /admin/content_reports/counts', staff, {
      summary: 'Count reports, decisions and refused contents of the last 30 days',
      output: { 200: ['The counts', misuseCounts] },
      handler: () => countMisuse(deps),
    }),
    route('openReportedPicture', 'POST /admin/content_reports/:id/picture', staff, {
      summary: 'Get a reported picture for a reason; recorded in the audit log',
      input: { json: openPictureInput },
      output: { 200: file('The picture', 'image/*') },
      errors: ['content_report.not_found', 'file.not_found'],
      handler: async (c) => {
        const picture = await openReportedPicture(deps, task(c), c.req.valid('json'))
        return c.body(picture.body, 200, privatePicture(picture.contentType))
      },
    }),
    route('decideContentReport', 'POST /admin/content_reports/:id', staff, {
      summary: 'Keep a reported result, withdraw its links, or limit the account as well',
      input: { json: decideReportInput },
      output: { 204: 'Decided' },
      errors: ['content_report.not_found', 'content_report.final', 'account.not_found'],
      handler: (c) => decideReport(deps, task(c), c.req.valid('json')),
    }),
    route('listAccountLimits', 'GET /admin/account_limits', staff, {
      summary: 'List limited accounts with reason and end',
      output: { 200: ['The limits', limitList] },
      handler: () => listLimits(deps),
    }),
    route('endAccountLimit', 'POST /admin/account_limits/:id/end', staff, {
      summary: 'End the limit of an account early',
      input: { json: endLimitInput },
      output: { 204: 'Ended' },
      errors: ['account_limit.not_found', 'account.not_found'],
      handler: (c) => {
        const limit = { id: pathId(c, 'account_limit.not_found'), adminId: c.var.user.id }
        return endLimit(deps, limit, c.req.valid('json').reason)
      },
    }),
  ]
}
