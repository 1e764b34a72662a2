import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { Transaction } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { type MailTemplate, mailOutbox, sentMails } from './table.ts'

/** The caller sends the job `send-mail` with the returned id after the commit. */
export async function enqueueMail(
  tx: Transaction,
  {
    template,
    userId,
    subjectId,
    recipient,
    now,
  }: { template: MailTemplate; userId: string; subjectId?: string; recipient?: string; now: Date },
): Promise<string> {
  const id = uuid()
  await tx.insert(mailOutbox).values({ id, template, userId, subjectId, recipient, createdAt: now })
  return id
}

export async function withdrawMails(tx: Transaction, userId: string, templates: MailTemplate[]): Promise<void> {
  await tx.delete(mailOutbox).where(and(eq(mailOutbox.userId, userId), inArray(mailOutbox.template, templates)))
}

export async function withdrawAllMails(tx: Transaction, userId: string): Promise<void> {
  await tx.delete(mailOutbox).where(eq(mailOutbox.userId, userId))
  await tx.delete(sentMails).where(eq(sentMails.userId, userId))
}

/** Deletes records of mails sent more than half a year ago. */
export async function deleteOldSentMails({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - sentDays * 86_400_000)
  await db.delete(sentMails).where(lt(sentMails.sentAt, before))
}

const sentDays = 180
const graceSeconds = 30
const batch = 500

/** A process may have died between the commit and the job. */
export async function sweepMails({ db, jobs, clock }: Pick<Deps, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - graceSeconds * 1000)
  const owed = await db
    .select({ id: mailOutbox.id })
    .from(mailOutbox)
    .where(lt(mailOutbox.createdAt, before))
    .orderBy(asc(mailOutbox.createdAt))
    .limit(batch)
  await jobs.sendAll(
    'send-mail',
    owed.map(({ id }) => ({ data: { mailId: id } })),
  )
}
