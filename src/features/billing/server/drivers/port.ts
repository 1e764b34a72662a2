import type { Language } from '#contract/language.ts'
import type { MethodId } from '../../methods.ts'
import type { DriverId } from '../../rules.ts'

/** Amount, buyer and deadline of a payment. */
export interface PaymentRequest {
  /** Reference of this server, and the idempotency key of repeated requests. */
  attemptId: string
  orderId: string
  amountIdr: number
  method: MethodId
  expiresAt: Date
  description: string
  buyer: { id: string; name: string; email: string; language: Language; mobileNumber: string | null }
}

/**
 * A request in the format of the driver; plain JSON, so that it can be stored and sent again
 * unchanged.
 */
export type PreparedRequest = Record<string, unknown>

/** Details with which the buyer can pay. */
export interface PaymentSession {
  /** The gateway's id of the session, which correlates all later messages. */
  sessionId: string
  /** The gateway's id of the payment request, if known from the beginning. */
  requestId?: string
  /** The gateway's payment page; null if this app's own page suffices. */
  url: string | null
  vaNumber?: string
  qrContent?: string
  account?: { bank: string; number: string; holder: string }
}

/** State of a session as read from the gateway. */
export interface SessionState {
  status: 'active' | 'pending' | 'completed' | 'expired' | 'cancelled' | 'failed'
  amount: number
  currency: string
  /** Reference of this server, as stored by the gateway. */
  reference: string | null
  requestId: string | null
  /** Received payments, with the gateway's id of each. */
  payments: { id: string; amount: number; currency: string }[]
}

/**
 * The gateway definitely refused the request: repeating it is useless. After any other error the
 * outcome is unknown.
 */
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

/** A driver of a payment gateway or method of transfer. */
export interface PaymentDriver {
  id: DriverId
  /** True if the driver learns of received payments by itself; otherwise an admin confirms them. */
  automatic: boolean
  offers(method: MethodId): boolean
  /** Builds the request that `create` sends. */
  prepare(request: PaymentRequest): PreparedRequest
  /**
   * Opens the session of an attempt. Safe to repeat with the same prepared request while the
   * outcome is unknown.
   */
  create(attemptId: string, prepared: PreparedRequest): Promise<PaymentSession>
  /** Null if the gateway does not know the session. */
  read(sessionId: string): Promise<SessionState | null>
  /**
   * Requests the closing of a session, so that it can no longer be paid; only reading it again
   * shows the result.
   */
  cancel?(sessionId: string): Promise<void>
}
