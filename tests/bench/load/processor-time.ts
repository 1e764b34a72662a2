import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Fleet } from '../../support/fleet.ts'

const ticksPerSecond = 100

/** Undefined without /proc. */
export function processorTime(fleet: Fleet): Record<string, number> | undefined {
  if (!existsSync('/proc/self/stat')) return undefined
  const of = (pids: (number | undefined)[]) => pids.reduce((sum: number, pid) => sum + secondsOf(pid), 0)
  return {
    web: of(fleet.webs.map((machine) => machine.process().child.pid)),
    worker: of(fleet.workers.map((machine) => machine.process().child.pid)),
    database: of(
      withChildren(Number(readFileSync(join(fleet.postgres.data, 'postmaster.pid'), 'utf8').split('\n')[0])),
    ),
    'nginx and PgBouncer': of([...withChildren(fleet.proxy.pid), ...withChildren(fleet.pooler.pid)]),
    'people, mails and storage': of([process.pid]),
  }
}

/** User and system time, including ended children. */
function secondsOf(pid: number | undefined): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond
  } catch {
    return 0
  }
}

function withChildren(parent: number | undefined): number[] {
  if (parent === undefined) return []
  const children = readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return (
        readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /, '')
          .split(' ')[1] === String(parent)
      )
    } catch {
      return false
    }
  })
  return [parent, ...children.map(Number)]
}
