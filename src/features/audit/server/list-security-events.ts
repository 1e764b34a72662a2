import { and, eq, gte, lte } from 'drizzle-orm'
import { securityEvents } from '#server/audit/table.ts'
import { isFound } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import type { Deps } from '#server/deps.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { listSecurityEventsInput, SecurityEventView } from '../schemas.ts'

interface Found {
  event: typeof securityEvents.$inferSelect
  userName: string | null
}
const key: Key<Found> = { column: securityEvents.id, type: 'bigint', of: ({ event }) => event.id }
const orders = {
  newest: keyset('security:newest', 'descending', [key]),
  oldest: keyset('security:oldest', 'ascending', [key]),
}

/** Newest first by default. */
export async function listSecurityEvents(
  { db }: Pick<Deps, 'db'>,
  query: typeof listSecurityEventsInput.infer,
  { cursor, limit = 20 }: PageRequest = query,
): Promise<Page<SecurityEventView>> {
  const { user, search, kind, from, to, sort = 'newest' } = query
  const order = orders[sort]
  const found = await db
    .select({ event: securityEvents, userName: users.name })
    .from(securityEvents)
    .leftJoin(users, eq(users.id, securityEvents.userId))
    .where(
      and(
        user === undefined ? undefined : eq(securityEvents.userId, user),
        search ? await isFound(db, search, securityEvents.userId) : undefined,
        from && gte(securityEvents.createdAt, from),
        to && lte(securityEvents.createdAt, to),
        kind === undefined ? undefined : eq(securityEvents.kind, kind),
        order.after(cursor),
      ),
    )
    .orderBy(...order.orderBy)
    .limit(limit + 1)
  const { rows, nextCursor } = order.page(found, limit)
  const items = rows.map(({ event, userName }) => ({ ...event, userName, createdAt: event.createdAt.toISOString() }))
  return { items, nextCursor }
}
