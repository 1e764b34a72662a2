import { accessSync, constants, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Creates DATA_DIR and tests that it is writable; throws a readable reason. Creates one folder at a
 * time: recursive creation never ends on file systems like /proc.
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
