import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { generationFiles } from '#features/generations/server/table.ts'
import { sharedResults } from '#features/shared-results/server/shared-results.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { isRunning, limitAccount } from '#server/moderation/account-limit.ts'
import { accountLimits } from '#server/moderation/table.ts'
import type { DecideReport } from '../schemas.ts'
import { contentReports, reportedResults } from './table.ts'

const defaultLimitDays = 7

interface Task {
  id: string
  adminId: string
}

/** Decides all waiting reports of a result; the owner and the reporters get a mail. */
export async function decideReport(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, adminId }: Task,
  { decision, reason, days = defaultLimitDays }: DecideReport,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const [found] = await tx
      .select({ userId: reportedResults.userId, status: reportedResults.status })
      .from(reportedResults)
      .where(eq(reportedResults.generationId, id))
      .for('update')
    if (!found) throw appError('content_report.not_found')
    if (found.status !== 'waiting') throw appError('content_report.final')
    const { userId } = found
    await requireAuthorityOver(tx, adminId, userId)
    await tx
      .update(reportedResults)
      .set({ status: decision, answer: reason, decidedAt: now, decidedBy: adminId })
      .where(eq(reportedResults.generationId, id))
    const links = decision === 'kept' ? 0 : await sharedResults.withdraw(tx, id, now)
    const subject = { kind: 'content_report', id }
    const after = { decision, links, ...(decision === 'limited' && { days }) }
    await audit(tx, { actor: adminId, action: 'content_report.decided', subject, after, reason, now })
    if (decision === 'limited') await limitAccount(tx, { userId, hours: days * 24, reason, by: adminId, now })
    else if (links > 0) await enqueueMail(tx, { template: 'share_withdrawn', userId, subjectId: id, now })
    await answerReporters(tx, id, decision, now)
  })
}

async function answerReporters(tx: Transaction, id: string, decision: DecideReport['decision'], now: Date) {
  const template = decision === 'kept' ? 'report_kept' : 'report_acted'
  const notified = await tx
    .selectDistinct({ userId: contentReports.reporterId })
    .from(contentReports)
    .where(and(eq(contentReports.generationId, id), isNotNull(contentReports.reporterId)))
  for (const { userId } of notified) {
    if (userId) await enqueueMail(tx, { template, userId, subjectId: id, now })
  }
}

/** The audit log records the admin's reason before the picture leaves the server. */
export async function openReportedPicture(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { id, adminId }: Task,
  { position, reason }: { position: number; reason: string },
): Promise<{ body: ReadableStream<Uint8Array>; contentType: string }> {
  const now = clock()
  const found = await db
    .select({ key: generationFiles.storageKey, type: generationFiles.contentType, role: generationFiles.role })
    .from(generationFiles)
    .innerJoin(reportedResults, eq(reportedResults.generationId, generationFiles.generationId))
    .where(and(eq(generationFiles.generationId, id), inArray(generationFiles.role, ['output', 'thumbnail'])))
    .orderBy(generationFiles.position, generationFiles.id)
  const output = found.filter(({ role }) => role === 'output')[position]
  const file = output?.type.startsWith('image/') ? output : found.find(({ role }) => role === 'thumbnail')
  if (!output || !file) throw appError('file.not_found')
  const entry = { action: 'content_report.picture_opened', subject: { kind: 'content_report', id } } as const
  await transact(db, (tx) => audit(tx, { actor: adminId, ...entry, after: { position }, reason, now }))
  const { body } = await store.stream(file.key)
  return { body, contentType: file.type }
}

export async function endLimit(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, adminId }: Task,
  reason: string,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const running = and(eq(accountLimits.id, id), isRunning(now))
    const [limit] = await tx.update(accountLimits).set({ endedAt: now }).where(running).returning()
    if (!limit) throw appError('account_limit.not_found')
    await requireAuthorityOver(tx, adminId, limit.userId)
    const subject = { kind: 'account', id: limit.userId }
    await audit(tx, { actor: adminId, action: 'account.limit_ended', subject, reason, now })
  })
}
