import { isDeepStrictEqual } from 'node:util'
import { and, eq, inArray, lt, notInArray, type SQL } from 'drizzle-orm'
import type { Executor, Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import { keptRenderings } from '../../rules.ts'
import { deleteFiles } from '../files/stored-files.ts'
import type { Generation, GenerationFile } from '../history/views.ts'
import { generationFiles, renderings } from '../table.ts'

const { generationId, position } = renderings

export async function findRendering(executor: Executor, id: string, at: number) {
  const [found] = await executor
    .select()
    .from(renderings)
    .where(and(eq(generationId, id), eq(position, at)))
  if (!found) throw appError('generation.not_renderable')
  return found
}

const isReplaced = ({ renderInputs = [] }: AnyTool, { role, label }: GenerationFile) =>
  (role === 'input' || role === 'earlier') && renderInputs.includes(label)

/** The files of a result when the files with these ids were its replaceable inputs. */
export const filesBeforeReplacement = (tool: AnyTool, stored: readonly GenerationFile[], ids: readonly string[]) =>
  stored.map((file) =>
    isReplaced(tool, file)
      ? { ...file, role: ids.includes(file.id) ? ('input' as const) : ('earlier' as const) }
      : file,
  )

/** The format affects only the encoding, so it makes no other rendering. */
const withoutFormat = ({ format: _, ...params }: Record<string, unknown>) => params

/**
 * Stores the previous rendering. Returns the position of the next one, and storage keys of files
 * that no rendering needs any more.
 */
export async function keepRendering(
  tx: Transaction,
  {
    tool,
    shown,
    stored,
    next,
    now,
  }: {
    tool: AnyTool
    /** Before this rendering. */
    shown: Generation
    stored: readonly GenerationFile[]
    /** `files`: ids of all its inputs; `position`: that of the restored rendering. */
    next: { params: Record<string, unknown>; files: readonly string[]; position?: number | undefined }
    now: Date
  },
): Promise<{ rendering: number; newestRendering: number; keys: string[] }> {
  const replaced = stored.filter((file) => isReplaced(tool, file))
  const files = replaced.flatMap(({ id, role }) => (role === 'input' ? [id] : []))
  const same =
    isDeepStrictEqual(withoutFormat(shown.params), withoutFormat(next.params)) &&
    files.every((id) => next.files.includes(id))
  const rendering = next.position ?? (same ? shown.rendering : shown.newestRendering + 1)
  const row = { generationId: shown.id, position: shown.rendering, params: shown.params, files }
  await tx
    .insert(renderings)
    .values(row)
    .onConflictDoUpdate({ target: [generationId, position], set: { params: row.params, files } })
  const newestRendering = Math.max(rendering, shown.newestRendering)
  const past = lt(position, newestRendering + 1 - keptRenderings)
  await tx.delete(renderings).where(and(eq(generationId, shown.id), past))
  const needed = await tx.select({ files: renderings.files }).from(renderings).where(eq(generationId, shown.id))
  const ids = new Set([...needed.flatMap((kept) => kept.files), ...next.files])
  const unneeded = replaced.filter(({ id }) => !ids.has(id)).map(({ id }) => id)
  const keys = unneeded.length > 0 ? await deleteFiles(tx, inArray(generationFiles.id, unneeded), now) : []
  const own = replaced.map(({ id }) => id)
  const setRole = (role: 'input' | 'earlier', which: SQL) =>
    tx
      .update(generationFiles)
      .set({ role })
      .where(and(inArray(generationFiles.id, own), which))
  if (own.length > 0) {
    await setRole('input', inArray(generationFiles.id, [...next.files]))
    await setRole('earlier', notInArray(generationFiles.id, [...next.files]))
  }
  return { rendering, newestRendering, keys }
}
