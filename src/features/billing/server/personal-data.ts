import { and, asc, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { uploads } from '#features/uploads/server/uploads.ts'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import { orderStatus } from '../rules.ts'
import { cancelOrder } from './orders/expire-orders.ts'
import { listOrders } from './orders/view-order.ts'
import { orders, receipts } from './tables/orders.ts'
import { gatewayRefunds, orderRefunds, paymentAttempts } from './tables/payments.ts'

const page = 100

/** Paid orders stay; payment details and pictures that prove transfers are deleted. */
export const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const items = []
    let cursor: string | undefined
    do {
      const found = await listOrders({ db }, userId, { cursor, limit: page })
      items.push(...found.items)
      cursor = found.nextCursor ?? undefined
    } while (cursor)
    yield jsonFile('orders.json', items)
    for (const { id, proofKey, proofType } of await proofsOf(db, userId)) {
      const file = await store.stream(proofKey).catch(() => undefined)
      const extension = proofType?.split('/')[1] ?? 'bin'
      if (file) yield { name: `orders/${id}-proof.${extension}`, content: file.body }
    }
  },

  /** Closes open sessions at the gateway, since there is no buyer any more. */
  async prepareErasure(deps, userId) {
    const { db } = deps
    const unpaid = await db
      .select({ id: orders.id })
      .from(orders)
      .where(and(eq(orders.userId, userId), eq(orders.status, orderStatus.unpaid)))
    for (const { id } of unpaid) await cancelOrder(deps, userId, id)
  },

  async erase(tx, { userId, now }) {
    const proofs = await proofsOf(tx, userId)
    const mine = await tx
      .update(orders)
      // Keys and hashes contain no readable data, but come from the user's device.
      .set({ proofKey: null, proofType: null, contentHash: '', mobileNumber: null })
      .where(eq(orders.userId, userId))
      .returning({ id: orders.id })
    const ids = mine.map(({ id }) => id)
    for (const id of ids) await tx.update(orders).set({ idempotencyKey: id }).where(eq(orders.id, id))
    if (ids.length > 0) {
      // The receipt's number and sums are kept; a receipt drawn later has no name.
      await tx
        .update(orders)
        .set({ receiptParties: sql`jsonb_set(${orders.receiptParties}, '{buyer}', '""')` })
        .where(and(eq(orders.userId, userId), isNotNull(orders.receiptParties)))
      // The law requires the buyer's tax number on invoices with PPN to be kept.
      const isTaxed = and(isNotNull(orders.invoiceNumber), isNotNull(orders.ppnPercent))
      await tx
        .update(orders)
        .set({ invoiceBuyer: null })
        .where(and(eq(orders.userId, userId), isNotNull(orders.invoiceBuyer), sql`not (${isTaxed})`))
      await tx.update(orderRefunds).set({ reason: '' }).where(inArray(orderRefunds.orderId, ids))
      await tx.update(gatewayRefunds).set({ reason: '' }).where(inArray(gatewayRefunds.orderId, ids))
      await tx.delete(receipts).where(inArray(receipts.orderId, ids))
      await tx
        .update(paymentAttempts)
        .set({ url: null, vaNumber: null, qrContent: null, request: null })
        .where(inArray(paymentAttempts.orderId, ids))
    }
    return await uploads.dropFiles(
      tx,
      proofs.map(({ proofKey }) => ({ storageKey: proofKey })),
      now,
    )
  },
}

async function proofsOf(
  executor: Parameters<PersonalData['erase']>[0] | Parameters<PersonalData['archive']>[0]['db'],
  userId: string,
) {
  const found = await executor
    .select({ id: orders.id, proofKey: orders.proofKey, proofType: orders.proofType })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNotNull(orders.proofKey)))
    .orderBy(asc(orders.id))
  return found.flatMap(({ proofKey, ...order }) => (proofKey === null ? [] : [{ ...order, proofKey }]))
}
