import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { schemaVersion } from '../db/migrate.ts'
import type { Deps } from '../deps.ts'
import { version } from '../version.ts'
import { dumpDatabase } from './dump.ts'
import { type Pieces, putPieces } from './pieces.ts'
import type { BackupTarget } from './target.ts'

export interface BackedUpFile extends Pieces {
  key: string
}

/** What a restore point consists of; written last, so that there is none without all of it. */
export interface RestorePoint {
  format: 1
  /** The moment in UTC, by which points are sorted. */
  id: string
  version: string
  schema: number
  database: Pieces
  tables: Record<string, number>
  files: BackedUpFile[]
  /** Files that were deleted between the rows and their turn. */
  gone: string[]
  /** The generated secrets of DATA_DIR, without which sessions and second factors are lost. */
  secrets: Record<string, string>
}

export interface BackupSummary {
  id: string
  files: number
  copiedFiles: number
  copiedBytes: number
  seconds: number
}

type Tools = Pick<Deps, 'db' | 'store' | 'clock' | 'config'>

/**
 * Makes a restore point while everything runs: first the rows of one moment, then the files that
 * they refer to and that no earlier point has. Files never change once they are stored.
 */
export async function makeBackup(tools: Tools, target: BackupTarget, keep: number): Promise<BackupSummary> {
  const { db, store, clock, config } = tools
  const started = performance.now()
  const id = clock().toISOString().replaceAll(/[:.]/g, '-')
  const before = await listPoints(target)
  const newest = before.at(-1)
  const known = new Map((newest ? await readPoint(target, newest) : undefined)?.files.map((file) => [file.key, file]))
  const dump = join(config.dataDir, `backup-${randomUUID()}.draft`)
  try {
    const { tables, files: wanted } = await dumpDatabase(db, dump)
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
    const point: RestorePoint = {
      ...{ format: 1, id, version, schema: schemaVersion, database, tables, files, gone, secrets },
    }
    await target.put(manifestOf(id), gzipSync(JSON.stringify(point)))
    await deleteOldPoints(target, [...before, id], keep)
    const seconds = Math.round(performance.now() - started) / 1000
    return { id, files: files.length, copiedFiles: copied.files, copiedBytes: copied.bytes, seconds }
  } finally {
    await rm(dump, { force: true })
  }
}

async function copyFile(store: Tools['store'], target: BackupTarget, key: string): Promise<BackedUpFile | undefined> {
  try {
    const { body } = await store.stream(key)
    return { key, ...(await putPieces(target, `files/${key}`, body)) }
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

const manifestOf = (id: string) => `points/${id}/manifest`

/** Ids of the whole restore points, oldest first. */
export async function listPoints(target: BackupTarget): Promise<string[]> {
  const names = await target.list('points/')
  return names.flatMap((name) => /^points\/([^/]+)\/manifest$/.exec(name)?.[1] ?? []).sort()
}

export async function readPoint(target: BackupTarget, id: string): Promise<RestorePoint> {
  const bytes = await target.get(manifestOf(id))
  if (!bytes) throw new Error(`there is no restore point ${id}`)
  const point = JSON.parse(gunzipSync(bytes).toString()) as RestorePoint
  if (point.format !== 1) throw new Error(`the restore point ${id} was made by a newer version of this program`)
  return point
}

/** Keeps the newest points, and the files that any of them refers to. */
async function deleteOldPoints(target: BackupTarget, ids: string[], keep: number): Promise<void> {
  const old = ids.slice(0, -keep)
  if (old.length === 0) return
  const kept = new Set<string>()
  for (const id of ids.slice(-keep)) for (const { key } of (await readPoint(target, id)).files) kept.add(key)
  for (const id of old) {
    const { files, database } = await readPoint(target, id)
    // The manifest first: half a point is none.
    await target.delete(manifestOf(id))
    for (let piece = 0; piece < database.pieces; piece += 1) await target.delete(`points/${id}/database.${piece}`)
    for (const { key, pieces } of files) {
      if (kept.has(key)) continue
      for (let piece = 0; piece < pieces; piece += 1) await target.delete(`files/${key}.${piece}`)
    }
  }
}
