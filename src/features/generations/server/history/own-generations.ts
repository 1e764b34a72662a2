import { and, eq, exists, gte, ilike, inArray, isNull, lte, or, type SQL } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Executor } from '#server/db/database.ts'
import { keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import type { PageRequest } from '#shared/paging.ts'
import type { GenerationStatus } from '../../rules.ts'
import { endGeneration, nextChange } from '../execution/end-generation.ts'
import { deleteFiles } from '../files/stored-files.ts'
import { generationFiles, generations, renderings } from '../table.ts'
import type { Generation } from './views.ts'

interface ListFilter extends PageRequest {
  tool?: string
  status?: GenerationStatus
  from?: Date
  /** Inclusive. */
  to?: Date
  /** Each word must be in the name of an input or output, unless the tool is one of `named`. */
  search?: string
  /** Ids of tools, separated by commas. */
  named?: string
}

const wordsOf = (search: string) => search.trim().split(/\s+/).filter(Boolean)

function matching(executor: Executor, { search = '', named = '' }: ListFilter): SQL | undefined {
  const words = wordsOf(search)
  if (words.length === 0) return undefined
  const hasFile = (word: string) =>
    exists(
      executor
        .select({ id: generationFiles.id })
        .from(generationFiles)
        .where(
          and(
            eq(generationFiles.generationId, generations.id),
            inArray(generationFiles.role, ['input', 'output']),
            ilike(generationFiles.name, `%${word.replace(/[\\%_]/g, '\\$&')}%`),
          ),
        ),
    )
  return or(and(...words.map(hasFile)), inArray(generations.tool, named.split(',')))
}

// Generation ids ascend with the time of creation.
const newestFirst = keyset<Generation>('generations', 'descending', [
  { column: generations.id, type: 'uuid', of: ({ id }) => id },
])

export async function listGenerations(
  executor: Executor,
  userId: string,
  filter: ListFilter,
): Promise<{ rows: Generation[]; nextCursor: string | null }> {
  const { cursor, tool, status, from, to, limit } = filter
  return await newestFirst.read(
    executor.select().from(generations),
    and(
      eq(generations.userId, userId),
      isNull(generations.deletedAt),
      tool === undefined ? undefined : eq(generations.tool, tool),
      status === undefined ? undefined : eq(generations.status, status),
      from && gte(generations.createdAt, from),
      to && lte(generations.createdAt, to),
      matching(executor, filter),
    ),
    { cursor, limit },
  )
}

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

/** An open generation is cancelled and refunded first. Its ledger entries stay. */
export async function deleteGeneration(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const keys = await transact(db, async (tx) => {
    await findGeneration(tx, userId, id)
    const now = clock()
    await endGeneration(tx, { id, status: 'cancelled', errorCode: null, now })
    await tx.update(generations).set({ deletedAt: now, change: nextChange }).where(eq(generations.id, id))
    await publish(tx, { kind: 'cancel', generationId: id })
    await tx.delete(renderings).where(eq(renderings.generationId, id))
    const files = await deleteFiles(tx, eq(generationFiles.generationId, id), now)
    return [...files, ...(await uploads.dropUploadsOf(tx, id, now))]
  })
  await store.delete(keys)
}

/** Cancels an open generation and refunds its credits; a finished one cannot be cancelled. */
export async function cancelGeneration(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { userId, id }: { userId: string; id: string },
): Promise<Generation> {
  return transact(db, async (tx) => {
    const found = await findGeneration(tx, userId, id)
    if (found.status === 'cancelled') return found
    const ended = await endGeneration(tx, { id, status: 'cancelled', errorCode: null, now: clock() })
    if (!ended) throw appError('generation.not_cancellable')
    await publish(tx, { kind: 'cancel', generationId: id })
    return ended
  })
}
