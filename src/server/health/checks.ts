import { asc } from 'drizzle-orm'
import type pg from 'pg'
import type { Deps } from '../deps.ts'
import type { DiskSpace } from '../disk-space.ts'
import { mailOutbox } from '../mail/table.ts'
import type { HealthCheck } from './health.ts'
import { countWorkers } from './presence.ts'

export type HealthTools = Pick<Deps, 'db' | 'clock' | 'jobs' | 'config'> & {
  space: DiskSpace
  /** Connections to an external database. */
  pool: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'> | undefined
}

const megabyte = 1024 * 1024
/** Bytes below which the operator must make room; uploads are refused later. */
const scarceBytes = 512 * megabyte
/** Seconds after which a waiting or failing job does not resolve itself. */
const stuckSeconds = 600

export const serverChecks: readonly HealthCheck<HealthTools>[] = [
  {
    name: 'disk',
    metric: 'rupa_disk_free_bytes',
    help: 'Bytes left on the disk of DATA_DIR',
    read: ({ space }) => space.free(),
    isProblem: (bytes) => bytes < scarceBytes,
    says: (bytes) => `${Math.floor(bytes / megabyte)} MB free`,
  },
  {
    name: 'mails',
    metric: 'rupa_owed_mail_oldest_seconds',
    help: 'Seconds the oldest unsent email has waited',
    async read({ db, clock }) {
      const { createdAt } = mailOutbox
      const [oldest] = await db.select({ createdAt }).from(mailOutbox).orderBy(asc(createdAt)).limit(1)
      return oldest ? secondsSince(oldest.createdAt, clock()) : 0
    },
    isProblem: (seconds) => seconds > stuckSeconds,
    says: (seconds) => (seconds === 0 ? 'none unsent' : `the oldest unsent for ${Math.round(seconds)} s`),
  },
  {
    name: 'workers',
    metric: 'rupa_workers',
    help: 'Processes with ROLE all or worker seen within a minute',
    read: countWorkers,
    isProblem: (workers) => workers === 0,
    says: (workers) => `${workers} seen within a minute`,
  },
  {
    name: 'jobs',
    metric: 'rupa_failing_job_oldest_seconds',
    help: 'Seconds the oldest failing job or scheduled task has been failing',
    async read({ jobs, clock }) {
      const since = (await jobs.failing()).map(({ since }) => secondsSince(new Date(since), clock()))
      return Math.max(0, ...since)
    },
    isProblem: (seconds) => seconds > stuckSeconds,
    says: (seconds) => (seconds === 0 ? 'none failing' : `failing for ${Math.round(seconds)} s`),
  },
]

export function secondsSince(moment: Date, now: Date): number {
  return Math.max(0, (now.getTime() - moment.getTime()) / 1000)
}
