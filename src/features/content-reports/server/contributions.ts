import { and, eq, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { formatWib } from '#server/i18n.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import { isRunning } from '#server/moderation/account-limit.ts'
import { deleteOldRefusals } from '#server/moderation/record-refusal.ts'
import { accountLimits, contentRefusals } from '#server/moderation/table.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
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
  const before = new Date(clock().getTime() - keptDays * 86_400_000)
  await db
    .delete(reportedResults)
    .where(and(ne(reportedResults.status, 'waiting'), lt(reportedResults.decidedAt, before)))
}

async function work(deps: Deps): Promise<void> {
  await deps.jobs.every('delete-old-content-reports', 24 * 3600, () => deleteOldReports(deps))
  await deps.jobs.every('delete-old-refusals', 24 * 3600, () => deleteOldRefusals(deps))
}

export const contentReportContributions = { admin: { openCounts }, mails, personalData, work }
