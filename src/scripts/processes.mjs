// Ends processes that a test run has started. Plain JavaScript for Node 20.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processes whose environment or arguments name the folder, as TMPDIR or for data. Finds also
 * processes that left the group, as PostgreSQL and browsers do, or lost their parent.
 */
export function processesOf(folder) {
  const found = process.platform === 'linux' ? fromProc(folder) : fromPs(folder)
  return found.filter((pid) => pid !== process.pid)
}

function fromProc(folder) {
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids
    .filter((id) => ['environ', 'cmdline'].some((part) => read(`/proc/${id}/${part}`).includes(folder)))
    .map(Number)
}

/** Empty where the process has ended, or belongs to another user. */
function read(path) {
  try {
    return readFileSync(path)
  } catch {
    return Buffer.alloc(0)
  }
}

function fromPs(folder) {
  if (process.platform === 'win32') return []
  const { stdout } = spawnSync('ps', ['-axEww', '-o', 'pid=,command='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => (line.includes(folder) ? [Number.parseInt(line, 10)] : []))
}

/**
 * Kills processes that still run after so many milliseconds. Blocks, so that it works while this
 * process exits.
 */
export function endProcessesOf(folder, patience = 3000) {
  signalAll(processesOf(folder), 'SIGTERM')
  const until = Date.now() + patience
  while (processesOf(folder).length > 0 && Date.now() < until) block(50)
  // Repeats, since processes may start others meanwhile.
  for (let round = 0; round < 10; round += 1) {
    const left = processesOf(folder)
    if (left.length === 0) return
    signalAll(left, 'SIGKILL')
    block(50)
  }
}

function signalAll(ids, signal) {
  for (const id of ids) {
    try {
      process.kill(id, signal)
    } catch {
      // The process has ended meanwhile.
    }
  }
}

const block = (milliseconds) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
