import { and, eq } from 'drizzle-orm'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import { refundRequests } from './table.ts'

const decided = (status: 'refunded' | 'declined'): MailDefinition => ({
  cause: 'account',
  async content({ db }, { subjectId }) {
    if (subjectId === null) return null
    const [request] = await db
      .select()
      .from(refundRequests)
      .where(and(eq(refundRequests.generationId, subjectId), eq(refundRequests.status, status)))
    // The decision changed before the mail was sent.
    if (!request) return null
    return { path: '/history', values: { credits: String(request.refunded), reason: request.answer ?? '' } }
  },
})

export const generationMails = {
  refund_accepted: decided('refunded'),
  refund_declined: decided('declined'),
} satisfies Record<string, MailDefinition>
