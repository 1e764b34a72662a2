import { rm } from 'node:fs/promises'
import { users } from '#features/account/server/table.ts'
import { credits } from '#features/credits/server/credits.ts'
import { generations } from '#features/generations/server/generations.ts'
import { listPoints, type RestorePoint, readPoint } from '#server/backup/backup.ts'
import { checkPoint, requireRestorable, restoreDatabase, restoreFiles, restoreSecrets } from '#server/backup/restore.ts'
import { type Config, ConfigError } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { createDiskSpace } from '#server/disk-space.ts'
import { createLog } from '#server/log.ts'
import { openStorage } from '#server/storage/open-store.ts'

type Say = (line: string) => void

/**
 * Restores a point into an empty DATA_DIR or database: `--list`, `--dry-run`, or a point's id, by
 * default the newest. Throws a sentence for the operator.
 */
export async function restore(config: Config, args: string[], say: Say): Promise<void> {
  const { target } = config.backup
  if (!target) throw new ConfigError('BACKUP_TO says nowhere to find backups')
  const points = await listPoints(target)
  if (args.includes('--list')) {
    for (const id of points) say(summaryOf(await readPoint(target, id)))
    return
  }
  const id = args.find((arg) => !arg.startsWith('--')) ?? points.at(-1)
  if (id === undefined) throw new Error('there is no restore point yet')
  const point = await readPoint(target, id)
  say(summaryOf(point))
  requireRestorable(point)
  if (args.includes('--dry-run')) {
    await checkPoint(target, point)
    say('every piece is there and has its checksum; nothing was written')
    return
  }
  const log = createLog('warn', process.stdout.isTTY ? 'readable' : 'json')
  const database = await openDatabase(config, log, undefined, point.schema)
  try {
    if ((await database.db.$count(users)) > 0) {
      throw new Error('the database holds accounts already; restore into an empty DATA_DIR or database')
    }
    await restoreDatabase(target, point, database.db, config)
  } finally {
    await database.close()
  }
  const storage = openStorage(config, createDiskSpace(config.dataDir))
  await restoreFiles(target, point, storage.store)
  await storage.close()
  await restoreSecrets(point, config.dataDir)
  // Migrations newer than the restore point.
  const current = await openDatabase(config, log)
  try {
    const accounts = (await current.db.select({ id: users.id }).from(users)).map((user) => user.id)
    const problems = [
      ...(await credits.auditAccounts(current.db, accounts, { fromFirstEntry: true, now: new Date() })),
      ...(await generations.auditGenerations(current.db, accounts, { afterEntry: 0 })),
    ]
    if (problems.length > 0) throw new Error(`the books do not agree in ${problems.length} places`)
    say(
      `restored: ${accounts.length} accounts, whose books agree, and ${point.files.length} files with their checksums`,
    )
  } finally {
    await current.close()
  }
  await rm(`${config.dataDir}/reserve`, { force: true })
}

function summaryOf({ id, version, schema, tables, files, gone }: RestorePoint): string {
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
  const missing = gone.length > 0 ? `, ${gone.length} deleted meanwhile` : ''
  return `${id}: version ${version} (schema ${schema}), ${tables.users ?? 0} accounts, ${files.length} files (${(bytes / 1024 ** 2).toFixed(1)} MB)${missing}`
}
