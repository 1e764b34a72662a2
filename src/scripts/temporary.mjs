import { chmodSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { endProcessesOf } from './processes.mjs'

const memory = '/dev/shm'
/** Bytes; a whole test run uses less than a tenth at once. */
const minFreeBytes = 8 * 2 ** 30

/**
 * Gives this process and all that it starts a temporary folder. At any end, also by Ctrl-C, the
 * processes that use the folder are ended, `onEnd` is called with the exit code, and the folder is
 * removed. The signal aborts when the process is asked to stop.
 */
export function enterTemporaryFolder({ onStop, onEnd } = {}) {
  const folder = makeTemporaryFolder()
  const stopping = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      if (!stopping.signal.aborted) onStop?.(name)
      process.exitCode ||= 1
      stopping.abort()
    })
  }
  // A terminal that was closed takes no more output.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  process.on('exit', (code) => {
    endProcessesOf(folder)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    onEnd?.(code)
  })
  return { folder, signal: stopping.signal }
}

/**
 * Sets TMPDIR to a new folder: in memory, where there is plenty and TMPDIR is not set, since tests
 * make thousands of small files.
 */
export function makeTemporaryFolder() {
  const folder = mkdtempSync(join(!process.env.TMPDIR && hasRoom(memory) ? memory : tmpdir(), 'rupa-test-'))
  // Other users may traverse it, since PostgreSQL does not run as root.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  return folder
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
