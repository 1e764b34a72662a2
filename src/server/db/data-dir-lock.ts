import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process uses the same DATA_DIR. */
export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`${dataDir} is in use by another Rupa process; stop it first, or set DATA_DIR to another folder`)
    this.name = 'DataDirInUse'
  }
}

/**
 * Locks the folder for this process, or throws DataDirInUse. The lock is an open exclusive
 * transaction on DATA_DIR/lock: the kernel releases it when the process dies in any way, so nothing
 * stale remains.
 */
export function lockDataDir(dataDir: string): { release(): void } {
  const lock = new DatabaseSync(join(dataDir, 'lock'))
  try {
    lock.exec('pragma locking_mode = exclusive; begin exclusive')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === 5) throw new DataDirInUse(dataDir)
    throw error
  }
  return { release: () => lock.close() }
}
