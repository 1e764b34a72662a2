import { isEmail } from '#contract/email.ts'
import { parseWhatsapp } from './whatsapp.ts'

/**
 * Life of a request: new → in_progress → done | declined. The last two are final, but what is done
 * can be opened again once.
 */
export const customEditStatuses = ['new', 'in_progress', 'done', 'declined'] as const
export type CustomEditStatus = (typeof customEditStatuses)[number]

/** Longest texts in characters. */
export const titleMax = 120
export const descriptionMax = 4000
export const noteMax = 4000
export const declineReasonMax = 1000

/** Pictures that a request, and its result, may have. */
export const maxAttachments = 5
export const maxResults = 10

/** Days after which a result is promised at the latest. */
export const dueDays = 4
/** Days that the links in its mail work. */
export const linkDays = 30

/** When what is done can be opened again no longer: when the links in its mail end. */
export const reopenedUntil = (finishedAt: Date | string): Date =>
  new Date(new Date(finishedAt).getTime() + linkDays * 86_400_000)

/** Messages of an owner about one request in a day. */
export const messagesPerDay = 20

/** Requests of one person that may be open at once. */
export const maxOpenEdits = 5
/** Requests that one person may make in a day, also when they take them back. */
export const editsPerDay = 10

const missing = (text: string) => (text.trim() === '' ? 'required' : null)

/** What is wrong with the fields of a request: message keys. */
export function customEditProblems(fields: { title: string; whatsapp: string; email: string; description: string }) {
  const { title, whatsapp, email, description } = fields
  return {
    title: missing(title),
    whatsapp: missing(whatsapp) ?? (parseWhatsapp(whatsapp) ? null : 'form.invalid'),
    email: missing(email) ?? (isEmail(email.trim()) ? null : 'form.invalid'),
    description: missing(description),
  }
}
