import { mkdtempSync, readFileSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** A whole run of the tests keeps less than a tenth of it at once. */
const plenty = 8 * 2 ** 30

/**
 * A new folder for what tests make and remove: thousands of small files, most of them of databases,
 * which a disk takes far longer for than memory. It is in memory where there is plenty, unless
 * TMPDIR says otherwise.
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
    return Math.min(bavail * bsize, freemem()) > plenty && !options.split(',').includes('noexec')
  } catch {
    return false
  }
}
