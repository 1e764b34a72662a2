import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export class DataDirInUse extends Error {
  constructor(dataDir: string) {
    super(`${dataDir} is in use by another Rupa process; stop it first, or set DATA_DIR to another folder`)
    this.name = 'DataDirInUse'
  }
}

/**
 * Locks the folder, or throws DataDirInUse. The lock is an exclusive transaction on DATA_DIR/lock,
 * which the kernel releases when the process dies in any way.
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
