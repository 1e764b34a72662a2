import { eq } from 'drizzle-orm'
import type { EventSource } from '#features/events/server/events.ts'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { customEdits } from './table.ts'

const changed = { data: {} }

/**
 * That a person's requests changed, in the event stream; also at the start, for nobody knows since
 * when.
 */
export const customEditEvents: EventSource<Record<string, never>> = {
  concerns: (notification) => (notification.kind === 'custom_edits' ? 'list' : undefined),
  read: async () => [changed],
  async start({ db }, { userId }) {
    const mine = db.select({ id: customEdits.id }).from(customEdits).where(eq(customEdits.userId, userId))
    return { changes: (await mine.limit(1)).map(() => changed) }
  },
}

/** Tells whoever asked for a request, once the transaction commits, that it changed. */
export const tellOwner = (tx: Transaction, userId: string): Promise<void> =>
  publish(tx, { kind: 'custom_edits', userId })
