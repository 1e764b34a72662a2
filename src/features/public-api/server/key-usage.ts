import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { generationFiles, generations } from '#features/generations/server/table.ts'
import { apiKeys } from '#server/auth/table.ts'
import { type Executor, rows } from '#server/db/database.ts'
import { beginOfDay, type Days, dayOf, isDuring, momentsOf } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { wibDay } from '#shared/time.ts'
import type { accountView, usageView } from '../schemas.ts'

/** Credits of failed and cancelled generations are refunded. */
const kept = sql`${generations.status} not in ('failed', 'cancelled')`

export async function readKey(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  id: string,
): Promise<(typeof accountView.infer)['key']> {
  const today = beginOfDay(wibDay(clock()))
  const spentToday = sql<number>`(select coalesce(sum(${generations.credits}) filter (where ${kept}), 0)::int
    from ${generations}
    where ${generations.apiKeyId} = ${id}::uuid and ${generations.createdAt} >= ${today.toISOString()}::timestamptz)`
  const { name, mode, scopes, dailyCredits, expiresAt } = apiKeys
  const [key] = await db
    .select({ name, mode, scopes, dailyCredits, expiresAt, spentToday })
    .from(apiKeys)
    .where(eq(apiKeys.id, id))
  if (!key) throw appError('api_key.invalid')
  return { ...key, expiresAt: key.expiresAt?.toISOString() ?? null }
}

export async function readUsage(
  executor: Executor,
  userId: string,
  days: Days,
): Promise<(typeof usageView.infer)['items']> {
  return await rows<(typeof usageView.infer)['items'][number]>(
    executor,
    sql`select to_char(${dayOf(generations.createdAt)}, 'YYYY-MM-DD') as day, ${generations.tool} as tool,
        ${apiKeys.name} as key, ${generations.test} as test, count(*)::int as generations,
        coalesce(sum(${generations.credits}) filter (where ${kept}), 0)::int as credits
      from ${generations} left join ${apiKeys} on ${apiKeys.id} = ${generations.apiKeyId}
      where ${generations.userId} = ${userId}::uuid and ${isDuring(generations.createdAt, momentsOf(days))}
      group by 1, 2, ${apiKeys.id}, 3, 4 order by 1 desc, 2, 3, 4`,
  )
}

export async function findOutput(
  executor: Executor,
  userId: string,
  id: string,
): Promise<typeof generationFiles.$inferSelect> {
  const [found] = await executor
    .select({ file: generationFiles })
    .from(generationFiles)
    .innerJoin(generations, eq(generations.id, generationFiles.generationId))
    .where(
      and(
        eq(generationFiles.id, id),
        inArray(generationFiles.role, ['output', 'thumbnail']),
        eq(generations.userId, userId),
        isNull(generations.deletedAt),
      ),
    )
  if (!found) throw appError('file.not_found')
  return found.file
}

/** The first output of a generation that has succeeded. */
type File = typeof generationFiles.$inferSelect

/** In their order. */
export async function outputsOf(executor: Executor, generationId: string): Promise<[File, ...File[]]> {
  const [first, ...more] = await executor
    .select()
    .from(generationFiles)
    .where(and(eq(generationFiles.generationId, generationId), eq(generationFiles.role, 'output')))
    .orderBy(asc(generationFiles.position))
  if (!first) throw appError('file.not_found')
  return [first, ...more]
}
