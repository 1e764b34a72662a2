import { fileURLToPath } from 'node:url'
import { Eta } from 'eta'
import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import { translate } from '../i18n.ts'
import type { MailDefinition } from './mail-definition.ts'
import { fillText, type MailTexts, ownTexts } from './mail-texts.ts'
import type { Mail } from './mailer.ts'
import type { MailTemplate } from './table.ts'

const eta = new Eta({ views: fileURLToPath(new URL('./templates', import.meta.url)), cache: true, autoTrim: false })

/** System fonts; mails load nothing from the network. */
const font = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const footers = {
  anybody: 'mail.footer',
  account: 'mail.account_footer',
  guardian: 'mail.guardian_footer',
  farewell: 'mail.last_footer',
  guardian_farewell: 'mail.guardian_footer',
} as const

/** The HTML has no external styles or pictures. */
export function composeMail({
  template,
  cause,
  to,
  language,
  link,
  values,
  texts = ownTexts(template, language),
}: {
  template: MailTemplate
  cause: MailDefinition['cause']
  to: string
  language: Language
  link: string
  values?: Record<string, string>
  texts?: MailTexts
}): Mail {
  const given = { brand: brandName, ...values }
  const subject = fillText(texts.subject, given)
  const letter = {
    language,
    link,
    font,
    subject,
    brand: brandName,
    greeting: translate(language, 'mail.greeting'),
    paragraphs: texts.text.split('\n\n').flatMap((paragraph) =>
      fillText(paragraph, given)
        .split('\n\n')
        // A code alone in its paragraph is typed elsewhere, so it is large.
        .map((text) => ({ text, large: paragraph.trim() === '{code}' })),
    ),
    action: fillText(texts.action, given),
    hint: translate(language, 'mail.link_hint'),
    footer: translate(language, footers[cause], given),
  }
  return {
    to,
    subject: `${subject} - ${brandName}`,
    text: eta.render('./text-letter', letter),
    html: eta.render('./html-letter', letter),
    link,
  }
}
