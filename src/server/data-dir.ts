import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Makes DATA_DIR, and tries whether files can be written there; throws with a reason for people.
 * One folder at a time: making them recursively never ends where a file system has no folders to
 * make, such as /proc.
 */
export function openDataDir(dataDir: string): void {
  try {
    makeFolder(dataDir)
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
    const probe = join(dataDir, `.probe.${process.pid}`)
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Error(`${dataDir} cannot be used: ${reasons[code ?? ''] ?? code ?? message}`)
  }
}

const reasons: Record<string, string> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'it is, or lies below, a file',
  ENOSPC: 'the disk is full',
  ENOENT: 'no folder can be made there',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

function makeFolder(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) return
  if (found) throw Object.assign(new Error(), { code: 'ENOTDIR' })
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}
