import { audit } from '#server/audit/audit.ts'
import { advisoryLock, requireVersion } from '#server/db/locks.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { findMailTexts, wrongTexts } from '#server/mail/mail-texts.ts'
import { type MailTemplate, mailTexts } from '#server/mail/table.ts'
import type { mailTextsInput } from '../schemas.ts'

/** Without texts restores the program's own. */
export async function setMailTexts(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { template, staffId }: { template: MailTemplate; staffId: string },
  { language, texts, version }: typeof mailTextsInput.infer,
): Promise<void> {
  const wrong = texts ? wrongTexts(template, language, texts) : []
  if (wrong.length > 0) {
    const details = Object.fromEntries(wrong.map((field) => [`texts.${field}`, 'form.invalid']))
    throw appError('form.invalid', { details })
  }
  const id = `${template}:${language}`
  await transact(db, async (tx) => {
    await advisoryLock(tx, `mail_texts:${id}`)
    const before = await findMailTexts(tx, template, language)
    requireVersion(version, before.version)
    const row = { template, language, texts, version: before.version + 1 }
    await tx
      .insert(mailTexts)
      .values(row)
      .onConflictDoUpdate({ target: [mailTexts.template, mailTexts.language], set: row })
    await audit(tx, {
      actor: staffId,
      action: 'mail_texts.changed',
      subject: { kind: 'mail', id },
      before: before.texts,
      after: texts,
      now: clock(),
    })
  })
}
