import { eq } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { reasonOf } from '../log.ts'
import { beginAttempt, workOutbox } from '../outbox.ts'
import { composeMail } from './compose-mail.ts'
import type { FindRecipient, MailDefinitions, MailDeps } from './mail-definition.ts'
import { findMailTexts, textsToSend } from './mail-texts.ts'
import { mailQueue } from './outbox.ts'
import { mailOutbox, sentMails } from './table.ts'

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
  const [owed] = await db.select().from(mailOutbox).where(eq(mailOutbox.id, mailId))
  if (!owed) return
  const { template, userId, subjectId } = owed
  const definition = definitions[template]
  const person = await findRecipient(db, userId)
  const toGuardian = definition?.cause === 'guardian_farewell'
  const farewell = definition?.cause === 'farewell' || toGuardian
  // A deleted account gets only the farewell mails; its earlier stored mails are deleted.
  if (farewell && !toGuardian) await mailer.forget?.(userId)
  if (definition && person && (!person.deleted || farewell)) {
    const { language } = person
    const to = owed.recipient ?? person.address
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
