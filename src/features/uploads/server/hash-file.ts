import { createHash } from 'node:crypto'
import type { FileStore } from '#server/storage/store.ts'

/** Hashes the file without holding it in memory. */
export async function hashFile(store: Pick<FileStore, 'stream'>, key: string): Promise<string> {
  const hash = createHash('sha256')
  const { body } = await store.stream(key)
  for await (const chunk of body) hash.update(chunk)
  return hash.digest('hex')
}
