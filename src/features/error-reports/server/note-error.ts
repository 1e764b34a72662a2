import { createHash } from 'node:crypto'
import { desc, lt, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { isWithinRate } from '#server/http/rate-limit.ts'
import { version } from '#server/version.ts'
import type { errorReportInput } from '../schemas.ts'
import type { ErrorReports } from '../types.ts'
import { errorReports } from './table.ts'

const keptDays = 30
/** Different errors that are kept; what comes beyond has made enough noise. */
const mostRows = 500
const listed = 50

/** What could name somebody, or be theirs: addresses, texts in quotes, long words, numbers. */
const withoutContent = (text: string) =>
  text
    .replace(/https?:\/\/\S+|\S+@\S+/g, '…')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '"…"')
    .replace(/[A-Za-z0-9_-]{25,}|\d{4,}/g, '…')

/** Only names of files of the build, with their places. */
const placesOf = (text: string) => (text.match(/[\w.-]+\.js:\d+:\d+/g) ?? []).slice(0, 3).join(' ')

/**
 * Counts an error that happened on somebody's device; nothing says whose. Few from one address and
 * few different ones are taken, the rest is dropped in silence.
 */
export async function noteError(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  report: typeof errorReportInput.infer,
  address: string,
): Promise<void> {
  const rule = { rule: 'error-report', subject: address, limit: 20, seconds: 3600 }
  if (!(await isWithinRate(deps, [rule]))) return
  const { db, clock } = deps
  const message = withoutContent(report.message)
  const place = placesOf(report.place)
  const fingerprint = createHash('sha256').update(`${report.part}\n${version}\n${message}\n${place}`).digest('hex')
  const now = clock()
  const known = await db
    .update(errorReports)
    .set({ count: sql`${errorReports.count} + 1`, lastAt: now })
    .where(sql`${errorReports.fingerprint} = ${fingerprint}`)
    .returning({ count: errorReports.count })
  if (known.length > 0 || (await db.$count(errorReports)) >= mostRows) return
  const row = { fingerprint, part: report.part, version, message, place, count: 1, firstAt: now, lastAt: now }
  await db.insert(errorReports).values(row).onConflictDoNothing()
}

/** The newest, each with how often it came. */
export async function listErrors({ db }: Pick<Deps, 'db'>): Promise<ErrorReports> {
  const found = await db.select().from(errorReports).orderBy(desc(errorReports.lastAt)).limit(listed)
  return {
    items: found.map(({ fingerprint: _, firstAt, lastAt, ...rest }) => ({
      ...rest,
      firstAt: firstAt.toISOString(),
      lastAt: lastAt.toISOString(),
    })),
  }
}

export async function sweepErrors({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.delete(errorReports).where(lt(errorReports.lastAt, new Date(clock().getTime() - keptDays * 86_400_000)))
}
