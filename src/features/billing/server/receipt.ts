import { and, eq } from 'drizzle-orm'
import type { Language } from '#contract/language.ts'
import { users } from '#features/account/server/table.ts'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { translate } from '#server/i18n.ts'
import { paymentMethods } from '../methods.ts'
import { formatIdr, formatUsd, formatWib } from './format.ts'
import type { Order } from './order-record.ts'
import { drawReceipt, type Receipt } from './receipt-pdf.ts'
import { orders } from './table.ts'
import { receiptNumber } from './view-order.ts'

/** A paid order's receipt as a PDF, in a language. It is drawn from what was frozen in the order, so it is the same whenever it is asked for. */
export async function receiptFile(
  db: Executor,
  { orderId, userId, language }: { orderId: string; userId: string; language: Language },
): Promise<{ number: string; name: string; bytes: Uint8Array }> {
  const [found] = await db
    .select({ order: orders, buyer: users.name })
    .from(orders)
    .innerJoin(users, eq(users.id, orders.userId))
    .where(and(eq(orders.id, orderId), eq(orders.userId, userId)))
  if (!found) throw appError('order.not_found')
  const receipt = worded(found.order, found.buyer, language)
  return {
    number: receipt.number,
    name: `${receipt.number}.pdf`,
    bytes: await drawReceipt(receipt, found.order.paidAt),
  }
}

function worded(order: Order, buyer: string, language: Language): Receipt {
  if (order.receipt === null || order.paidAt === null) throw appError('order.not_paid')
  const say = (id: `receipt.${string}`, values?: Record<string, string | number>) => translate(language, id, values)
  const count = new Intl.NumberFormat(language === 'id' ? 'id-ID' : 'en-GB')
  const items: Receipt['items'] = []
  if (order.packageName !== null && order.packageDays !== null) {
    const days = order.packageDays
    items.push({
      text: `${order.packageName} (${formatUsd(order.packageCents)})`,
      note:
        order.packageCredits === null
          ? say('receipt.unlimited', { days })
          : say('receipt.credits', { credits: count.format(order.packageCredits), days }),
      amount: formatIdr(order.subtotalIdr),
    })
  }
  if (order.voucherCode !== null && order.voucherCredits > 0) {
    items.push({
      text: say('receipt.voucher', { code: order.voucherCode }),
      note: say('receipt.credits', { credits: count.format(order.voucherCredits), days: order.voucherDays ?? 0 }),
      amount: formatIdr(0),
    })
  }
  if (order.voucherCode !== null && order.discountIdr > 0) {
    items.push({
      text: say('receipt.discount', { code: order.voucherCode }),
      note: '',
      amount: `- ${formatIdr(order.discountIdr)}`,
    })
  }
  const number = receiptNumber(order.receipt)
  return {
    number,
    title: say('receipt.title'),
    facts: [
      [say('receipt.number'), number],
      [say('receipt.date'), formatWib(order.paidAt, language)],
      [say('receipt.order'), order.id],
      [say('receipt.buyer'), buyer],
      [say('receipt.method'), order.method === null ? say('receipt.no_method') : paymentMethods[order.method].name],
    ],
    head: [say('receipt.item'), say('receipt.amount')],
    items,
    total: [say('receipt.total'), formatIdr(order.totalIdr)],
    rate: say('receipt.rate', { rate: formatIdr(order.idrPerUsd) }),
  }
}
