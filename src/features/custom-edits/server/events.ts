import { and, eq, ne } from 'drizzle-orm'
import type { EventSource } from '#features/events/server/events.ts'
import { findStaff } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { publish } from '#server/notify.ts'
import { customEdits } from './table.ts'

const changed = { data: {} }

/** Events are also sent at the start, since the last known state is unknown. */
export const customEditEvents: EventSource<Record<string, never>> = {
  concerns: (notification) => (notification.kind === 'custom_edits' ? 'list' : undefined),
  read: async () => [changed],
  async start({ db }, { userId }) {
    const mine = db.select({ id: customEdits.id }).from(customEdits).where(eq(customEdits.userId, userId))
    const staff = db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, userId), ne(users.role, 'user')))
    return { changes: (await mine.unionAll(staff).limit(1)).map(() => changed) }
  },
}

/** Notifies when the transaction commits; `owner` only where the change is visible to them. */
export async function notifyRequestChange(tx: Transaction, owner?: string): Promise<void> {
  const staff = [...(await findStaff(tx, 'designer')), ...(await findStaff(tx, 'admin'))]
  const people = new Set(owner === undefined ? staff : [owner, ...staff])
  if (people.size > 0) await publish(tx, ...[...people].map((userId) => ({ kind: 'custom_edits' as const, userId })))
}
