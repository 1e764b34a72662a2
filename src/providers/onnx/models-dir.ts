import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ModelEntry, type ModelFile, manifest, trustsFirstDownload } from './manifest.ts'

interface FirstDownload {
  size: number
  sha256: string
  /** ISO 8601. */
  at: string
}

/** By model and part. */
type FirstDownloads = Record<string, Record<string, FirstDownload>>

/** Kept after a removal: without a known digest, a model that is added again must be the same. */
const recordFile = 'first-downloads.json'

/** Rejects if the record is damaged. */
export async function firstDownloadsOf(modelsDir: string, model: string): Promise<Record<string, FirstDownload>> {
  return (await readRecord(modelsDir))[model] ?? {}
}

async function recordFirstDownloads(
  modelsDir: string,
  model: string,
  files: Record<string, FirstDownload>,
): Promise<void> {
  const record = await readRecord(modelsDir)
  const path = join(modelsDir, recordFile)
  await mkdir(modelsDir, { recursive: true })
  const draft = `${path}.${process.pid}.draft`
  await writeFile(draft, JSON.stringify({ ...record, [model]: { ...record[model], ...files } }, null, 2))
  await rename(draft, path)
}

async function readRecord(modelsDir: string): Promise<FirstDownloads> {
  const path = join(modelsDir, recordFile)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}'
    throw error
  })
  try {
    return JSON.parse(text) as FirstDownloads
  } catch {
    // A damaged record must not count as empty, or any file would be trusted.
    throw new Error(`${path} is damaged; restore it, or delete it to trust the next downloads as the first`)
  }
}

interface InstalledFile {
  path: string
  size: number
  sha256: string
}

export interface InstalledModel {
  entry: ModelEntry
  /** By the part names of its family. */
  files: Readonly<Record<string, InstalledFile>>
  /** ISO 8601. */
  addedAt: string
  folder: string
  /** Its files match neither the manifest nor the first download. */
  own: boolean
  /** Verdict of the bench, if it was run. */
  better?: boolean
}

/** Metadata beside a model's files. */
interface Notes {
  name: string
  files: Record<string, { size: number; sha256: string }>
  addedAt: string
  better?: boolean
}

const notesFile = 'model.json'
export const fileOf = (folder: string, part: string) => join(folder, `${part}.onnx`)

export function entryOf(name: string): ModelEntry {
  const entry = manifest.find((known) => known.name === name)
  if (!entry) throw new Error(`there is no model ${name}; npm run models -- list names them`)
  return entry
}

export async function findInstalled(modelsDir: string, entry: ModelEntry): Promise<InstalledModel | undefined> {
  if (!(await namesIn(modelsDir)).includes(entry.name)) return undefined
  const folder = join(modelsDir, entry.name)
  const notes = (await readNotes(folder)) ?? (await notesOfFiles(folder, entry))
  if (!notes) return undefined
  const files = Object.entries(notes.files).map(([part, known]) => [part, { path: fileOf(folder, part), ...known }])
  const first = trustsFirstDownload(entry) ? await firstDownloadsOf(modelsDir, entry.name).catch(() => undefined) : {}
  const own = Object.entries(entry.files).some(([part, { sha256 = first?.[part]?.sha256 }]) => {
    return sha256 && notes.files[part]?.sha256 !== sha256
  })
  const { addedAt, better } = notes
  return { entry, files: Object.fromEntries(files), addedAt, folder, own, ...(better !== undefined && { better }) }
}

const listings = new Map<string, Promise<string[]>>()

/** Concurrent calls share one read. */
function namesIn(folder: string): Promise<string[]> {
  const listing = listings.get(folder) ?? readdir(folder).catch(() => [])
  listings.set(folder, listing)
  return listing.finally(() => listings.delete(folder))
}

async function readNotes(folder: string): Promise<Notes | undefined> {
  try {
    return JSON.parse(await readFile(join(folder, notesFile), 'utf8')) as Notes
  } catch {
    return undefined
  }
}

/** Checksums by path, size and modification time, for files placed by hand. */
const checksums = new Map<string, Promise<string>>()

async function checksumOf(path: string): Promise<{ size: number; sha256: string; mtime: Date }> {
  const { size, mtime } = await stat(path)
  const key = `${path} ${size} ${mtime.getTime()}`
  const sha256 = checksums.get(key) ?? sha256Of(path)
  checksums.set(key, sha256)
  return { size, sha256: await sha256, mtime }
}

/** Undefined unless all files of a model were placed by hand. */
async function notesOfFiles(folder: string, { name, files }: ModelEntry): Promise<Notes | undefined> {
  try {
    const parts = Object.keys(files).map(async (part) => [part, await checksumOf(fileOf(folder, part))] as const)
    const found = await Promise.all(parts)
    const addedAt = new Date(Math.max(...found.map(([, { mtime }]) => mtime.getTime()))).toISOString()
    return {
      name,
      addedAt,
      files: Object.fromEntries(found.map(([part, { size, sha256 }]) => [part, { size, sha256 }])),
    }
  } catch {
    return undefined
  }
}

/** In manifest order. */
export async function listInstalled(modelsDir: string): Promise<InstalledModel[]> {
  const found = await Promise.all(manifest.map((entry) => findInstalled(modelsDir, entry)))
  return found.filter((model) => model !== undefined)
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Problem of an installed model's files, or undefined. */
export async function findDamage({ files }: InstalledModel): Promise<string | undefined> {
  for (const [part, { path, size, sha256 }] of Object.entries(files)) {
    const found = await checksumOf(path).catch(() => undefined)
    if (!found) return `${part} is missing`
    if (found.size !== size) return `${part} has ${found.size} bytes instead of ${size}`
    if (found.sha256 !== sha256) return `${part} has changed`
  }
  return undefined
}

export async function sizeAndDigestOf(path: string): Promise<{ size: number; sha256: string }> {
  return { size: (await stat(path)).size, sha256: await sha256Of(path) }
}

/** Undefined if the file is the known one. */
export function differenceFrom(
  known: Pick<ModelFile, 'size' | 'sha256'>,
  { size, sha256 }: { size: number; sha256: string },
): string | undefined {
  if (known.size !== undefined && known.size !== size) return `${size} bytes instead of ${known.size}`
  if (known.sha256 === undefined || known.sha256 === sha256) return undefined
  return `its SHA-256 is ${sha256} instead of ${known.sha256}`
}

interface InstallOptions {
  /** Accepts the operator's own files, which may differ from the manifest. */
  own?: boolean
  /**
   * Compares with the first download if the digest is unknown; `acceptChange` replaces the record.
   */
  downloads?: { acceptChange: boolean }
}

/**
 * Installs completely or not at all: `bring` writes draft files, which are compared with their
 * known values. A known part left by an earlier attempt is kept.
 */
export async function installModel(
  modelsDir: string,
  entry: ModelEntry,
  bring: (part: string, path: string, known: ModelFile) => Promise<void>,
  { own = false, downloads }: InstallOptions = {},
): Promise<InstalledModel> {
  const draft = draftFolderOf(modelsDir, entry)
  const first = downloads ? await firstDownloadsOf(modelsDir, entry.name) : {}
  const addedAt = new Date().toISOString()
  const files: Notes['files'] = {}
  const toRecord: Record<string, FirstDownload> = {}
  await mkdir(draft, { recursive: true })
  for (const [part, known] of Object.entries(entry.files)) {
    const path = fileOf(draft, part)
    const left = known.sha256 && !own ? await sizeAndDigestOf(path).catch(() => undefined) : undefined
    const isThere = left && !differenceFrom(known, left)
    if (!isThere) await bring(part, path, known)
    const found = isThere ? left : await sizeAndDigestOf(path)
    const before = known.sha256 === undefined ? first[part] : undefined
    const wrong = own ? undefined : differenceFrom(known, found)
    const changed = before && !downloads?.acceptChange ? differenceFrom(before, found) : undefined
    if (wrong || changed) {
      await rm(path)
      throw new Error(
        wrong
          ? `${entry.name}: ${part} is not the file that is known: ${wrong}`
          : `${entry.name}: ${part} is not the file that was first downloaded on ${before?.at.slice(0, 10)}: ${changed}; npm run models -- add ${entry.name} --accept-change takes the new one`,
      )
    }
    files[part] = found
    if (downloads && known.sha256 === undefined && before?.sha256 !== found.sha256)
      toRecord[part] = { ...found, at: addedAt }
  }
  if (Object.keys(toRecord).length > 0) await recordFirstDownloads(modelsDir, entry.name, toRecord)
  await writeNotes(draft, { name: entry.name, files, addedAt })
  const kept = [notesFile, ...Object.keys(files).map((part) => `${part}.onnx`)]
  const leftovers = (await readdir(draft)).filter((name) => !kept.includes(name))
  for (const name of leftovers) await rm(join(draft, name), { recursive: true, force: true })
  const folder = join(modelsDir, entry.name)
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
  return (await findInstalled(modelsDir, entry)) as InstalledModel
}

const draftFolderOf = (modelsDir: string, { name }: ModelEntry) => join(modelsDir, `.${name}.draft`)

const writeNotes = (folder: string, notes: Notes) => writeFile(join(folder, notesFile), JSON.stringify(notes, null, 2))

/** The bench's verdict decides the order of providers. */
export async function recordVerdict(modelsDir: string, name: string, better: boolean): Promise<void> {
  const model = await findInstalled(modelsDir, entryOf(name))
  if (!model) return
  const files = Object.entries(model.files).map(([part, { size, sha256 }]) => [part, { size, sha256 }] as const)
  await writeNotes(model.folder, { name, files: Object.fromEntries(files), addedAt: model.addedAt, better })
}

/** Also removes leftovers of interrupted downloads; false if there is no model. */
export async function removeModel(modelsDir: string, name: string): Promise<boolean> {
  await rm(draftFolderOf(modelsDir, entryOf(name)), { recursive: true, force: true })
  if (!(await namesIn(modelsDir)).includes(entryOf(name).name)) return false
  await rm(join(modelsDir, name), { recursive: true })
  return true
}
