import { and, desc, eq, isNull, lt } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import type { GenerationStatus } from '../../rules.ts'
import { generations } from '../table.ts'
import type { Generation } from './views.ts'

export interface ListFilter {
  cursor?: string
  tool?: string
  status?: GenerationStatus
  limit: number
}

/** A page of a user's generations, newest first. */
export async function listGenerations(
  executor: Executor,
  userId: string,
  { cursor, tool, status, limit }: ListFilter,
): Promise<{ rows: Generation[]; nextCursor: string | null }> {
  const found = await executor
    .select()
    .from(generations)
    .where(
      and(
        eq(generations.userId, userId),
        isNull(generations.deletedAt),
        cursor === undefined ? undefined : lt(generations.id, cursor),
        tool === undefined ? undefined : eq(generations.tool, tool),
        status === undefined ? undefined : eq(generations.status, status),
      ),
    )
    .orderBy(desc(generations.id))
    .limit(limit + 1)
  const rows = found.slice(0, limit)
  return { rows, nextCursor: found.length > limit ? (rows.at(-1)?.id ?? null) : null }
}
