import { mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Bytes; a whole test run uses less than a tenth at once. */
const minFreeBytes = 8 * 2 ** 30

/**
 * In memory where there is plenty, unless TMPDIR is set: tests use thousands of small database
 * files.
 */
export function makeTemporaryFolder() {
  return mkdtempSync(join(!process.env.TMPDIR && hasRoom(memory) ? memory : tmpdir(), 'rupa-test-'))
}

function hasRoom(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    const [, , , options = ''] =
      readFileSync('/proc/mounts', 'utf8')
        .split('\n')
        .map((line) => line.split(' '))
        .find(([, at]) => at === folder) ?? []
    return Math.min(bavail * bsize, freemem()) > minFreeBytes && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
