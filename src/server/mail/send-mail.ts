import { eq } from 'drizzle-orm'
import { account } from '#features/account/server/account.ts'
import { users } from '#features/account/server/table.ts'
import { billing } from '#features/billing/server/billing.ts'
import type { Deps } from '../deps.ts'
import { composeMail } from './compose-mail.ts'
import { type MailTemplate, mailOutbox } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config' | 'mailer'>

/** Hands over one owed mail and forgets it. If it fails the mail stays owed and the queue tries again; a mail may arrive twice, but never not at all. */
export async function sendMail({ db, clock, config, mailer }: Tools, mailId: string): Promise<void> {
  const [owed] = await db
    .select({
      template: mailOutbox.template,
      subjectId: mailOutbox.subjectId,
      userId: users.id,
      to: users.email,
      language: users.language,
      verified: users.emailVerifiedAt,
    })
    .from(mailOutbox)
    .innerJoin(users, eq(users.id, mailOutbox.userId))
    .where(eq(mailOutbox.id, mailId))
  if (!owed) return
  const done = () => db.delete(mailOutbox).where(eq(mailOutbox.id, mailId))
  const { template, userId, to, language } = owed
  if (template === 'verify_email' && owed.verified) {
    await done()
    return
  }
  const path = await linkPath({ db, clock }, template, userId, owed.subjectId)
  const link = new URL(path, config.publicUrl).href
  if (template === 'receipt' && owed.subjectId) {
    const { number, name, bytes } = await billing.receiptFile(db, { orderId: owed.subjectId, userId, language })
    const attachments = [{ filename: name, contentType: 'application/pdf', content: bytes }]
    await mailer.send({ ...composeMail({ template, to, language, link, values: { number } }), attachments })
  } else {
    await mailer.send(composeMail({ template, to, language, link }))
  }
  await done()
}

/** Where a mail's button leads; the token in it is made now and stands nowhere else. */
async function linkPath(
  { db, clock }: Pick<Tools, 'db' | 'clock'>,
  template: MailTemplate,
  userId: string,
  subjectId: string | null,
) {
  if (template === 'address_in_use') return '/login'
  if (template === 'password_changed') return '/forgot-password'
  if (template === 'receipt') return `/billing?order=${subjectId}`
  if (template === 'credits_expiring') return '/pricing'
  const token = await account.makeAccountToken(db, { userId, purpose: template, now: clock() })
  return template === 'verify_email' ? `/api/verify_email/${token}` : `/reset-password/${token}`
}
