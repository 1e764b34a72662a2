import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { sqlState } from '../db/errors.ts'
import { compareMigrations, schemaVersion } from '../db/migrate.ts'
import type { FileStore } from '../storage/store.ts'
import { type BackupTarget, DamagedBackup, type Pieces, readPieces } from './backup-target.ts'
import { loadDump } from './dump.ts'
import { fileOf, type RestorePoint } from './restore-points.ts'

/** Throws when this program cannot read the point. */
export function requireRestorable({
  schema,
  version,
  migrations = [],
}: Pick<RestorePoint, 'schema' | 'version' | 'migrations'>): void {
  const compared = schema > schemaVersion ? 'newer' : compareMigrations(migrations)
  if (compared === 'newer')
    throw new Error(`this restore point was made by version ${version}, which is newer; restore it with that version`)
  if (compared === 'other') throw unknownSchema(version)
}

const unknownSchema = (version: string, cause?: unknown) =>
  new Error(
    `this restore point was made by version ${version} with a schema that this version does not know; restore it with the program that made it`,
    { cause },
  )

/** SQL states of a table and of a column that the schema lacks. */
const notInSchema = new Set(['42P01', '42703'])

/** Reads and checks every piece, and writes nothing; throws DamagedBackup. */
export async function checkPoint(target: BackupTarget, point: RestorePoint): Promise<void> {
  const damaged: string[] = []
  const read = async (name: string, pieces: Pieces) => {
    try {
      for await (const _ of readPieces(target, name, pieces));
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error
      damaged.push(error.message)
    }
  }
  await read(`points/${point.id}/database`, point.database)
  for (const file of point.files) await read(fileOf(file.key), file)
  if (damaged.length > 0) throw new DamagedBackup(summarizeProblems(damaged))
}

function summarizeProblems([first = '', ...others]: readonly string[]): string {
  return others.length > 0 ? `${first}; and ${others.length} more like it` : first
}

export async function restoreSecrets({ secrets }: RestorePoint, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(secrets)) {
    if (!/^[a-z-]+(\.previous)?$/.test(name))
      throw new Error(`the restore point has a secret with the invalid name ${name}`)
    await writeFile(join(folder, name), text, { mode: 0o600 })
  }
}

/** Fills an empty database of the point's schema; throws when rows are missing afterwards. */
export async function restoreDatabase(
  target: BackupTarget,
  point: RestorePoint,
  db: Database,
  { dataDir }: Pick<Config, 'dataDir'>,
): Promise<void> {
  const dump = join(dataDir, `restore-${process.pid}.draft`)
  try {
    const pieces = readPieces(target, `points/${point.id}/database`, point.database)
    await pipeline(Readable.from(pieces), createWriteStream(dump, { mode: 0o600 }))
    const counts = await loadDump(db, dump).catch((error: unknown) => {
      throw notInSchema.has(sqlState(error) ?? '') ? unknownSchema(point.version, error) : error
    })
    for (const [table, count] of Object.entries(point.tables)) {
      if (counts[table] !== count) throw new Error(`${table} has ${counts[table]} rows instead of ${count}`)
    }
  } finally {
    await rm(dump, { force: true })
  }
}

/**
 * Writes and checks all files. Leaves out damaged ones, so that a bad block costs one picture;
 * returns a sentence about them.
 */
export async function restoreFiles(
  target: BackupTarget,
  point: RestorePoint,
  store: FileStore,
): Promise<string | undefined> {
  const damaged: string[] = []
  for (const file of point.files) {
    let damage: DamagedBackup | undefined
    // Stores wrap the errors of the streams that they read.
    const pieces = async function* () {
      try {
        yield* readPieces(target, fileOf(file.key), file)
      } catch (error) {
        if (error instanceof DamagedBackup) damage = error
        throw error
      }
    }
    try {
      const bytes = await store.put(file.key, pieces())
      if (bytes !== file.bytes) throw new Error(`${file.key} has ${bytes} bytes instead of ${file.bytes}`)
    } catch (error) {
      if (!damage) throw error
      damaged.push(damage.message)
    }
  }
  return damaged.length > 0 ? summarizeProblems(damaged) : undefined
}
