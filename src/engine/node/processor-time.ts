import { readdir, readFile } from 'node:fs/promises'
import { availableParallelism, loadavg } from 'node:os'

/** Nanoseconds that a process's threads have run, and waited for a processor. */
export interface ScheduledTime {
  ran: number
  waited: number
}

/** Undefined on systems that do not count it. */
type ReadSchedule = (pid: number | undefined) => Promise<ScheduledTime | undefined>

/** Linux: schedstat of every thread. */
export const readSchedule: ReadSchedule = async (pid) => {
  const folder = `/proc/${pid}/task`
  const threads = await readdir(folder).catch(() => [])
  if (threads.length === 0) return undefined
  const lines = await Promise.all(threads.map((id) => readFile(`${folder}/${id}/schedstat`, 'utf8').catch(() => '')))
  const sum = { ran: 0, waited: 0 }
  for (const line of lines) {
    const [ran = 0, waited = 0] = line.split(' ').map(Number)
    sum.ran += ran
    sum.waited += waited
  }
  return sum.ran > 0 ? sum : undefined
}

/** A work limit is at most this many times longer than on an idle machine. */
const maxSlowdown = 10

/**
 * Share of the demanded processor time that was granted between two readings, from
 * 1 / `maxSlowdown` to 1. An idle process demands nothing and counts in full, so that a stalled one
 * reaches its limit.
 */
export function grantedShare(before: ScheduledTime | undefined, after: ScheduledTime | undefined): number {
  if (!before || !after) return Math.max(1 / maxSlowdown, Math.min(1, availableParallelism() / (loadavg()[0] || 1)))
  // A thread that ended in between takes its time with it.
  const ran = Math.max(0, after.ran - before.ran)
  const waited = Math.max(0, after.waited - before.waited)
  return ran + waited > 0 ? Math.max(1 / maxSlowdown, ran / (ran + waited)) : 1
}

interface WorkTimer {
  /** Starts the time again, because the work has moved on. */
  restart(): void
  stop(): void
}

const maxIntervalMs = 1000

/**
 * Calls `onLimit` once after `limitMs` of the time that the process (this one by default) could
 * work: a machine that is busy with other programs makes work slow, not failed.
 */
export function startWorkTimer(
  limitMs: number,
  onLimit: () => void,
  { pid = process.pid, read = readSchedule }: { pid?: number | undefined; read?: ReadSchedule } = {},
): WorkTimer {
  const intervalMs = Math.max(1, Math.min(maxIntervalMs, limitMs))
  let worked = 0
  let stopped = false
  let at = performance.now()
  // Read at the first interval only, because most work ends within it.
  let before: { schedule: ScheduledTime | undefined } | undefined
  const timer = setTimeout(tick, intervalMs)

  async function tick(): Promise<void> {
    const schedule = await read(pid)
    if (stopped) return
    const now = performance.now()
    worked += (now - at) * (before ? grantedShare(before.schedule, schedule) : 1)
    at = now
    before = { schedule }
    if (worked < limitMs) timer.refresh()
    else {
      stopped = true
      onLimit()
    }
  }

  return {
    restart() {
      worked = 0
      at = performance.now()
    },
    stop() {
      stopped = true
      clearTimeout(timer)
    },
  }
}
