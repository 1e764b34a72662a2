import { and, desc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { generationFiles, generations } from '#features/generations/server/table.ts'
import { sharedResults as links } from '#features/shared-results/server/table.ts'
import { isFound } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import type { Deps } from '#server/deps.ts'
import { isRunning } from '#server/moderation/account-limit.ts'
import { accountLimits, contentRefusals } from '#server/moderation/table.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import { addTime } from '#shared/time.ts'
import type { LimitList, listReportsInput, MisuseCounts, ReportedResult } from '../schemas.ts'
import { contentReports, reportedResults } from './table.ts'

interface Found {
  result: typeof reportedResults.$inferSelect
}
const keys = [
  { column: reportedResults.createdAt, type: 'timestamptz', of: ({ result }) => result.createdAt.toISOString() },
  { column: reportedResults.generationId, type: 'uuid', of: ({ result }) => result.generationId },
] as const satisfies Key<Found>[]
const orders = {
  newest: keyset<Found>('content_reports:newest', 'descending', keys),
  oldest: keyset<Found>('content_reports:oldest', 'ascending', keys),
}

const shownReports = 10
const countedDays = 30

/** Waiting results oldest first, decided ones newest first; nothing of the pictures. */
export async function listReports(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  query: typeof listReportsInput.infer,
  page: PageRequest = query,
): Promise<Page<ReportedResult>> {
  const { status = 'waiting', search, sort = status === 'waiting' ? 'oldest' : 'newest' } = query
  const now = clock()
  const { generationId, userId } = reportedResults
  const staff = alias(users, 'staff')
  const running = and(eq(links.generationId, generationId), gt(links.expiresAt, now))
  const recent = and(
    eq(contentRefusals.userId, userId),
    gt(contentRefusals.createdAt, addTime(now, { days: -countedDays })),
  )
  const output = and(eq(generationFiles.generationId, generationId), eq(generationFiles.role, 'output'))
  const { rows, nextCursor } = await orders[sort].read(
    db
      .select({
        result: reportedResults,
        user: users,
        by: staff.name,
        tool: generations.tool,
        links: db.$count(links, running).as('links'),
        files: db.$count(generationFiles, output).as('files'),
        refusals: db.$count(contentRefusals, recent).as('refusals'),
        reports: db.$count(contentReports, eq(contentReports.generationId, generationId)).as('reports'),
        limitedUntil: sql<Date | string | null>`(select max(${accountLimits.until}) from ${accountLimits}
          where ${accountLimits.userId} = ${userId} and ${isRunning(now)})`.as('limited_until'),
      })
      .from(reportedResults)
      .innerJoin(users, eq(users.id, userId))
      .innerJoin(generations, eq(generations.id, generationId))
      .leftJoin(staff, eq(staff.id, reportedResults.decidedBy)),
    and(eq(reportedResults.status, status), search ? await isFound(db, search, userId) : undefined),
    page,
  )
  const newest = await newestReports(
    db,
    rows.map(({ result }) => result.generationId),
  )
  const items = rows.map(({ result, user, by, limitedUntil, files, reports, ...counts }): ReportedResult => {
    const { id, name, email, role, duty } = user
    return {
      ...counts,
      id: result.generationId,
      user: { id, name, email, role, duty },
      status: result.status,
      reports: newest
        .filter((report) => report.generationId === result.generationId)
        .map(({ category, note, position, reporterId, createdAt }) => ({
          category,
          note,
          position,
          own: reporterId === result.userId,
          guest: reporterId === null,
          createdAt: createdAt.toISOString(),
        })),
      reportCount: reports,
      hasPicture: files > 0,
      limitedUntil: limitedUntil === null ? null : new Date(limitedUntil).toISOString(),
      answer: result.answer,
      decidedBy: by,
      createdAt: result.createdAt.toISOString(),
    }
  })
  return { items, nextCursor }
}

async function newestReports(db: Deps['db'], ids: string[]) {
  if (ids.length === 0) return []
  const rank = sql<number>`row_number() over (partition by ${contentReports.generationId} order by ${contentReports.id} desc)`
  const ranked = db
    .select({ id: contentReports.id, rank: rank.as('rank') })
    .from(contentReports)
    .where(inArray(contentReports.generationId, ids))
    .as('ranked')
  const found = await db
    .select({ report: contentReports })
    .from(contentReports)
    .innerJoin(ranked, eq(ranked.id, contentReports.id))
    .where(sql`${ranked.rank} <= ${shownReports}`)
    .orderBy(desc(contentReports.id))
  return found.map(({ report }) => report)
}

const listedLimits = 200

/** Running limits, newest first. */
export async function listLimits({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<LimitList> {
  const staff = alias(users, 'staff')
  const found = await db
    .select({ limit: accountLimits, user: users, by: staff.name })
    .from(accountLimits)
    .innerJoin(users, eq(users.id, accountLimits.userId))
    .leftJoin(staff, eq(staff.id, accountLimits.createdBy))
    .where(isRunning(clock()))
    .orderBy(desc(accountLimits.id))
    .limit(listedLimits)
  return {
    items: found.map(({ limit, user: { id, name, email, role, duty }, by }) => ({
      id: limit.id,
      user: { id, name, email, role, duty },
      until: limit.until.toISOString(),
      reason: limit.reason,
      by,
      createdAt: limit.createdAt.toISOString(),
    })),
  }
}

/** Of the last 30 days; numbers only. */
export async function countMisuse({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<MisuseCounts> {
  const now = clock()
  const since = addTime(now, { days: -countedDays })
  const decided = (status: 'kept' | 'withdrawn' | 'limited'): SQL | undefined =>
    and(eq(reportedResults.status, status), gt(reportedResults.decidedAt, since))
  const [reports, waiting, kept, withdrawn, limited, limitedAccounts, refusals] = await Promise.all([
    db.$count(contentReports, gt(contentReports.createdAt, since)),
    db.$count(reportedResults, eq(reportedResults.status, 'waiting')),
    db.$count(reportedResults, decided('kept')),
    db.$count(reportedResults, decided('withdrawn')),
    db.$count(reportedResults, decided('limited')),
    db.$count(accountLimits, isRunning(now)),
    db
      .select({ tool: contentRefusals.tool, kind: contentRefusals.kind, count: sql<number>`count(*)::int` })
      .from(contentRefusals)
      .where(gt(contentRefusals.createdAt, since))
      .groupBy(contentRefusals.tool, contentRefusals.kind)
      .orderBy(desc(sql`count(*)`)),
  ])
  return { reports, waiting, kept, withdrawn, limited, limitedAccounts, refusals }
}
