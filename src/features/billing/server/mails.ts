import { eq } from 'drizzle-orm'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import { refusalReason } from './orders/decide-order.ts'
import { formatIdr } from './orders/format.ts'
import { receiptFile } from './orders/receipt.ts'
import { orderRefunds } from './tables/payments.ts'

export const billingMails = {
  receipt: {
    cause: 'account',
    async content(deps, { userId, subjectId, language }) {
      if (!subjectId) return null
      const { number, name, bytes } = await receiptFile(deps, { orderId: subjectId, userId, language })
      return {
        path: `/payment-success?order=${subjectId}`,
        values: { number },
        attachments: [{ filename: name, contentType: 'application/pdf', content: bytes }],
      }
    },
  },
  order_refused: {
    cause: 'account',
    async content({ db }, { subjectId }) {
      const reason = subjectId ? await refusalReason(db, subjectId) : undefined
      return reason === undefined ? null : { path: `/checkout?order=${subjectId}`, values: { reason } }
    },
  },
  order_refunded: {
    cause: 'account',
    async content({ db }, { subjectId }) {
      const [refund] = subjectId ? await db.select().from(orderRefunds).where(eq(orderRefunds.id, subjectId)) : []
      if (!refund) return null
      const { amountIdr, credits, reference, reason } = refund
      return { path: '/billing', values: { amount: formatIdr(amountIdr), credits: String(credits), reference, reason } }
    },
  },
  credits_expiring: { cause: 'account', content: async () => ({ path: '/pricing' }) },
} satisfies Record<string, MailDefinition>
