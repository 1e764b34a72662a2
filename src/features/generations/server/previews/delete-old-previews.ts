import type { Deps } from '#server/deps.ts'
import { previewKeys } from './preview-files.ts'

const hourMilliseconds = 3_600_000

/**
 * Deletes the files of previews whose server died before it could: nobody waits for them any
 * longer.
 */
export async function deleteOldPreviews(
  { store, clock }: Pick<Deps, 'store' | 'clock'>,
  signal?: AbortSignal,
): Promise<void> {
  for await (const key of store.listOlderThan(new Date(clock().getTime() - hourMilliseconds))) {
    signal?.throwIfAborted()
    if (key.startsWith(previewKeys.folder)) await store.delete([key])
  }
}
