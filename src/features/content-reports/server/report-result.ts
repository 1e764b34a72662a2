import { and, eq, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { generations } from '#features/generations/server/table.ts'
import { sharedResults } from '#features/shared-results/server/shared-results.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { widerNetwork } from '#server/http/client-address.ts'
import { isWithinRate, limitRate } from '#server/http/rate-limit.ts'
import type { SharedReport } from '../schemas.ts'
import { contentReports, reportedResults } from './table.ts'

type ReportDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'tools'>

const hour = 3600
const day = 24 * hour
/** The queue stays readable when many visitors report one result; later reports are dropped. */
const maxReports = 50

/**
 * Takes reports of locked links too, since a person shown in a picture may not have the password.
 * A network counts once a day for a link.
 */
export async function reportShared(
  deps: ReportDeps,
  { token, address, reporterId }: { token: string; address: string; reporterId: string | null },
  report: SharedReport,
): Promise<void> {
  const network = widerNetwork(address)
  await limitRate(deps, [
    { rule: 'content-report:ip', subject: address, limit: 10, seconds: hour },
    { rule: 'content-report:network', subject: network, limit: 40, seconds: day },
  ])
  const shared = await sharedResults.find(deps, token)
  if (!shared) throw appError('shared_result.not_found')
  const { link, generation } = shared
  const reporter = reporterId ?? network
  const once = { rule: 'content-report:once', subject: `${reporter} ${generation.id}`, limit: 1, seconds: day }
  if (!(await isWithinRate(deps, [once]))) return
  const { id: generationId, userId } = generation
  await transact(deps.db, (tx) =>
    addReport(tx, { generationId, userId, reporterId, position: link.position, ...report, now: deps.clock() }),
  )
}

/** For results that offend the user who made them. */
export async function reportOwn(
  deps: Pick<Deps, 'db' | 'clock'>,
  { userId, generationId }: { userId: string; generationId: string },
  report: SharedReport & { position: number },
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const [own] = await tx
      .select({ id: generations.id })
      .from(generations)
      .where(and(eq(generations.id, generationId), eq(generations.userId, userId), isNull(generations.deletedAt)))
    if (!own) throw appError('generation.not_found')
    await addReport(tx, { generationId, userId, reporterId: userId, ...report, now: deps.clock() })
  })
}

interface NewReport extends SharedReport {
  generationId: string
  userId: string
  reporterId: string | null
  position: number
  now: Date
}

async function addReport(tx: Transaction, { userId, now, ...report }: NewReport): Promise<void> {
  const { generationId } = report
  await tx.insert(reportedResults).values({ generationId, userId, createdAt: now }).onConflictDoNothing()
  const [known] = await tx
    .select({ status: reportedResults.status })
    .from(reportedResults)
    .where(eq(reportedResults.generationId, generationId))
    .for('update')
  if ((await tx.$count(contentReports, eq(contentReports.generationId, generationId))) >= maxReports) return
  const note = report.note.trim()
  await tx.insert(contentReports).values({ id: uuid({ msecs: now.getTime() }), ...report, note, createdAt: now })
  // A withdrawn result cannot be shared again, so it needs no second decision.
  if (known?.status !== 'kept') return
  await tx
    .update(reportedResults)
    .set({ status: 'waiting', answer: null, decidedAt: null, decidedBy: null, createdAt: now })
    .where(eq(reportedResults.generationId, generationId))
}
