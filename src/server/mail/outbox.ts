import { and, desc, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Database, Transaction } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { FailingJobs } from '../jobs/queue.ts'
import { type Outbox, outboxTimes, wakesSender } from '../outbox.ts'
import { type MailTemplate, mailOutbox, sentMails } from './table.ts'

/** After a day of attempts a mail is given up. */
export const mailQueue = {
  queue: 'send-mail',
  table: mailOutbox,
  maxAttempts: 100,
  pauseSeconds: { first: 5, max: 900 },
} as const satisfies Outbox

/** The mail leaves after the commit. */
export async function enqueueMail(
  tx: Transaction,
  {
    template,
    userId,
    subjectId,
    recipient,
    now,
  }: { template: MailTemplate; userId: string; subjectId?: string; recipient?: string; now: Date },
): Promise<void> {
  const mail = { id: uuid(), template, userId, subjectId, recipient, ...outboxTimes(now) }
  await tx.insert(mailOutbox).values(mail).returning(wakesSender(mailQueue))
}

export async function withdrawMails(tx: Transaction, userId: string, templates: MailTemplate[]): Promise<void> {
  await tx.delete(mailOutbox).where(and(eq(mailOutbox.userId, userId), inArray(mailOutbox.template, templates)))
}

export async function withdrawAllMails(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(mailOutbox).where(eq(mailOutbox.userId, userId))
  await tx.delete(sentMails).where(eq(sentMails.userId, userId))
}

export const sentMailDays = 180

/** Deletes records of mails sent more than half a year ago. */
export async function deleteOldSentMails({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - sentMailDays * 86_400_000)
  await db.delete(sentMails).where(lt(sentMails.sentAt, before))
}

/** Mails whose last attempt failed, with the reason of one of the newest. */
export async function failingMails(db: Database): Promise<FailingJobs[]> {
  const { createdAt, failure } = mailOutbox
  const failing = isNotNull(failure)
  const [oldest] = await db.select({ createdAt }).from(mailOutbox).where(failing).orderBy(createdAt).limit(1)
  if (!oldest) return []
  const [newest] = await db.select({ failure }).from(mailOutbox).where(failing).orderBy(desc(createdAt)).limit(1)
  const jobs = await db.$count(mailOutbox, failing)
  return [{ name: mailQueue.queue, jobs, since: oldest.createdAt.toISOString(), reason: newest?.failure ?? 'unknown' }]
}
