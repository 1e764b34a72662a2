import { fileURLToPath } from 'node:url'
import { and, eq } from 'drizzle-orm'
import { Eta } from 'eta'
import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import type { Executor } from '../db/database.ts'
import { translate } from '../i18n.ts'
import type { MailDefinition } from './mail-definition.ts'
import type { Mail } from './mailer.ts'
import { type MailTemplate, mailTexts } from './table.ts'

const eta = new Eta({ views: fileURLToPath(new URL('./templates', import.meta.url)), cache: true, autoTrim: false })

/** System fonts; mails load nothing from the network. */
const font = "system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const footers = {
  typed_address: 'mail.footer',
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

const mailTextFields = ['subject', 'text', 'action'] as const
export type MailTexts = Record<(typeof mailTextFields)[number], string>

/** Placeholders of mails, as `{name}`. */
const names = [
  ...(['brand', 'support', 'number', 'code', 'minutes', 'device', 'when', 'amount', 'credits'] as const),
  ...(['reference', 'reason', 'list', 'title', 'text', 'note', 'providers', 'account'] as const),
]
/** Allowed in every mail, required in none. */
const always = ['brand', 'support']
const placeholder = /\{(\w+)\}/g

const namesIn = (text: string) => [...text.matchAll(placeholder)].map(([, name]) => name as string)

/** Placeholders stay as `{name}`. */
export function ownTexts(template: MailTemplate, language: Language): MailTexts {
  const values = Object.fromEntries(names.map((name) => [name, `{${name}}`]))
  const of = (field: keyof MailTexts) => translate(language, `mail.${template}.${field}`, values)
  return { subject: of('subject'), text: of('text'), action: of('action') }
}

/** `needed`: those that the paragraphs must have. */
export function mailValues(template: MailTemplate, language: Language): { allowed: string[]; needed: string[] } {
  const { subject, text, action } = ownTexts(template, language)
  const needed = [...new Set(namesIn(text))].filter((name) => !always.includes(name))
  return { allowed: [...new Set([...needed, ...namesIn(subject + action), ...always])], needed }
}

export function wrongTexts(template: MailTemplate, language: Language, texts: MailTexts): (keyof MailTexts)[] {
  const { allowed, needed } = mailValues(template, language)
  return mailTextFields.filter((field) => {
    const found = namesIn(texts[field])
    const broken = /[{}]/.test(texts[field].replace(placeholder, ''))
    const lacks = field === 'text' && needed.some((name) => !found.includes(name))
    return broken || lacks || found.some((name) => !allowed.includes(name))
  })
}

const fillText = (text: string, values: Record<string, string>): string =>
  text.replace(placeholder, (_, name: string) => values[name] ?? '')

/** Version 0: staff never edited the mail. */
export async function findMailTexts(
  executor: Executor,
  template: MailTemplate,
  language: Language,
): Promise<{ texts: MailTexts | null; version: number }> {
  const [found] = await executor
    .select()
    .from(mailTexts)
    .where(and(eq(mailTexts.template, template), eq(mailTexts.language, language)))
  return { texts: found?.texts ?? null, version: found?.version ?? 0 }
}

export async function listMailTexts(executor: Executor, language: Language): Promise<Map<string, MailTexts | null>> {
  const found = await executor.select().from(mailTexts).where(eq(mailTexts.language, language))
  return new Map(found.map(({ template, texts }) => [template, texts]))
}

/** Staff's texts, or the program's own if a newer program refuses those. */
export function textsToSend(template: MailTemplate, language: Language, texts: MailTexts | null): MailTexts {
  return texts && wrongTexts(template, language, texts).length === 0 ? texts : ownTexts(template, language)
}
