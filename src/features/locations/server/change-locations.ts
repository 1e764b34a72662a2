import { EngineError } from '#engine/error.ts'
import type { AddedLocationId } from '#engine/scenes.ts'
import { isReservedWord, longestPhrase, phraseOf } from '#engine/tasks/background/index.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { audit } from '#server/audit/audit.ts'
import type { Transaction } from '#server/db/database.ts'
import { advisoryLock, requireVersion, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { EngineOutput } from '#tools/threads/task.ts'
import { maxLocations, maxWords, removedDays } from '../rules.ts'
import type { ChangedLocation, NewLocation } from '../schemas.ts'
import { currentLocations, type LocationRow } from './locations.ts'
import { type LocationRecord, locations } from './table.ts'

/** Milliseconds of processor time for decoding a file. */
const timeLimit = 60_000

/**
 * Decodes a file of a location in a process of its own, so that a hostile one can crash or fill
 * nothing else. Resolves to the file to keep and its sample; throws the refusal.
 */
async function readLocationFile(
  { engine }: Pick<Deps, 'engine'>,
  { path, exposure }: { path: string; exposure: number },
): Promise<{ file: EngineOutput; sample: EngineOutput }> {
  const task = {
    step: 'location' as const,
    tool: '',
    params: {},
    inputs: {},
    // No stored version is 0, so no thread remembers it as one.
    locations: [{ id: `added-${crypto.randomUUID()}` as AddedLocationId, version: 0, exposure, path }],
  }
  const own = engine ? undefined : await openPool()
  try {
    const { outputs } = await ((engine ?? own) as EnginePool).run(task, { lane: 'video_check', timeLimit })
    const [file, sample] = outputs
    if (!file || !sample) throw new TypeError('a location has no file')
    return { file, sample }
  } catch (error) {
    throw error instanceof EngineError ? appError(error.code, { cause: error }) : error
  } finally {
    await own?.close()
  }
}

/** Of a process that only answers requests, or of a command. */
async function openPool(): Promise<EnginePool> {
  const { createEnginePool } = await import('#tools/threads/pool.ts')
  return createEnginePool({ size: 1, entry: new URL('../../../tools/engine-thread.ts', import.meta.url) })
}

type ChangeDeps = Pick<Deps, 'db' | 'clock'>

/** Reads a local file and offers it as a location. `actor` is null for the operator's command. */
export async function addLocation(
  deps: ChangeDeps & Pick<Deps, 'store' | 'engine'>,
  actor: string | null,
  { path, exposure, ...given }: NewLocation & { path: string },
): Promise<AddedLocationId> {
  const { db, store, clock } = deps
  const record = recordOf(given)
  const { file, sample } = await readLocationFile(deps, { path, exposure })
  const now = clock()
  const folder = `locations/${crypto.randomUUID()}`
  const [fileKey, sampleKey] = [`${folder}/file`, `${folder}/sample`]
  const files = [
    { storageKey: fileKey, bytes: file.bytes.length },
    { storageKey: sampleKey, bytes: sample.bytes.length },
  ]
  await uploads.announceFiles(db, { files, now })
  try {
    await store.put(fileKey, file.bytes)
    await store.put(sampleKey, sample.bytes)
    return await transact(db, async (tx) => {
      const all = await lockedLocations(tx)
      if (all.length >= maxLocations) throw appError('form.invalid', { details: { file: 'location.tooMany' } })
      const id = await freeId(tx, record.name.id)
      await uploads.keepFiles(tx, { userId: null, files, now })
      const { width, height } = file
      const kind = file.label === 'photo' ? 'photo' : 'probe'
      const row = { id, record, kind, exposure, fileKey, sampleKey, width, height, active: true } as const
      await tx.insert(locations).values({ ...row, createdAt: now, createdBy: actor })
      const after = { ...record, kind, exposure, active: true }
      await audit(tx, { actor, action: 'location.added', subject: { kind: 'location', id }, after, now })
      return id
    })
  } catch (error) {
    await store.delete([fileKey, sampleKey]).catch(() => {})
    throw error
  }
}

/** Results made so far keep the version they have. */
export async function changeLocation(
  { db, clock }: ChangeDeps,
  actor: string | null,
  id: string,
  { version, active, ...given }: Omit<ChangedLocation, 'version'> & { version?: number },
): Promise<void> {
  const record = recordOf(given)
  await replaceRow({ db, clock }, actor, id, version, () => ({ record, active }))
}

export async function switchLocation(deps: ChangeDeps, id: string, active: boolean): Promise<void> {
  await replaceRow(deps, null, id, undefined, ({ record }) => ({ record, active }))
}

async function replaceRow(
  { db, clock }: ChangeDeps,
  actor: string | null,
  id: string,
  version: number | undefined,
  change: (row: LocationRow) => Pick<LocationRow, 'record' | 'active'>,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const current = await requireLocation(tx, id)
    requireVersion(version, current.version)
    const { version: _, ...row } = current
    const next = change(current)
    await tx.insert(locations).values({ ...row, ...next, createdBy: actor })
    const [before, after] = [current, next].map(({ record, active }) => ({ ...record, active }))
    await audit(tx, { actor, action: 'location.changed', subject: { kind: 'location', id }, before, after, now })
  })
}

/** The files stay for {@link removedDays}: finished results are rendered again from them. */
export async function removeLocation({ db, clock }: ChangeDeps, actor: string | null, id: string): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const { version: _, ...row } = await requireLocation(tx, id)
    await tx.insert(locations).values({ ...row, active: false, removed: true, createdBy: actor })
    const files = [{ storageKey: row.fileKey }, { storageKey: row.sampleKey }]
    await uploads.dropFiles(tx, files, now, addTime(now, { days: removedDays }))
    const before = { ...row.record, active: row.active }
    await audit(tx, { actor, action: 'location.removed', subject: { kind: 'location', id }, before, now })
  })
}

async function lockedLocations(tx: Transaction): Promise<LocationRow[]> {
  await advisoryLock(tx, 'locations')
  return await currentLocations(tx)
}

async function requireLocation(tx: Transaction, id: string): Promise<LocationRow> {
  const row = (await lockedLocations(tx)).find((location) => location.id === id)
  if (!row) throw appError('request.not_found')
  return row
}

/** Of the name; ids of removed locations stay taken, since results still name them. */
async function freeId(tx: Transaction, name: string): Promise<AddedLocationId> {
  const taken = new Set((await tx.selectDistinct({ id: locations.id }).from(locations)).map(({ id }) => id))
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  const base = plain.slice(0, 36).replace(/-$/, '') || 'lokasi'
  for (let number = 1; ; number++) {
    const id: AddedLocationId = `added-${number === 1 ? base : `${base}-${number}`}`
    if (!taken.has(id)) return id
  }
}

function recordOf({ name, words, licence, source }: Pick<NewLocation, 'name' | 'words' | 'licence' | 'source'>) {
  const record: LocationRecord = {
    name,
    words: { id: phrasesOf('words.id', words.id), en: phrasesOf('words.en', words.en) },
    licence,
    source,
  }
  return record
}

function phrasesOf(field: string, text: string): string[] {
  const phrases = [
    ...new Set(
      text
        .split(/[,;\n]/)
        .map(phraseOf)
        .filter(Boolean),
    ),
  ]
  const isUsable = (phrase: string) => phrase.split(' ').length <= longestPhrase && !isReservedWord(phrase)
  if (phrases.length === 0 || phrases.length > maxWords || !phrases.every(isUsable)) {
    throw appError('form.invalid', { details: { [field]: 'location.words' } })
  }
  return phrases
}
