import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config.ts'
import type { Database } from '../db/database.ts'
import { schemaVersion } from '../db/migrate.ts'
import type { FileStore } from '../storage/store.ts'
import type { RestorePoint } from './backup.ts'
import { loadDump } from './dump.ts'
import { readPieces } from './pieces.ts'
import type { BackupTarget } from './target.ts'

/** Throws when this program cannot read the point. */
export function requireRestorable({ schema, version }: RestorePoint): void {
  if (schema <= schemaVersion) return
  throw new Error(`this restore point was made by version ${version}, which is newer; restore it with that version`)
}

/** Reads and checks every piece, and writes nothing. */
export async function checkPoint(target: BackupTarget, point: RestorePoint): Promise<void> {
  requireRestorable(point)
  const read = async (pieces: AsyncIterable<Uint8Array>) => {
    for await (const _ of pieces);
  }
  await read(readPieces(target, `points/${point.id}/database`, point.database))
  for (const file of point.files) await read(readPieces(target, `files/${file.key}`, file))
}

/** The generated secrets; before anything reads the configuration. */
export async function restoreSecrets({ secrets }: RestorePoint, dataDir: string): Promise<void> {
  const folder = join(dataDir, 'secrets')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const [name, text] of Object.entries(secrets)) {
    if (!/^[a-z-]+$/.test(name)) throw new Error(`the restore point has a secret with the strange name ${name}`)
    await writeFile(join(folder, name), text, { mode: 0o600 })
  }
}

/** Fills an empty database of the point's schema; throws when a table does not get all its rows. */
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
    const counts = await loadDump(db, dump)
    for (const [table, count] of Object.entries(point.tables)) {
      if (counts[table] !== count) throw new Error(`${table} has ${counts[table]} rows instead of ${count}`)
    }
  } finally {
    await rm(dump, { force: true })
  }
}

/** All files, each checked as it is written. */
export async function restoreFiles(target: BackupTarget, point: RestorePoint, store: FileStore): Promise<void> {
  for (const file of point.files) {
    const bytes = await store.put(file.key, readPieces(target, `files/${file.key}`, file))
    if (bytes !== file.bytes) throw new Error(`${file.key} has ${bytes} bytes instead of ${file.bytes}`)
  }
}
