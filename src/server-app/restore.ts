import { renameSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { generations } from '#features/generations/server/generations.ts'
import { users } from '#server/auth/table.ts'
import type { BackupTarget } from '#server/backup/backup-target.ts'
import { checkPoint, requireRestorable, restoreDatabase, restoreFiles, restoreSecrets } from '#server/backup/restore.ts'
import {
  listRestorePoints,
  newestGood,
  type PointSummary,
  type ReadablePoint,
  type RestorePoint,
  readPoint,
} from '#server/backup/restore-points.ts'
import type { Config, Environment } from '#server/config.ts'
import { ConfigError } from '#server/config-values.ts'
import { type OpenDatabase, openDatabase, rows } from '#server/db/database.ts'
import { DamagedDatabase } from '#server/db/errors.ts'
import { schemaVersion } from '#server/db/migrate.ts'
import { createDiskSpace } from '#server/disk-space.ts'
import { countProcesses } from '#server/health/presence.ts'
import { createLog } from '#server/log.ts'
import { openStorage } from '#server/storage/open-store.ts'
import { readConfig } from './config.ts'

type Say = (line: string) => void
/** Undefined at the end of the input. */
type Ask = (question: string) => Promise<string | undefined>

const usage = 'usage: npm run restore -- [POINT | --latest] [--dry-run], or npm run restore -- --list'

/**
 * Restores a point into an empty DATA_DIR or database. Asks for the point unless its name or
 * `--latest` is given; `--list` and `--dry-run` write nothing. Throws a sentence for the operator.
 */
export async function restore(environment: Environment, args: string[], say: Say): Promise<void> {
  const flags = args.filter((arg) => arg.startsWith('--'))
  const names = args.filter((arg) => !arg.startsWith('--'))
  if (names.length > 1 || flags.some((flag) => !['--list', '--latest', '--dry-run'].includes(flag)))
    throw new Error(usage)
  const { target } = readConfig(environment, { readOnly: true }).backup
  if (!target) throw new ConfigError('BACKUP_TO is not set: it names where backups are')
  const points = await listRestorePoints(target)
  const isDry = flags.includes('--dry-run')
  const choice = names[0] ?? (isDry || flags.includes('--latest') ? 'latest' : undefined)
  if (points.length === 0) throw new Error('there are no restore points yet')
  if (flags.includes('--list') || choice === undefined) for (const line of formatPoints(points)) say(line)
  if (flags.includes('--list')) return
  const summary = choice === undefined ? await askOnStandardInput(points) : choosePoint(points, choice)
  if (!summary) {
    say('nothing was restored')
    return
  }
  if (choice !== undefined) say(formatPoint(summary))
  const point = await readPoint(target, summary.id)
  requireRestorable(point)
  if (isDry) {
    await checkPoint(target, point)
    say('every file is present and matches its checksum; nothing was written')
    return
  }
  await restorePoint(readConfig(environment), target, point, say)
}

async function restorePoint(config: Config, target: BackupTarget, point: RestorePoint, say: Say): Promise<void> {
  const log = createLog('warn', process.stdout.isTTY ? 'readable' : 'json')
  const database = await openForRestore(config, point, say)
  let damage: string | undefined
  try {
    // The database last: until it is filled, an interrupted restore can be started again.
    const storage = openStorage(config, createDiskSpace(config.dataDir))
    try {
      damage = await restoreFiles(target, point, storage.store)
    } finally {
      await storage.close()
    }
    await restoreSecrets(point, config.dataDir)
    await restoreDatabase(target, point, database.db, config)
  } finally {
    await database.close()
  }
  // Migrations that are newer than the point.
  const current = await openDatabase(config, log)
  try {
    const accounts = (await current.db.select({ id: users.id }).from(users)).map((user) => user.id)
    const problems = [
      ...(await credits.auditAccounts(current.db, accounts, { fromFirstEntry: true, now: new Date() })),
      ...(await generations.auditGenerations(current.db, accounts, { afterEntry: 0 })),
    ]
    if (problems.length > 0) throw new Error(`reconciliation found ${problems.length} differences`)
    const files = damage
      ? 'all files but the damaged ones match their checksums'
      : `${point.files.length} files match their checksums`
    say(`restored: ${accounts.length} accounts with matching books; ${files}`)
  } finally {
    await current.close()
  }
  await rm(`${config.dataDir}/reserve`, { force: true })
  if (damage) throw new Error(`some files of this restore point are damaged and were left out: ${damage}`)
}

/**
 * Accepts an empty database, one with nothing but the first admin, which a service makes that
 * restarts itself after its disk was lost, or a damaged one, which is kept aside.
 */
async function openForRestore(config: Config, { id, schema }: RestorePoint, say: Say): Promise<OpenDatabase> {
  const log = createLog('warn', process.stdout.isTTY ? 'readable' : 'json')
  const open = () => openDatabase(config, log, undefined, schema)
  const setAside = (reason: string, which: string) => {
    const aside = `database.${reason}-${id}`
    renameSync(join(config.dataDir, 'database'), join(config.dataDir, aside))
    say(`${which} was moved to DATA_DIR/${aside}`)
  }
  const database = await open().catch((error: unknown) => {
    if (!(error instanceof DamagedDatabase)) throw error
    setAside('damaged', 'the damaged database')
    return open()
  })
  try {
    if (config.databaseUrl) await requireStopped(database)
    await requireReplaceable(database)
    if ((await appliedMigrations(database)) === schema) return database
  } catch (error) {
    await database.close()
    throw error
  }
  await database.close()
  if (config.databaseUrl)
    throw new Error(
      'the first start has given this database a newer schema than the restore point has; drop the database, create it empty, and restore again',
    )
  setAside('before', 'the database of the first start')
  return await open()
}

/** Throws while servers use the database; the embedded one has a lock for that. */
async function requireStopped({ db }: OpenDatabase): Promise<void> {
  const [table] = await rows<{ found: boolean }>(db, sql`select to_regclass('public.processes') is not null as found`)
  const running = table?.found ? await countProcesses({ db, clock: () => new Date() }) : 0
  if (running === 0) return
  throw new Error(`${running} processes use this database; stop them first (a killed one counts for a minute)`)
}

/** Throws if restoring would overwrite user data. */
async function requireReplaceable({ db }: OpenDatabase): Promise<void> {
  const accounts = await db.$count(users)
  if (accounts === 0) return
  const [found] = await rows<{ used: boolean }>(
    db,
    sql`select exists (select from users where role <> 'admin') or exists (select from ledger_entries)
      or exists (select from generations) or exists (select from orders) as used`,
  )
  if (accounts === 1 && !found?.used) return
  throw new Error(`the database already has accounts (${accounts}); restore into an empty DATA_DIR or database`)
}

async function appliedMigrations({ db }: OpenDatabase): Promise<number> {
  const [found] = await rows<{ count: string }>(
    db,
    sql`select count(*)::text as count from drizzle.__drizzle_migrations`,
  )
  return Math.min(Number(found?.count), schemaVersion)
}

async function askOnStandardInput(points: readonly PointSummary[]): Promise<ReadablePoint | undefined> {
  const lines = createInterface({ input: process.stdin })
  const answers = lines[Symbol.asyncIterator]()
  try {
    return await askForPoint(points, async (question) => {
      process.stdout.write(question)
      const { value, done } = await answers.next()
      return done ? undefined : value
    })
  } finally {
    lines.close()
  }
}

/**
 * Undefined if the operator chooses none. Throws at the end of the input, as without a terminal.
 */
async function askForPoint(points: readonly PointSummary[], ask: Ask): Promise<ReadablePoint | undefined> {
  const suggested = newestGood(points)
  const hint = suggested ? `, Enter for ${points.indexOf(suggested) + 1}` : ''
  for (;;) {
    const answer = (await ask(`Restore which one? Number or name${hint}, q to quit: `))?.trim()
    if (answer === undefined)
      throw new Error(`\nno restore point chosen: give its name, or --latest for the newest good one; ${usage}`)
    if (answer === 'q') return undefined
    if (answer === '' && suggested) return suggested
    const found = points[Number(answer) - 1] ?? points.find(({ id }) => id === answer)
    if (found && !('problem' in found)) return found
  }
}

/** `latest` is the newest good point. */
function choosePoint(points: readonly PointSummary[], choice: string): ReadablePoint {
  if (choice === 'latest') {
    const found = newestGood(points)
    const newest = points.at(-1)
    if (!found && newest && 'problem' in newest) throw new Error(newest.problem)
    if (!found) throw new Error('no restore point is complete and has accounts: npm run restore -- --list shows them')
    return found
  }
  const found = points.find(({ id }) => id === choice)
  if (!found) throw new Error(`there is no restore point ${choice}: npm run restore -- --list shows them`)
  if ('problem' in found) throw new Error(found.problem)
  return found
}

/** Numbered from 1, oldest first. */
function formatPoints(points: readonly PointSummary[]): string[] {
  const width = String(points.length).length
  return points.map((point, index) => `${String(index + 1).padStart(width)}  ${formatPoint(point)}`)
}

function formatPoint(point: PointSummary): string {
  if ('problem' in point) return `${point.id}: damaged (${point.problem})`
  const { id, version, schema, accounts, files, bytes, gone, missing, emptied } = point
  const date = id.replace(/T(\d\d)-(\d\d)-.*$/, ' $1:$2 UTC')
  const notes = [
    ...(gone > 0 ? [`${gone} deleted meanwhile`] : []),
    ...(missing > 0 ? [`damaged: ${missing} pieces are missing`] : []),
    ...(emptied ? ['holds much less than the one before'] : []),
  ]
  const contents = `${accounts} ${accounts === 1 ? 'account' : 'accounts'}, ${files} ${files === 1 ? 'file' : 'files'} (${(bytes / 1024 ** 2).toFixed(1)} MB)`
  return [`${id}: ${date}, ${contents}, version ${version} (schema ${schema})`, ...notes].join('; ')
}
