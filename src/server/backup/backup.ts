import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { migrationDigests, schemaVersion } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { serviceState } from '../health/table.ts'
import { version } from '../version.ts'
import { type BackupTarget, putPieces } from './backup-target.ts'
import { dumpDatabase } from './dump.ts'
import {
  type BackedUpFile,
  type Contents,
  deleteOldPoints,
  fileOf,
  hasFile,
  isEmptied,
  listFilePieces,
  listRestorePoints,
  newestGood,
  type ReadablePoint,
  type RestorePoint,
  readPoint,
  writePoint,
} from './restore-points.ts'

export interface BackupSummary {
  id: string
  files: number
  copiedFiles: number
  copiedBytes: number
  seconds: number
}

/**
 * No backup was made. `emptied`: the database lost data since the last good point; else it has no
 * account.
 */
export class BackupRefused extends Error {
  readonly emptied: boolean

  constructor(now: Contents, before: ReadablePoint | undefined) {
    const summaryOf = ({ accounts, files }: Contents) => `${accounts} accounts and ${files} files`
    super(
      before
        ? `no backup was made: this database holds ${summaryOf(now)}, the restore point ${before.id} ${summaryOf(before)}; restore that one (npm run restore), or back up nevertheless: npm run backup -- --force`
        : 'no backup was made: there is no account yet',
    )
    this.name = 'BackupRefused'
    this.emptied = before !== undefined
  }
}

export interface BackupOptions {
  /** Backs up even a database that has lost data of the last good point. */
  force?: boolean
  /** Refuses a database without accounts. */
  needsAccounts?: boolean
}

type Tools = Pick<Deps, 'db' | 'store' | 'clock' | 'config'>

/**
 * Makes a restore point of a running service: the rows of a single moment, then the files that the
 * target lacks; stored files never change. Throws BackupRefused for a database that has lost data
 * of the last good point, unless `force`.
 */
export async function makeBackup(
  tools: Tools,
  target: BackupTarget,
  keep: number,
  { force = false, needsAccounts = false }: BackupOptions = {},
): Promise<BackupSummary> {
  const { db, store, clock, config } = tools
  const started = performance.now()
  const id = clock().toISOString().replaceAll(/[:.]/g, '-')
  const earlier = await listRestorePoints(target)
  const readable = earlier.filter((point) => !('problem' in point))
  if (earlier.length > 0 && readable.length === 0)
    throw new Error('no restore point in BACKUP_TO can be read: BACKUP_KEY differs, or all are damaged')
  const databaseId = await identifyDatabase(tools)
  const dump = join(config.dataDir, `backup-${randomUUID()}.draft`)
  try {
    const { tables, files: wanted } = await dumpDatabase(db, dump)
    const now = { databaseId, accounts: tables.users ?? 0, files: wanted.length }
    const before = newestGood(earlier)
    const emptied = before !== undefined && isEmptied(now, before)
    if (emptied && !force) throw new BackupRefused(now, before)
    if (needsAccounts && now.accounts === 0) throw new BackupRefused(now, undefined)
    const newest = readable.at(-1)
    const present = await listFilePieces(target)
    const copiedBefore = newest ? (await readPoint(target, newest.id)).files : []
    const known = new Map(copiedBefore.filter((file) => hasFile(present, file)).map((file) => [file.key, file]))
    const database = await putPieces(target, `points/${id}/database`, createReadStream(dump))
    const files: BackedUpFile[] = []
    const gone: string[] = []
    const copied = { files: 0, bytes: 0 }
    for (const { key } of wanted) {
      const file = known.get(key) ?? (await copyFile(store, target, key))
      if (file === undefined) gone.push(key)
      else files.push(file)
      if (!file || known.has(key)) continue
      copied.files += 1
      copied.bytes += file.bytes
    }
    const secrets = await readSecrets(config.dataDir)
    const contents = { database, tables, files, gone, secrets }
    const migrations = migrationDigests
    const point: RestorePoint = { format: 1, id, version, schema: schemaVersion, migrations, databaseId, ...contents }
    await writePoint(target, emptied ? { ...point, forced: true } : point)
    await deleteOldPoints(target, await listRestorePoints(target), keep)
    const seconds = Math.round(performance.now() - started) / 1000
    return { id, files: files.length, copiedFiles: copied.files, copiedBytes: copied.bytes, seconds }
  } finally {
    await rm(dump, { force: true })
  }
}

async function identifyDatabase({ db, clock }: Pick<Tools, 'db' | 'clock'>): Promise<string> {
  const made = { name: 'database', value: { id: uuid() }, updatedAt: clock() }
  await db.insert(serviceState).values(made).onConflictDoNothing()
  const [row] = await db.select().from(serviceState).where(eq(serviceState.name, made.name))
  return String(row?.value.id)
}

async function copyFile(store: Tools['store'], target: BackupTarget, key: string): Promise<BackedUpFile | undefined> {
  try {
    const { body } = await store.stream(key)
    return { key, ...(await putPieces(target, fileOf(key), body)) }
  } catch (error) {
    if ((error as { code?: unknown }).code === 'file.not_found') return undefined
    throw error
  }
}

const secretsOf = (dataDir: string) => join(dataDir, 'secrets')

async function readSecrets(dataDir: string): Promise<Record<string, string>> {
  const names = await readdir(secretsOf(dataDir)).catch(() => [])
  const read = names.map(async (name) => [name, await readFile(join(secretsOf(dataDir), name), 'utf8')] as const)
  return Object.fromEntries(await Promise.all(read))
}
