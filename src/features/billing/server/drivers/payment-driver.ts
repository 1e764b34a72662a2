import type { Language } from '#shared/language.ts'
import type { MethodId } from '../../payment-methods.ts'
import type { DriverId } from '../../rules.ts'

export interface PaymentRequest {
  /** Also the idempotency key of repeated requests. */
  attemptId: string
  orderId: string
  amountIdr: number
  method: MethodId
  expiresAt: Date
  description: string
  buyer: { id: string; name: string; email: string; language: Language; mobileNumber: string | null }
}

/** Plain JSON in the driver's format, so that it can be stored and sent again unchanged. */
export type PreparedRequest = Record<string, unknown>

export interface PaymentSession {
  /** The gateway's id, which correlates all later messages. */
  sessionId: string
  /** The gateway's id of the payment request, if known from the beginning. */
  requestId?: string
  /** The gateway's payment page; null if this app's own page suffices. */
  url: string | null
  vaNumber?: string
  qrContent?: string
  account?: { bank: string; number: string; holder: string }
}

export interface SessionState {
  status: 'active' | 'pending' | 'completed' | 'expired' | 'cancelled' | 'failed'
  amount: number
  currency: string
  /** Reference of this server, as stored by the gateway. */
  reference: string | null
  requestId: string | null
  /** With the gateway's id of each. */
  payments: { id: string; amount: number; currency: string }[]
}

/** Definite refusal: repeating is useless. After any other error the outcome is unknown. */
export class PaymentRefused extends Error {
  readonly status: number
  /** Alternative to the refused request. */
  readonly instead: PreparedRequest | undefined

  constructor(message: string, status: number, instead?: PreparedRequest) {
    super(message)
    this.name = 'PaymentRefused'
    this.status = status
    this.instead = instead
  }
}

export interface RefundState {
  /** The gateway's id; null if unknown. */
  refundId: string | null
  status: 'pending' | 'succeeded' | 'failed'
  failure: string | null
}

export interface PaymentDriver {
  id: DriverId
  /** The driver learns of received payments by itself; otherwise an admin confirms them. */
  automatic: boolean
  offers(method: MethodId): boolean
  /** Builds the request that `create` sends. */
  prepare(request: PaymentRequest): PreparedRequest
  /** Safe to repeat with the same prepared request while the outcome is unknown. */
  create(attemptId: string, prepared: PreparedRequest): Promise<PaymentSession>
  /** Null if the gateway does not know the session. */
  read(sessionId: string): Promise<SessionState | null>
  /** Requests that the session can no longer be paid; only reading it again shows the result. */
  cancel?(sessionId: string): Promise<void>
  /** Absent if money is only sent back by hand. */
  refunds?: {
    /** Safe to repeat with the same id while the outcome is unknown. */
    send(refund: { id: string; amountIdr: number; sessionId: string; requestId: string | null }): Promise<RefundState>
    read(refundId: string): Promise<RefundState>
  }
}
