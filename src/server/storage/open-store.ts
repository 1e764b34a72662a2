import { join } from 'node:path'
import type { Config } from '../config.ts'
import { type DiskSpace, withReserve } from '../disk-space.ts'
import { cachedStore } from './file-cache.ts'
import { createFolderStore, draftsFolder } from './folder-store.ts'
import { withPrevious } from './previous-store.ts'
import { createS3Store } from './s3-store.ts'
import type { StorageLocation } from './storage-config.ts'
import type { FileStore } from './store.ts'
import { createWorkFolders, removeStaleFolders, type WithFolder } from './work-folder.ts'

/** Size of the local cache of files in a remote storage. */
const cacheBytes = 1024 * 1024 * 1024
const tidyMilliseconds = 3_600_000

export interface OpenStorage {
  store: FileStore
  moving: { from: FileStore; to: FileStore } | undefined
  withFolder: WithFolder
  close(): Promise<void>
}

export function openStorage(
  { storage, dataDir }: Pick<Config, 'storage' | 'dataDir'>,
  space: Pick<DiskSpace, 'require'>,
): OpenStorage {
  const work = join(dataDir, 'work')
  const cache = join(dataDir, 'cache')
  const withFolder = createWorkFolders(work, () => space.require())
  const tidied = [work, cache]
  const open = (place: StorageLocation): FileStore => {
    if (place instanceof URL) return cachedStore(createS3Store(place, withFolder), cache, cacheBytes)
    tidied.push(draftsFolder(place))
    return withReserve(createFolderStore(place), space)
  }
  const to = open(storage.place ?? join(dataDir, 'files'))
  const from = storage.previous === undefined ? undefined : open(storage.previous)
  const tidy = () => void removeStaleFolders(tidied)
  tidy()
  const timer = setInterval(tidy, tidyMilliseconds).unref()
  return {
    store: from ? withPrevious(to, from) : to,
    moving: from && { from, to },
    withFolder,
    close: async () => clearInterval(timer),
  }
}
