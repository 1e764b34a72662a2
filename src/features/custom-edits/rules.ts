import { isEmail } from '#contract/email.ts'
import { parseWhatsapp } from './whatsapp.ts'

/**
 * Life of a request: new → in_progress → done | declined. The last two are final, but a finished
 * request can be reopened once.
 */
export const customEditStatuses = ['new', 'in_progress', 'done', 'declined'] as const
export type CustomEditStatus = (typeof customEditStatuses)[number]

/** Longest texts in characters. */
export const titleMax = 120
export const descriptionMax = 4000
export const noteMax = 4000
export const declineReasonMax = 1000

/** Most pictures of a request and of its result. */
export const maxAttachments = 5
export const maxResults = 10

/** Days until a result is due. */
export const dueDays = 4
/** Validity of the mailed links in days. */
export const linkDays = 30

/** End of the period for reopening: when the mailed links expire. */
export const reopenedUntil = (finishedAt: Date | string): Date =>
  new Date(new Date(finishedAt).getTime() + linkDays * 86_400_000)

/** Messages of the owner about a request in a day. */
export const messagesPerDay = 20

/** Open requests of a user. */
export const maxOpenEdits = 5
/** Requests of a user in a day, including withdrawn ones. */
export const editsPerDay = 10

const missing = (text: string) => (text.trim() === '' ? 'required' : null)

/** Message keys of form problems. */
export function customEditProblems(fields: { title: string; whatsapp: string; email: string; description: string }) {
  const { title, whatsapp, email, description } = fields
  return {
    title: missing(title),
    whatsapp: missing(whatsapp) ?? (parseWhatsapp(whatsapp) ? null : 'form.invalid'),
    email: missing(email) ?? (isEmail(email.trim()) ? null : 'form.invalid'),
    description: missing(description),
  }
}
