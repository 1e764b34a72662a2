import type { OrderView } from '#features/billing/types.ts'
import type { CreditBalance } from '#features/credits/types.ts'
import type { GenerationView } from '#features/generations/types.ts'

/**
 * Events of GET /api/events by name. Each carries an id for Last-Event-ID. A new one is named here,
 * read by an `EventSource` of its feature, registered in compose.ts, and handled in
 * src/app/live.ts; the type check finds missing parts.
 */
export interface ServerEvents {
  generation: GenerationView
  order: OrderView
  credits: Pick<CreditBalance, 'credits' | 'unlimitedUntil' | 'updatedAt'>
  /** The lists are asked for anew, staff's board too. */
  customEdits: Record<string, never>
}

export type EventName = keyof ServerEvents
