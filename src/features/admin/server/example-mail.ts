import type { Deps } from '#server/deps.ts'
import { composeMail } from '#server/mail/compose-mail.ts'
import type { MailDefinitions } from '#server/mail/mail-definition.ts'
import { type MailTexts, textsToSend } from '#server/mail/mail-texts.ts'
import type { Mail } from '#server/mail/mailer.ts'
import type { MailTemplate } from '#server/mail/table.ts'
import type { Language } from '#shared/language.ts'

const values = {
  number: 'R-000123',
  code: '123456',
  minutes: '15',
  device: 'Chrome · Android',
  when: '17 Agustus 2026, 10.00 WIB',
  amount: 'Rp 165.000',
  credits: '499',
  reference: 'BCA-0099',
  reason: 'Contoh alasan',
  list: '2 transfer',
  title: 'Foto keluarga',
  text: 'Contoh pesan',
  note: '\n\nContoh catatan',
}

/** With staff's texts if there are any. */
export function exampleMail(
  { config }: Pick<Deps, 'config'>,
  definitions: MailDefinitions,
  {
    template,
    language,
    texts,
    to = '',
  }: { template: MailTemplate; language: Language; texts: MailTexts | null; to?: string },
): Mail {
  return composeMail({
    template,
    cause: definitions[template].cause,
    to,
    language,
    link: new URL('/', config.publicUrl).href,
    values: { support: config.supportEmail, ...values },
    texts: textsToSend(template, language, texts),
  })
}
