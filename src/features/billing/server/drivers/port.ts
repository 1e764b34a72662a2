import type { Language } from '#contract/language.ts'
import type { MethodId } from '../../methods.ts'
import type { DriverId } from '../../rules.ts'

/** What is to be paid, by whom and until when. */
export interface PaymentRequest {
  /** Our reference, and the key under which asking again is the same request. */
  attemptId: string
  orderId: string
  amountIdr: number
  method: MethodId
  expiresAt: Date
  description: string
  buyer: { id: string; name: string; email: string; language: Language; mobileNumber: string | null }
}

/**
 * A request as the driver sends it; plain JSON, so that it can be kept and sent again unchanged.
 */
export type PreparedRequest = Record<string, unknown>

/** Where the buyer can pay. */
export interface PaymentSession {
  /** The gateway's name of it, by which everything later is correlated. */
  sessionId: string
  /** The gateway's name of the payment request, where it is known from the beginning. */
  requestId?: string
  /** The gateway's own page; null where ours shows all that is needed. */
  url: string | null
  vaNumber?: string
  qrContent?: string
  account?: { bank: string; number: string; holder: string }
}

/** What the gateway itself says of a session. */
export interface SessionState {
  status: 'active' | 'pending' | 'completed' | 'expired' | 'cancelled' | 'failed'
  amount: number
  currency: string
  /** Our reference, as the gateway keeps it. */
  reference: string | null
  requestId: string | null
  /** Money that arrived, by the gateway's name of each payment. */
  payments: { id: string; amount: number; currency: string }[]
}

/**
 * The gateway understood and said no: asking again is useless. Every other error leaves open
 * whether it did what was asked.
 */
export class PaymentRefused extends Error {
  readonly status: number
  /** What can be sent instead of the request that was refused. */
  readonly instead: PreparedRequest | undefined

  constructor(message: string, status: number, instead?: PreparedRequest) {
    super(message)
    this.name = 'PaymentRefused'
    this.status = status
    this.instead = instead
  }
}

/** A way in which payments reach us. */
export interface PaymentDriver {
  id: DriverId
  /** It knows by itself when money arrives; otherwise an admin has to confirm it. */
  automatic: boolean
  offers(method: MethodId): boolean
  /** What `create` will send. */
  prepare(request: PaymentRequest): PreparedRequest
  /**
   * Opens the session of an attempt. Safe to repeat with the same prepared request while the
   * outcome is unknown.
   */
  create(attemptId: string, prepared: PreparedRequest): Promise<PaymentSession>
  /** Null when the gateway does not know the session. */
  read(sessionId: string): Promise<SessionState | null>
  /**
   * Asks to close a session, so that it can no longer be paid; whether it worked is known when it
   * is read again.
   */
  cancel?(sessionId: string): Promise<void>
}
