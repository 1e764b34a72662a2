import type { OrderView } from '#features/billing/schemas.ts'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'

/**
 * Each event carries an id for Last-Event-ID. A new event needs an `EventSource` of its feature, an
 * entry in compose.ts and a handler in src/app/live.ts; the type check finds missing parts.
 */
export interface ServerEvents {
  generation: GenerationView
  order: OrderView
  credits: Pick<CreditBalance, 'credits' | 'unlimitedUntil' | 'updatedAt'>
  /** Clients refetch their lists, staff's board too. */
  customEdits: Record<string, never>
}

export type EventName = keyof ServerEvents
