import { and, eq } from 'drizzle-orm'
import type { Language } from '#contract/language.ts'
import type { Executor } from '../db/database.ts'
import { translate } from '../i18n.ts'
import { type MailTemplate, mailTexts } from './table.ts'

/** Texts of a mail that staff may edit: the subject, the paragraphs, and the button. */
export const mailTextFields = ['subject', 'text', 'action'] as const
export type MailTexts = Record<(typeof mailTextFields)[number], string>

/** Placeholders that sentences of mails may have, as `{name}`. */
const names = [
  ...(['brand', 'support', 'number', 'code', 'minutes', 'device', 'when', 'amount', 'credits'] as const),
  ...(['reference', 'reason', 'list', 'title', 'text', 'note', 'providers'] as const),
]
/** Placeholders that every mail has, and none needs. */
const always = ['brand', 'support']
const placeholder = /\{(\w+)\}/g

const namesIn = (text: string) => [...text.matchAll(placeholder)].map(([, name]) => name as string)

/** The program's own texts of a mail, with placeholders as `{name}`. */
export function ownTexts(template: MailTemplate, language: Language): MailTexts {
  const values = Object.fromEntries(names.map((name) => [name, `{${name}}`]))
  const of = (field: keyof MailTexts) => translate(language, `mail.${template}.${field}`, values)
  return { subject: of('subject'), text: of('text'), action: of('action') }
}

/** Placeholders that a mail's texts may have, and those that its paragraphs must have. */
export function mailValues(template: MailTemplate, language: Language): { allowed: string[]; needed: string[] } {
  const { subject, text, action } = ownTexts(template, language)
  const needed = [...new Set(namesIn(text))].filter((name) => !always.includes(name))
  return { allowed: [...new Set([...needed, ...namesIn(subject + action), ...always])], needed }
}

/** Fields with an unknown placeholder, or without a required one. */
export function wrongTexts(template: MailTemplate, language: Language, texts: MailTexts): (keyof MailTexts)[] {
  const { allowed, needed } = mailValues(template, language)
  return mailTextFields.filter((field) => {
    const found = namesIn(texts[field])
    const broken = /[{}]/.test(texts[field].replace(placeholder, ''))
    const lacks = field === 'text' && needed.some((name) => !found.includes(name))
    return broken || lacks || found.some((name) => !allowed.includes(name))
  })
}

/** Fills the placeholders of a staff's text. */
export const fillText = (text: string, values: Record<string, string>): string =>
  text.replace(placeholder, (_, name: string) => values[name] ?? '')

/** Staff's texts of a mail, and their version; 0 if staff never edited the mail. */
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

/** Staff's texts of mails in a language; none for mails with the program's own texts. */
export async function listMailTexts(executor: Executor, language: Language): Promise<Map<string, MailTexts | null>> {
  const found = await executor.select().from(mailTexts).where(eq(mailTexts.language, language))
  return new Map(found.map(({ template, texts }) => [template, texts]))
}

/**
 * Texts with which a mail is sent: staff's texts, or the program's own if a newer program refuses
 * those.
 */
export function textsToSend(template: MailTemplate, language: Language, texts: MailTexts | null): MailTexts {
  return texts && wrongTexts(template, language, texts).length === 0 ? texts : ownTexts(template, language)
}
