import { mkdir, readdir, readFile, rename, rm, rmdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createS3Client, withBucket } from '../storage/s3-client.ts'

/** Destination of backups: named pieces of a few megabytes. */
export interface BackupTarget {
  /** Creates or replaces a piece atomically. */
  put(name: string, bytes: Uint8Array): Promise<void>
  get(name: string): Promise<Uint8Array | undefined>
  list(prefix: string): Promise<string[]>
  /** Deleting a missing piece is not an error. */
  delete(name: string): Promise<void>
}

export function folderTarget(folder: string): BackupTarget {
  return {
    async put(name, bytes) {
      const path = join(folder, name)
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      await writeFile(`${path}.draft`, bytes, { mode: 0o600, flush: true })
      await rename(`${path}.draft`, path)
    },
    async get(name) {
      return await readFile(join(folder, name)).catch(unlessMissing)
    },
    async list(prefix) {
      const found = await readdir(join(folder, prefix), { recursive: true, withFileTypes: true }).catch(unlessMissing)
      const files = (found ?? []).filter((entry) => entry.isFile() && !entry.name.endsWith('.draft'))
      return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
    },
    async delete(name) {
      const path = join(folder, name)
      await rm(path, { force: true })
      // A folder that is not empty stays.
      await rmdir(dirname(path)).catch(() => {})
    },
  }
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

/** Any S3-compatible storage, such as `https://key:secret@host/bucket?region=…`. */
export function s3Target(address: URL): BackupTarget {
  const client = createS3Client(address)
  return {
    async put(name, bytes) {
      const { ok, status } = await withBucket(client, () => client.putObject(name, Buffer.from(bytes)))
      if (!ok) throw new Error(`the backup storage refused ${name} with ${status}`)
    },
    async get(name) {
      const found = await client.getObjectArrayBuffer(name)
      return found === null ? undefined : new Uint8Array(found)
    },
    async list(prefix) {
      return ((await client.listObjects('/', prefix)) ?? []).map(({ Key }) => Key)
    },
    async delete(name) {
      await client.deleteObject(name)
    },
  }
}
