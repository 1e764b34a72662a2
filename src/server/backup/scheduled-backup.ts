import { eq } from 'drizzle-orm'
import { inTurn } from '#shared/in-turn.ts'
import type { Deps } from '../deps.ts'
import { type HealthTools, secondsSince } from '../health/checks.ts'
import type { HealthCheck } from '../health/health.ts'
import { serviceState } from '../health/table.ts'
import { type BackupOptions, BackupRefused, type BackupSummary, makeBackup } from './backup.ts'

type Tools = Pick<Deps, 'db' | 'store' | 'clock' | 'config' | 'log'>

/** Names of rows of service_state. */
const made = 'backup'
const refused = 'backup_refused'
/** Seconds after which a refused backup is tried, and logged, again. */
const refusedAgainSeconds = 3600

/** Two concurrent backups would copy the same files. */
const backupInTurn = inTurn()

/**
 * Makes and records a backup, after a running one. Throws BackupRefused for a database that has
 * lost data of the last good point, unless `force`.
 */
export const backUp = (tools: Tools, options?: BackupOptions): Promise<BackupSummary> =>
  backupInTurn(() => backUpNow(tools, options))

async function backUpNow(tools: Tools, options?: BackupOptions): Promise<BackupSummary> {
  const { db, config, log } = tools
  const { target, keep } = config.backup
  if (!target) throw new Error('BACKUP_TO is not set: it names where backups go')
  const summary = await makeBackup(tools, target, keep, options)
  await record(tools, made, { ...summary })
  await db.delete(serviceState).where(eq(serviceState.name, refused))
  log.info({ ...summary }, 'backed up')
  return summary
}

/**
 * Makes a backup if the last is older than BACKUP_EVERY_HOURS. Without accounts there is nothing to
 * save; if earlier points have some, the refusal is reported to the operator.
 */
export async function backUpWhenDue(tools: Tools): Promise<void> {
  const { clock, config, log } = tools
  const { target, everyHours } = config.backup
  if (!target || everyHours === 0) return
  await backupInTurn(async () => {
    const olderThan = (moment: Date | undefined, seconds: number) => !moment || secondsSince(moment, clock()) >= seconds
    if (!olderThan(await lastBackup(tools), everyHours * 3600)) return
    if (!olderThan(await stateSince(tools, refused), refusedAgainSeconds)) return
    try {
      await backUpNow(tools, { needsAccounts: true })
    } catch (error) {
      if (!(error instanceof BackupRefused)) throw error
      if (!error.emptied) return
      log.error({ reason: error.message }, 'automatic backups are stopped: the database has lost accounts')
      await record(tools, refused, { reason: error.message })
    }
  })
}

async function record({ db, clock }: Tools, name: string, value: Record<string, unknown>): Promise<void> {
  const row = { name, value, updatedAt: clock() }
  await db.insert(serviceState).values(row).onConflictDoUpdate({ target: serviceState.name, set: row })
}

async function stateSince({ db }: Pick<Tools, 'db'>, name: string): Promise<Date | undefined> {
  const [row] = await db.select().from(serviceState).where(eq(serviceState.name, name))
  return row?.updatedAt
}

export const lastBackup = (tools: Pick<Tools, 'db'>): Promise<Date | undefined> => stateSince(tools, made)

/** A failing first backup is reported as a failing task instead. */
export const backupCheck: HealthCheck<HealthTools> = {
  name: 'backup',
  metric: 'rupa_backup_overdue_seconds',
  help: 'Seconds the next backup is overdue; 0 while on time',
  async read({ db, clock, config }) {
    const { target, everyHours } = config.backup
    if (!target || everyHours === 0) return undefined
    const last = await lastBackup({ db })
    return last ? Math.max(0, secondsSince(last, clock()) - everyHours * 3600) : 0
  },
  isProblem: (seconds) => seconds > 2 * 3600,
  says: (seconds) => (seconds === 0 ? 'on time' : `overdue for ${Math.round(seconds)} s`),
}

/** A refused backup means lost data; the operator must act before more is written. */
export const refusedBackupCheck: HealthCheck<HealthTools> = {
  name: 'backup_refused',
  metric: 'rupa_backup_refused',
  help: '1 while automatic backups are stopped because the database holds much less than the last good restore point',
  async read({ db, config }) {
    const { target, everyHours } = config.backup
    if (!target || everyHours === 0) return undefined
    return (await stateSince({ db }, refused)) ? 1 : 0
  },
  isProblem: (count) => count > 0,
  says: (count) => (count === 0 ? 'none' : 'the database holds much less than the last good restore point'),
}
