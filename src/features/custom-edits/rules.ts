import { isEmail } from '#shared/credentials.ts'
import { addTime } from '#shared/time.ts'

/**
 * new → in_progress → done | declined. The last two are final, but a finished request can be
 * reopened once.
 */
export const customEditStatuses = ['new', 'in_progress', 'done', 'declined'] as const
export type CustomEditStatus = (typeof customEditStatuses)[number]

/** Characters. */
export const titleMax = 120
export const descriptionMax = 4000
export const noteMax = 4000
export const declineReasonMax = 1000

export const maxAttachments = 5
export const maxResults = 10
/** With a message of the owner. */
export const maxMessagePictures = 3

export const dueDays = 4
/** Validity of the mailed links. */
export const linkDays = 30

/** Until then the mailed links work, and a second version or a rating is possible. */
export const resultsKeptUntil = (finishedAt: Date | string): Date => addTime(new Date(finishedAt), { days: linkDays })

export const ratingCommentMax = 500
/** A rating can be changed for so many days. */
export const ratingDays = 7

/** Messages of the owner about a request. */
export const messagesPerDay = 20

/** Per user. */
export const maxOpenEdits = 5
/** Per user, including withdrawn requests. */
export const editsPerDay = 10

const missing = (text: string) => (text.trim() === '' ? 'required' : null)

export function customEditProblems(fields: { title: string; whatsapp: string; email: string; description: string }) {
  const { title, whatsapp, email, description } = fields
  return {
    title: missing(title),
    whatsapp: missing(whatsapp) ?? (parseWhatsapp(whatsapp) ? null : 'form.invalid'),
    email: missing(email) ?? (isEmail(email.trim()) ? null : 'form.invalid'),
    description: missing(description),
  }
}

/**
 * Normalizes 08…, 62…, +62… to `+62…`, and the notation of another country's number (E.164) to `+`
 * and its digits; undefined if invalid. Any sufficient length passes: operators assign new ranges
 * before a list could know them.
 */
export function parseWhatsapp(text: string): string | undefined {
  // Full-width digits count as digits, and words may surround a number.
  const [, written = ''] = /^[^\d+]*(\+?\d[\d\s.()/\p{Dash}]*)\D*$/u.exec(text.normalize('NFKC')) ?? []
  const digits = written.replaceAll(/[^\d+]/g, '')
  const [, number] = /^(?:\+?62)?0?(8\d{8,12})$/.exec(digits) ?? []
  if (number) return `+62${number}`
  return /^\+(?!62)[1-9]\d{7,14}$/.test(digits) ? digits : undefined
}
