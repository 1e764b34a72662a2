import { and, desc, eq, inArray, isNotNull, lt } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { addTime } from '#shared/time.ts'
import type { Database, Transaction } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { FailingJobs } from '../jobs/queue.ts'
import { reasonOf } from '../log.ts'
import { beginAttempt, type Outbox, outboxTimes, wakesSender, workOutbox } from '../outbox.ts'
import { composeMail, findMailTexts, textsToSend } from './compose-mail.ts'
import type { FindRecipient, MailDefinitions, MailDeps } from './mail-definition.ts'
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
  const before = addTime(clock(), { days: -sentMailDays })
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

export interface MailRegistry {
  definitions: MailDefinitions
  findRecipient: FindRecipient
}

export async function workMails(deps: Deps, registry: MailRegistry): Promise<void> {
  await workOutbox(deps, mailQueue, 2, (id) => sendMail(deps, registry, id))
}

/** If sending fails, the mail stays for the next attempt. It may arrive twice. */
export async function sendMail(
  deps: MailDeps & Pick<Deps, 'mailer'>,
  registry: MailRegistry,
  mailId: string,
): Promise<void> {
  if (!(await beginAttempt(deps, mailQueue, mailId))) return
  try {
    await deliver(deps, registry, mailId)
  } catch (error) {
    await deps.db
      .update(mailOutbox)
      .set({ failure: reasonOf(error) })
      .where(eq(mailOutbox.id, mailId))
    throw error
  }
}

async function deliver(
  deps: MailDeps & Pick<Deps, 'mailer'>,
  { definitions, findRecipient }: MailRegistry,
  mailId: string,
): Promise<void> {
  const { db, config, clock, mailer } = deps
  const [pending] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, mailId))
  if (!pending) return
  const { template, userId, subjectId } = pending
  const definition = definitions[template]
  const person = await findRecipient(db, userId)
  const toGuardian = definition?.cause === 'guardian_farewell'
  const farewell = definition?.cause === 'farewell' || toGuardian
  // A deleted account gets only the farewell mails; its earlier stored mails are deleted.
  if (farewell && !toGuardian) await mailer.forget?.(userId)
  if (definition && person && (!person.deleted || farewell)) {
    const { language } = person
    const to = pending.recipient ?? person.address
    const content = await definition.content(deps, { userId, subjectId, to, language })
    if (content) {
      const link = new URL(content.path, config.publicUrl).href
      const values = { support: config.supportEmail, ...content.values }
      const { texts: written } = await findMailTexts(db, template, language)
      const texts = textsToSend(template, language, written)
      await mailer.send({
        ...composeMail({ template, cause: definition.cause, to, language, link, values, texts }),
        // The guardian's last mail is not of the deleted account.
        ...(!toGuardian && { account: userId }),
        ...(content.attachments && { attachments: content.attachments }),
      })
      const sent = { id: mailId, userId, template, sentAt: clock() }
      if (!farewell) await db.insert(sentMails).values(sent).onConflictDoNothing()
    }
  }
  await db.delete(mailOutbox).where(eq(mailOutbox.id, mailId))
}
