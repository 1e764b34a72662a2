import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { copyFile, type FileHandle, link, mkdir, open, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { appError } from '../http/app-error.ts'
import { type FileStore, isFullDisk, requireKey } from './store.ts'

const drafts = 'drafts'
/** Drafts of a dead process stay until `removeStaleFolders` finds them. */
export const draftsFolder = (root: string) => join(root, drafts)
/** File systems without hard links, or without them between these two folders. */
const noLinks = new Set(['EXDEV', 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])
/** Another process may delete the folder while a file is about to appear. */
const maxTries = 5

/**
 * A file appears only complete and on the disk: written as a draft, synced, renamed, the folder
 * synced. Tests replace `openFile` to simulate a full disk.
 */
export function createFolderStore(root: string, openFile: typeof open = open): FileStore {
  const pathOf = (key: string): string => join(root, requireKey(key))

  /** Folders in which a file is about to appear must not be removed. */
  const expected = new Map<string, number>()
  /** The folder exists and is synced meanwhile. */
  const putInFolder = async <Result>(path: string, put: () => Promise<Result>): Promise<Result> => {
    const folder = dirname(path)
    expected.set(folder, (expected.get(folder) ?? 0) + 1)
    try {
      return await inFolder(folder, put)
    } finally {
      const others = (expected.get(folder) ?? 1) - 1
      if (others > 0) expected.set(folder, others)
      else expected.delete(folder)
    }
  }

  /** Makes a file as a draft, and renames it once it is complete. */
  const appear = async <Result>(key: string, make: (draft: string) => Promise<Result>): Promise<Result> => {
    const path = pathOf(key)
    const draft = join(root, drafts, randomUUID())
    try {
      await makeFolder(join(root, drafts))
      const made = await make(draft)
      await putInFolder(path, () => rename(draft, path))
      return made
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {})
      throw storageError(error)
    }
  }

  return {
    async put(key, content) {
      const chunks = content instanceof Uint8Array ? [content] : content
      return await appear(key, async (draft) => save(await openFile(draft, 'wx', 0o600), chunks))
    },
    async putFile(key, path) {
      await appear(key, async (draft) => {
        await moveFile(path, draft)
        await save(await openFile(draft, 'r+'), [])
      })
    },
    async fetch(key, path) {
      await linkFile(pathOf(key), path).catch(notFound)
    },
    async copy(from, to) {
      const path = pathOf(to)
      try {
        await putInFolder(path, () => link(pathOf(from), path))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') notFound(error)
        if (!noLinks.has(codeOf(error))) throw storageError(error)
        await appear(to, async (draft) => {
          await copyFile(pathOf(from), draft)
          await save(await openFile(draft, 'r+'), [])
        })
      }
    },
    async get(key) {
      return readFile(pathOf(key)).catch(notFound)
    },
    async stream(key, range) {
      const file = await open(pathOf(key), constants.O_RDONLY).catch(notFound)
      const { size } = await file.stat()
      const start = range?.start ?? 0
      const end = Math.min(range?.end ?? size - 1, size - 1)
      const body = Readable.toWeb(file.createReadStream({ start, end: Math.max(end, 0) })) as ReadableStream<Uint8Array>
      return { body, bytes: size }
    },
    async delete(keys) {
      const folders = new Set<string>()
      for (const key of keys) {
        const path = key.endsWith('/') ? pathOf(key.slice(0, -1)) : pathOf(key)
        await rm(path, { force: true, recursive: key.endsWith('/') })
        folders.add(dirname(path))
      }
      // Only an empty folder can be removed; a folder in use fails and stays.
      for (const folder of folders) if (folder !== root && !expected.has(folder)) await rmdir(folder).catch(() => {})
    },
    async *list(folder) {
      for await (const key of keysBelow(root, folder)) if (!key.startsWith(`${drafts}/`)) yield key
    },
    async check() {
      const draft = join(root, drafts, randomUUID())
      await makeFolder(join(root, drafts))
      await save(await openFile(draft, 'wx', 0o600), [new Uint8Array([1])])
      await rm(draft)
    },
  }
}

type Chunks = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

async function save(file: FileHandle, chunks: Chunks): Promise<number> {
  try {
    let bytes = 0
    for await (const chunk of chunks) {
      await file.writeFile(chunk)
      bytes += chunk.length
    }
    await file.sync()
    return bytes
  } finally {
    await file.close()
  }
}

/**
 * Repeats, because another process may delete the folder, and the file with it, between any two of
 * these steps.
 */
async function inFolder<Result>(folder: string, put: () => Promise<Result>, tries = 1): Promise<Result> {
  await makeFolder(folder)
  try {
    const result = await put()
    await syncFolder(folder).catch(unlessGone)
    return result
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || tries === maxTries) throw error
    return await inFolder(folder, put, tries + 1)
  }
}

/** Syncs every created parent, so that a power cut loses none. */
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

async function* keysBelow(root: string, folder: string): AsyncIterable<string> {
  const entries = await readdir(join(root, folder), { withFileTypes: true }).catch((error) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const entry of entries) {
    if (entry.isDirectory()) yield* keysBelow(root, `${folder}${entry.name}/`)
    else yield `${folder}${entry.name}`
  }
}

/** Hard-links the file, or copies it if links are impossible. */
async function linkFile(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error) => {
    if (!noLinks.has(codeOf(error))) throw error
    await copyFile(from, to)
  })
}

async function moveFile(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async (error) => {
    if (codeOf(error) !== 'EXDEV') throw error
    await copyFile(from, to)
  })
}

function notFound(error: unknown): never {
  if (codeOf(error) === 'ENOENT') throw appError('file.not_found', { cause: error })
  throw error
}

function unlessGone(error: unknown): void {
  if (codeOf(error) !== 'ENOENT') throw error
}

function storageError(error: unknown): unknown {
  return isFullDisk(error) ? appError('storage.full', { retryAfter: 60, cause: error }) : error
}

function codeOf(error: unknown): string {
  return String((error as { code?: unknown }).code)
}
