import { and, desc, eq } from 'drizzle-orm'
import type { Language } from '#contract/language.ts'
import { generations } from '#features/generations/server/table.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { translate } from '#server/i18n.ts'
import { findTool } from '#tools/contract/tool.ts'
import type { Failures } from '../types.ts'

const listed = 20

/** The newest runs of a tool that failed, with their reasons; nothing of their pictures. */
export async function listFailures(
  { db, tools }: Pick<Deps, 'db' | 'tools'>,
  tool: string,
  language: Language,
): Promise<Failures> {
  if (!findTool(tools, tool)) throw appError('tool.unknown')
  const found = await db
    .select()
    .from(generations)
    .where(and(eq(generations.tool, tool), eq(generations.status, 'failed')))
    .orderBy(desc(generations.id))
    .limit(listed)
  return {
    items: found.map(({ id, userId, errorCode, provider, attempts, finishedAt }) => ({
      ...{ id, userId, provider, attempts },
      code: errorCode ?? 'engine.failed',
      msg: translate(language, `error.${errorCode ?? 'engine.failed'}`),
      finishedAt: finishedAt?.toISOString() ?? null,
    })),
  }
}
