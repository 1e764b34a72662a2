import { and, eq, isNull } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { generations } from '../table.ts'
import type { Generation } from './views.ts'

/** Deleted generations, and those of other users, are not found. */
export async function findGeneration(executor: Executor, userId: string, id: string): Promise<Generation> {
  const [row] = isUuid(id)
    ? await executor
        .select()
        .from(generations)
        .where(and(eq(generations.id, id), eq(generations.userId, userId), isNull(generations.deletedAt)))
    : []
  if (!row) throw appError('generation.not_found')
  return row
}
