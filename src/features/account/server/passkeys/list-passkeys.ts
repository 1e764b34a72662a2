import { asc, eq } from 'drizzle-orm'
import { passkeys } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import type { PasskeyView } from '../../schemas.ts'

export async function listPasskeys(executor: Executor, userId: string): Promise<PasskeyView[]> {
  const found = await executor
    .select()
    .from(passkeys)
    .where(eq(passkeys.userId, userId))
    .orderBy(asc(passkeys.createdAt))
  return found.map(({ id, name, createdAt, lastUsedAt, removalDueAt }) => ({
    id,
    name,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    removalDueAt: removalDueAt?.toISOString() ?? null,
  }))
}
