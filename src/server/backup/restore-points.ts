import { gunzipSync, gzipSync } from 'node:zlib'
import { type BackupTarget, DamagedBackup, type Pieces } from './backup-target.ts'

export interface BackedUpFile extends Pieces {
  key: string
}

/** Manifest of a restore point; written last, so that every manifest has all its pieces. */
export interface RestorePoint {
  format: 1
  /** Creation time in UTC, by which points are sorted. */
  id: string
  version: string
  schema: number
  migrations?: readonly string[]
  databaseId?: string
  /** The operator forced this point although it holds much less than the one before. */
  forced?: boolean
  database: Pieces
  tables: Record<string, number>
  files: BackedUpFile[]
  /** Files that were deleted between reading the rows and copying the file. */
  gone: string[]
  /** The generated secrets of DATA_DIR, without which sessions and second factors are lost. */
  secrets: Record<string, string>
}

export interface Contents {
  databaseId?: string | undefined
  accounts: number
  files: number
}

export interface ReadablePoint extends Contents {
  id: string
  version: string
  schema: number
  bytes: number
  gone: number
  forced: boolean
  missing: number
  /** The point holds much less than the good point before it, as after a lost disk. */
  emptied: boolean
}

/** A restore point in the operator's list; `problem`: its manifest cannot be read. */
export type PointSummary = ReadablePoint | { id: string; problem: string }

const manifestOf = (id: string) => `points/${id}/manifest`
const databaseOf = (id: string) => `points/${id}/database`
export const fileOf = (key: string) => `files/${key}`

const pieceNames = (name: string, { pieces }: Pieces) => Array.from({ length: pieces }, (_, n) => `${name}.${n}`)

export async function readPoint(target: BackupTarget, id: string): Promise<RestorePoint> {
  const bytes = await target.get(manifestOf(id))
  if (!bytes) throw new Error(`there is no restore point ${id}`)
  let point: RestorePoint
  try {
    point = JSON.parse(gunzipSync(bytes).toString()) as RestorePoint
  } catch (error) {
    throw new DamagedBackup(`the manifest of the restore point ${id} is damaged`, { cause: error })
  }
  if (point.format !== 1) throw new DamagedBackup(`the restore point ${id} was made by a newer version of this program`)
  return point
}

export async function writePoint(target: BackupTarget, point: RestorePoint): Promise<void> {
  await target.put(manifestOf(point.id), gzipSync(JSON.stringify(point)))
}

export async function listFilePieces(target: BackupTarget): Promise<Set<string>> {
  return new Set(await target.list('files/'))
}

export function hasFile(present: ReadonlySet<string>, file: BackedUpFile): boolean {
  return pieceNames(fileOf(file.key), file).every((name) => present.has(name))
}

/** All points with a manifest, oldest first. Reads only manifests and names, no contents. */
export async function listRestorePoints(target: BackupTarget): Promise<PointSummary[]> {
  const names = await target.list('points/')
  const ids = names.flatMap((name) => /^points\/([^/]+)\/manifest$/.exec(name)?.[1] ?? []).sort()
  const present = ids.length > 0 ? await listFilePieces(target) : new Set<string>()
  for (const name of names) present.add(name)
  const points: PointSummary[] = []
  let lastGood: ReadablePoint | undefined
  for (const id of ids) {
    const point = await summarize(target, id, present, lastGood)
    points.push(point)
    if (isGood(point)) lastGood = point
  }
  return points
}

async function summarize(
  target: BackupTarget,
  id: string,
  present: ReadonlySet<string>,
  lastGood: ReadablePoint | undefined,
): Promise<PointSummary> {
  try {
    const point = await readPoint(target, id)
    const { version, schema, databaseId, database, tables, files, gone, forced = false } = point
    const missingOf = (name: string, pieces: Pieces) =>
      pieceNames(name, pieces).filter((piece) => !present.has(piece)).length
    const contents = { databaseId, accounts: tables.users ?? 0, files: files.length }
    return {
      id,
      version,
      schema,
      ...contents,
      forced,
      gone: gone.length,
      bytes: files.reduce((sum, { bytes }) => sum + bytes, database.bytes),
      missing: files.reduce(
        (sum, file) => sum + missingOf(fileOf(file.key), file),
        missingOf(databaseOf(id), database),
      ),
      emptied: !forced && lastGood !== undefined && isEmptied(contents, lastGood),
    }
  } catch (error) {
    if (error instanceof DamagedBackup) return { id, problem: error.message }
    throw error
  }
}

/** A good point is safe to restore and counts for retention. */
function isGood(point: PointSummary): point is ReadablePoint {
  return !('problem' in point) && point.accounts > 0 && point.missing === 0 && !point.emptied
}

export const newestGood = (points: readonly PointSummary[]): ReadablePoint | undefined => points.findLast(isGood)

/** With fewer accounts, losing half of them is no sign of data loss. */
const minAccountsToCompare = 20

/**
 * True if the database has lost data since that point: it is another database, as a start on an
 * empty disk creates, or lacks most accounts. A healthy database never shrinks: deleted accounts
 * keep their rows.
 */
export function isEmptied(now: Contents, before: Contents): boolean {
  if (before.accounts === 0) return false
  if (now.accounts === 0) return true
  if (now.databaseId && before.databaseId) {
    if (now.databaseId !== before.databaseId) return true
    return before.accounts >= minAccountsToCompare && now.accounts * 2 < before.accounts
  }
  return now.accounts * 2 < before.accounts || (now.files === 0 && before.files > 0)
}

/**
 * Deletes old points and files that only they refer to. Keeps the newest `keep` good points and the
 * newest `keep` of all, so that points without accounts never displace those with some. Points with
 * an unreadable manifest stay: BACKUP_KEY may have changed.
 */
export async function deleteOldPoints(
  target: BackupTarget,
  points: readonly PointSummary[],
  keep: number,
): Promise<void> {
  const readable = points.filter((point) => !('problem' in point))
  const kept = new Set([...readable.filter(isGood).slice(-keep), ...readable.slice(-keep)].map(({ id }) => id))
  const old = readable.filter(({ id }) => !kept.has(id))
  if (old.length === 0) return
  const keptFiles = new Set<string>()
  for (const id of kept) for (const { key } of (await readPoint(target, id)).files) keptFiles.add(key)
  for (const { id } of old) {
    const { files, database } = await readPoint(target, id)
    // The manifest is deleted first: a point without all its pieces must not be listed.
    await target.delete(manifestOf(id))
    for (const name of pieceNames(databaseOf(id), database)) await target.delete(name)
    for (const file of files) {
      if (keptFiles.has(file.key)) continue
      for (const name of pieceNames(fileOf(file.key), file)) await target.delete(name)
    }
  }
}
