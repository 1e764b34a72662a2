import { eq } from 'drizzle-orm'
import type { Deps } from '../deps.ts'
import { type HealthTools, secondsSince } from '../health/checks.ts'
import type { HealthCheck } from '../health/health.ts'
import { serviceState } from '../health/table.ts'
import { type BackupSummary, makeBackup } from './backup.ts'

type Tools = Pick<Deps, 'db' | 'store' | 'clock' | 'config' | 'log'>

const state = 'backup'

let last: Promise<unknown> = Promise.resolve()

/** Two at once would copy the same files. */
function afterTheLast<Made>(make: () => Promise<Made>): Promise<Made> {
  const made = last.then(make)
  last = made.catch(() => {})
  return made
}

/** Makes a backup now, after one that is being made, and notes that it is there. */
export const backUp = (tools: Tools): Promise<BackupSummary> => afterTheLast(() => backUpNow(tools))

async function backUpNow(tools: Tools): Promise<BackupSummary> {
  const { db, clock, config, log } = tools
  const { target, keep } = config.backup
  if (!target) throw new Error('BACKUP_TO says nowhere to put backups')
  const summary = await makeBackup(tools, target, keep)
  const row = { name: state, value: { ...summary }, updatedAt: clock() }
  await db.insert(serviceState).values(row).onConflictDoUpdate({ target: serviceState.name, set: row })
  log.info({ ...summary }, 'backed up')
  return summary
}

/** Makes one when the last is older than BACKUP_EVERY_HOURS. */
export async function backUpWhenDue(tools: Tools): Promise<void> {
  const { target, everyHours } = tools.config.backup
  if (!target || everyHours === 0) return
  await afterTheLast(async () => {
    const made = await lastBackup(tools)
    if (!made || secondsSince(made, tools.clock()) >= everyHours * 3600) await backUpNow(tools)
  })
}

/** When the last good one was made. */
export async function lastBackup({ db }: Pick<Tools, 'db'>): Promise<Date | undefined> {
  const [row] = await db.select().from(serviceState).where(eq(serviceState.name, state))
  return row?.updatedAt
}

/** A first one that fails is told by the failing task. */
export const backupCheck: HealthCheck<HealthTools> = {
  name: 'backup',
  metric: 'rupa_backup_overdue_seconds',
  help: 'How long after its time the last good backup is; 0 while it is in time',
  async read({ db, clock, config }) {
    const { target, everyHours } = config.backup
    if (!target || everyHours === 0) return undefined
    const last = await lastBackup({ db })
    return last ? Math.max(0, secondsSince(last, clock()) - everyHours * 3600) : 0
  },
  isProblem: (seconds) => seconds > 2 * 3600,
  says: (seconds) => (seconds === 0 ? 'in time' : `overdue for ${Math.round(seconds)} s`),
}
