import { and, eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { type } from '#shared/schema.ts'
import { methodIds, paymentMethods } from '../../payment-methods.ts'
import type { BillingDeps } from '../deps.ts'
import { simulatorSessions } from '../tables/payments.ts'
import { type PaymentDriver, PaymentRefused, type SessionState } from './payment-driver.ts'

const states = {
  ACTIVE: 'active',
  COMPLETED: 'completed',
  EXPIRED: 'expired',
  CANCELED: 'cancelled',
} as const satisfies Record<string, SessionState['status']>

const prepared = type({
  orderId: 'string',
  amount: 'number.integer',
  method: type.enumerated(...methodIds),
  expiresAt: 'string.date.iso.parse',
})

/** Keeps sessions like a real gateway; a local page decides their outcome. */
export function simulatorDriver({ db, config, clock }: Pick<BillingDeps, 'db' | 'config' | 'clock'>): PaymentDriver {
  return {
    id: 'simulator',
    automatic: true,
    offers: () => true,
    prepare: ({ orderId, amountIdr, method, expiresAt }) => ({
      orderId,
      amount: amountIdr,
      method,
      expiresAt: expiresAt.toISOString(),
    }),
    async create(attemptId, given) {
      const request = prepared.assert(given)
      await db
        .insert(simulatorSessions)
        .values({ id: uuid(), reference: attemptId, ...request, status: 'ACTIVE' })
        .onConflictDoNothing({ target: simulatorSessions.reference })
      const [session] = await db.select().from(simulatorSessions).where(eq(simulatorSessions.reference, attemptId))
      if (!session) throw new Error('the simulator has no such session')
      const { kind } = paymentMethods[request.method]
      return {
        sessionId: session.id,
        url: new URL(`/api/simulator/${session.id}`, config.publicUrl).href,
        ...(kind === 'bank' && { vaNumber: virtualAccount(session.id) }),
        ...(kind === 'qris' && { qrContent: `RUPA-SIMULATOR/${session.id}/${session.amount}` }),
      }
    },
    async read(sessionId) {
      const [session] = await db.select().from(simulatorSessions).where(eq(simulatorSessions.id, sessionId))
      if (!session) return null
      return {
        status: session.status === 'ACTIVE' && session.expiresAt <= clock() ? 'expired' : states[session.status],
        amount: session.amount,
        currency: 'IDR',
        reference: session.reference,
        requestId: null,
        payments: session.payments.map((payment) => ({ ...payment, currency: 'IDR' })),
      }
    },
    refunds: {
      send: async ({ id }) => ({ refundId: `sim-${id}`, status: 'succeeded', failure: null }),
      read: async (refundId) => ({ refundId, status: 'succeeded', failure: null }),
    },
    async cancel(sessionId) {
      const closed = await db
        .update(simulatorSessions)
        .set({ status: 'CANCELED' })
        .where(and(eq(simulatorSessions.id, sessionId), eq(simulatorSessions.status, 'ACTIVE')))
        .returning({ id: simulatorSessions.id })
      if (closed.length === 0) throw new PaymentRefused('the simulator has no such open session', 409)
    },
  }
}

/** Sixteen digits derived from the session, with a prefix that no bank uses. */
function virtualAccount(sessionId: string): string {
  const digits = BigInt(`0x${sessionId.replaceAll('-', '').slice(-15)}`).toString()
  return `0000${digits.slice(-12).padStart(12, '0')}`
}
