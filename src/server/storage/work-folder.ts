import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { dayMs } from '#shared/time.ts'

/** Empty local folder while `use` runs. Throws `storage.full`. */
export type WithFolder = <Result>(use: (folder: string) => Promise<Result>) => Promise<Result>

export function createWorkFolders(root: string, requireSpace: () => Promise<void>): WithFolder {
  return async (use) => {
    await requireSpace()
    const folder = join(root, randomUUID())
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      return await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Milliseconds; no work takes this long. */
const oldMilliseconds = dayMs

/** Removes files that dead processes have left in such folders. */
export async function removeStaleFolders(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = join(folder, name)
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
      if (mtimeMs < Date.now() - oldMilliseconds) await rm(path, { recursive: true, force: true })
    }
  }
}
