import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { AppError } from '../http/app-error.ts'
import type { FileStore } from './store.ts'

const drafts = 'drafts'
const noRoom = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/**
 * Files in DATA_DIR/files. A file appears under its name only when it is whole and on the disk: it is written as a draft, synced, renamed, and the
 * folder is synced. `openFile` is there so that tests can fill the disk.
 */
export function createLocalStore(dataDir: string, openFile: typeof open = open): FileStore {
  const root = join(dataDir, 'files')

  const place = (key: string): string => {
    if (!/^[A-Za-z0-9][A-Za-z0-9.-]*(\/[A-Za-z0-9][A-Za-z0-9.-]*)*$/.test(key)) throw new Error('not a storage key')
    return join(root, key)
  }

  return {
    async put(key, bytes) {
      const path = place(key)
      const draft = join(root, drafts, randomUUID())
      try {
        await makeFolder(join(root, drafts))
        await write(await openFile(draft, 'wx', 0o600), bytes)
        await makeFolder(dirname(path))
        await rename(draft, path)
        await syncFolder(dirname(path))
      } catch (error) {
        await rm(draft, { force: true }).catch(() => {})
        if (noRoom.has(codeOf(error))) throw new AppError('storage.full', { retryAfter: 60, cause: error })
        throw error
      }
    },
    async get(key) {
      return readFile(place(key)).catch(notFound)
    },
    async stream(key, range) {
      const file = await open(place(key), constants.O_RDONLY).catch(notFound)
      const { size } = await file.stat()
      const start = range?.start ?? 0
      const end = Math.min(range?.end ?? size - 1, size - 1)
      const body = Readable.toWeb(file.createReadStream({ start, end: Math.max(end, 0) })) as ReadableStream<Uint8Array>
      return { body, bytes: size }
    },
    async delete(keys) {
      const folders = new Set<string>()
      for (const key of keys) {
        await rm(place(key), { force: true })
        folders.add(dirname(place(key)))
      }
      // Only an empty folder can be removed; one that is still used says so and stays.
      for (const folder of folders) if (folder !== root) await rmdir(folder).catch(() => {})
    },
    async *listOlderThan(moment) {
      yield* older(root, '', moment.getTime())
    },
    async check() {
      const draft = join(root, drafts, randomUUID())
      await makeFolder(join(root, drafts))
      await write(await openFile(draft, 'wx', 0o600), new Uint8Array([1]))
      await rm(draft)
    },
  }
}

async function write(file: FileHandle, bytes: Uint8Array): Promise<void> {
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Makes the folder and every missing one above it, so that none of them is lost with the power. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let folder = path; ; folder = dirname(folder)) {
    await syncFolder(dirname(folder))
    if (folder === first) return
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, constants.O_RDONLY)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

async function* older(root: string, prefix: string, moment: number): AsyncIterable<string> {
  const entries = await readdir(join(root, prefix), { withFileTypes: true }).catch((error) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const entry of entries) {
    const key = prefix ? `${prefix}/${entry.name}` : entry.name
    if (entry.isDirectory()) yield* older(root, key, moment)
    else {
      const info = await stat(join(root, key)).catch(() => undefined)
      if (info && info.mtimeMs < moment) yield key
    }
  }
}

function notFound(error: unknown): never {
  if (codeOf(error) === 'ENOENT') throw new AppError('file.not_found', { cause: error })
  throw error
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
