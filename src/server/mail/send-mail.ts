import { eq } from 'drizzle-orm'
import type { Language } from '#contract/language.ts'
import { account } from '#features/account/server/account.ts'
import { sessions, users } from '#features/account/server/table.ts'
import { billing } from '#features/billing/server/billing.ts'
import type { Deps } from '../deps.ts'
import { translate } from '../i18n.ts'
import { composeMail } from './compose-mail.ts'
import type { Mail } from './mailer.ts'
import { type MailTemplate, mailOutbox } from './table.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config' | 'mailer'>

/** Hands over one owed mail and forgets it. If it fails the mail stays owed and the queue tries again; a mail may arrive twice, but never not at all. */
export async function sendMail({ db, clock, config, mailer }: Tools, mailId: string): Promise<void> {
  const [owed] = await db
    .select({
      template: mailOutbox.template,
      subjectId: mailOutbox.subjectId,
      recipient: mailOutbox.recipient,
      userId: users.id,
      to: users.email,
      language: users.language,
      verified: users.emailVerifiedAt,
      deletedAt: users.deletedAt,
    })
    .from(mailOutbox)
    .innerJoin(users, eq(users.id, mailOutbox.userId))
    .where(eq(mailOutbox.id, mailId))
  if (!owed) return
  const done = () => db.delete(mailOutbox).where(eq(mailOutbox.id, mailId))
  const { template, userId, language, subjectId } = owed
  const to = owed.recipient ?? owed.to
  // A deleted account gets one mail more, and leaves no other behind.
  const farewell = template === 'account_deleted'
  if (farewell) await mailer.forget?.(userId)
  if ((template === 'verify_email' && owed.verified) || (owed.deletedAt && !farewell)) {
    await done()
    return
  }
  const path = await linkPath({ db, clock }, owed)
  const link = new URL(path, config.publicUrl).href
  const send = (rest: Partial<Mail> & { values?: Record<string, string> } = {}) => {
    const { values, ...more } = rest
    return mailer.send({
      ...composeMail({ template, to, language, link, values: { support: config.supportEmail, ...values } }),
      account: userId,
      ...more,
    })
  }
  if (template === 'receipt' && subjectId) {
    const { number, name, bytes } = await billing.receiptFile(
      { db, clock, config },
      { orderId: subjectId, userId, language },
    )
    const attachments = [{ filename: name, contentType: 'application/pdf', content: bytes }]
    await send({ values: { number }, attachments })
  } else if (template === 'order_refused' && subjectId) {
    const reason = await billing.refusalReason(db, subjectId)
    if (reason !== undefined) await send({ values: { reason } })
  } else if (template === 'new_device' && subjectId) {
    const values = await describeSignIn(db, subjectId, language)
    if (values) await send({ values })
  } else {
    await send()
  }
  await done()
}

/** Which device signed in and when, in the time of Jakarta; undefined when nobody can tell any more. */
async function describeSignIn(
  db: Tools['db'],
  sessionId: string,
  language: Language,
): Promise<Record<string, string> | undefined> {
  const [session] = await db.select().from(sessions).where(eq(sessions.id, sessionId))
  if (!session) return undefined
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone: 'Asia/Jakarta',
  })
  const device = account.deviceName(session.userAgent) ?? translate(language, 'mail.new_device.unknown')
  return { device, when: `${format.format(session.createdAt)} WIB` }
}

interface Owed {
  template: MailTemplate
  userId: string
  subjectId: string | null
  recipient: string | null
}

/** Where a mail's button leads; the token in it is made now and stands nowhere else. */
async function linkPath({ db, clock }: Pick<Tools, 'db' | 'clock'>, owed: Owed): Promise<string> {
  const { userId, subjectId, recipient } = owed
  const token = (purpose: 'verify_email' | 'reset_password' | 'change_email', email?: string) =>
    account.makeAccountToken(db, { userId, purpose, email, now: clock() })
  switch (owed.template) {
    case 'verify_email':
      return `/api/verify_email/${await token('verify_email')}`
    case 'reset_password':
      return `/reset-password/${await token('reset_password')}`
    case 'verify_new_email':
      return `/api/confirm_email/${await token('change_email', recipient ?? undefined)}`
    case 'address_in_use':
      return '/login'
    case 'password_changed':
    case 'new_device':
    case 'email_change_requested':
      return '/forgot-password'
    case 'receipt':
      return `/payment-success?order=${subjectId}`
    case 'order_refused':
      return `/checkout?order=${subjectId}`
    case 'credits_expiring':
      return '/pricing'
    case 'email_changed':
    case 'account_deleted':
      return '/'
  }
}
