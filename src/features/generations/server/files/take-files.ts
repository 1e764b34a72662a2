import { and, eq, isNull } from 'drizzle-orm'
import { type StoredInput, uploads } from '#features/uploads/server/uploads.ts'
import type { InputRef } from '#features/uploads/types.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { generationFiles, generations } from '../table.ts'

type TakeDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'withFolder'>

/**
 * The files that somebody's request refers to, uploads or results, in its order; each is whole and
 * has been looked into.
 */
export async function takeFiles(deps: TakeDeps, userId: string, refs: readonly InputRef[]): Promise<StoredInput[]> {
  const taken: StoredInput[] = []
  for (const ref of refs) {
    taken.push(
      'upload' in ref ? await uploads.take(deps, userId, ref.upload) : await takeResult(deps, userId, ref.file),
    )
  }
  return taken
}

async function takeResult({ db, store }: TakeDeps, userId: string, id: string): Promise<StoredInput> {
  const { storageKey, name, contentType, width, height, seconds, bytes } = generationFiles
  const [file] = await db
    .select({ storageKey, name, contentType, width, height, seconds, bytes })
    .from(generationFiles)
    .innerJoin(generations, eq(generations.id, generationFiles.generationId))
    .where(
      and(
        eq(generationFiles.id, id),
        eq(generationFiles.role, 'output'),
        eq(generations.userId, userId),
        isNull(generations.deletedAt),
      ),
    )
  if (!file) throw appError('file.not_found')
  return { ...file, sha256: await uploads.hashFile(store, file.storageKey) }
}
