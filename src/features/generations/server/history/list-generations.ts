import { and, eq, isNull } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { keyset } from '#server/db/keyset.ts'
import type { PageRequest } from '#shared/paging.ts'
import type { GenerationStatus } from '../../rules.ts'
import { generations } from '../table.ts'
import type { Generation } from './views.ts'

interface ListFilter extends PageRequest {
  tool?: string
  status?: GenerationStatus
}

// Generation ids ascend with the time of creation.
const newestFirst = keyset<Generation>('generations', 'descending', [
  { column: generations.id, type: 'uuid', of: ({ id }) => id },
])

export async function listGenerations(
  executor: Executor,
  userId: string,
  { cursor, tool, status, limit = 20 }: ListFilter,
): Promise<{ rows: Generation[]; nextCursor: string | null }> {
  const found = await executor
    .select()
    .from(generations)
    .where(
      and(
        eq(generations.userId, userId),
        isNull(generations.deletedAt),
        newestFirst.after(cursor),
        tool === undefined ? undefined : eq(generations.tool, tool),
        status === undefined ? undefined : eq(generations.status, status),
      ),
    )
    .orderBy(...newestFirst.orderBy)
    .limit(limit + 1)
  return newestFirst.page(found, limit)
}
