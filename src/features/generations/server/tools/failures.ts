import { and, desc, eq, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { translate } from '#server/i18n.ts'
import type { Language } from '#shared/language.ts'
import { findTool } from '#tools/contract/tool.ts'
import type { Failures } from '../../schemas.ts'
import { generationFiles, generations, refundRequests } from '../table.ts'

const listed = 20

// Drizzle omits the table names of columns in a select list, but a subquery needs them.
export const hasStoredInput = sql<boolean>`exists (select from ${generationFiles} where generation_id = ${generations}.id and role = 'input')
  and not exists (select from ${refundRequests} where generation_id = ${generations}.id)`

/** Newest first; contains nothing of the pictures. */
export async function listFailures(
  { db, tools }: Pick<Deps, 'db' | 'tools'>,
  tool: string,
  language: Language,
): Promise<Failures> {
  if (!findTool(tools, tool)) throw appError('tool.unknown')
  const found = await db
    .select({ generation: generations, again: hasStoredInput })
    .from(generations)
    .where(and(eq(generations.tool, tool), eq(generations.status, 'failed')))
    .orderBy(desc(generations.id))
    .limit(listed)
  return {
    items: found.map(({ generation: { id, userId, errorCode, provider, attempts, finishedAt }, again }) => ({
      id,
      userId,
      provider,
      attempts,
      again,
      code: errorCode ?? 'engine.failed',
      msg: translate(language, `error.${errorCode ?? 'engine.failed'}`),
      finishedAt: finishedAt?.toISOString() ?? null,
    })),
  }
}
