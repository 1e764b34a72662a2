import { and, asc, desc, eq, gt, gte, lt, lte } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import { account } from '#features/account/server/account.ts'
import { users } from '#features/account/server/table.ts'
import type { Deps } from '#server/deps.ts'
import type { listSecurityEventsInput } from '../schemas.ts'
import type { SecurityEventView } from '../types.ts'
import { securityEvents } from './table.ts'

/** Security log, newest first by default. */
export async function listSecurityEvents(
  { db }: Pick<Deps, 'db'>,
  {
    user,
    search,
    kind,
    from,
    to,
    sort,
    cursor,
    limit = 20,
  }: Omit<typeof listSecurityEventsInput.infer, 'limit'> & { limit?: number },
): Promise<Page<SecurityEventView>> {
  const isOldest = sort === 'oldest'
  const found = await db
    .select({ event: securityEvents, userName: users.name })
    .from(securityEvents)
    .leftJoin(users, eq(users.id, securityEvents.userId))
    .where(
      and(
        user === undefined ? undefined : eq(securityEvents.userId, user),
        search ? await account.isFound(db, search, securityEvents.userId) : undefined,
        from && gte(securityEvents.createdAt, from),
        to && lte(securityEvents.createdAt, to),
        kind === undefined ? undefined : eq(securityEvents.kind, kind),
        cursor === undefined ? undefined : (isOldest ? gt : lt)(securityEvents.id, Number(cursor)),
      ),
    )
    .orderBy((isOldest ? asc : desc)(securityEvents.id))
    .limit(limit + 1)
  const items = found
    .slice(0, limit)
    .map(({ event, userName }) => ({ ...event, userName, createdAt: event.createdAt.toISOString() }))
  return { items, nextCursor: found.length > limit ? String(items.at(-1)?.id) : null }
}
