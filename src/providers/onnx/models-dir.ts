import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ModelEntry, manifest } from './manifest.ts'

/** What is known of an installed model's files, by the parts that its family names. */
export type InstalledFiles = Record<string, { size: number; sha256: string }>

/** An installed model. */
export interface InstalledModel {
  entry: ModelEntry
  files: InstalledFiles
  /** ISO 8601. */
  addedAt: string
  folder: string
}

const notes = 'model.json'
export const fileOf = (folder: string, part: string) => join(folder, `${part}.onnx`)

/** The model that operators call so, as it is known. */
export function entryOf(name: string): ModelEntry {
  const entry = manifest.find((known) => known.name === name)
  if (!entry) throw new Error(`there is no model ${name}; npm run models -- list names them`)
  return entry
}

/** An installed model, or undefined where there is none (any more). */
export async function findInstalled(modelsDir: string, entry: ModelEntry): Promise<InstalledModel | undefined> {
  const folder = join(modelsDir, entry.name)
  try {
    const { files, addedAt } = JSON.parse(await readFile(join(folder, notes), 'utf8'))
    return { entry, files, addedAt, folder }
  } catch {
    return undefined
  }
}

/** All installed models, in the order of the manifest. */
export async function listInstalled(modelsDir: string): Promise<InstalledModel[]> {
  const found = await Promise.all(manifest.map((entry) => findInstalled(modelsDir, entry)))
  return found.filter((model) => model !== undefined)
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** What is wrong with an installed model's files; nothing when they are as they were added. */
export async function damageOf({ folder, files }: InstalledModel): Promise<string | undefined> {
  for (const [part, { size, sha256 }] of Object.entries(files)) {
    const path = fileOf(folder, part)
    const found = await stat(path).catch(() => undefined)
    if (!found) return `${part} is missing`
    if (found.size !== size) return `${part} has ${found.size} bytes instead of ${size}`
    if ((await sha256Of(path)) !== sha256) return `${part} has changed`
  }
  return undefined
}

/**
 * Puts a model in place, whole or not at all: `bring` writes each part to the path that it is
 * given. What the manifest knows of a file has to hold.
 */
export async function install(
  modelsDir: string,
  entry: ModelEntry,
  bring: (part: string, path: string) => Promise<void>,
): Promise<InstalledModel> {
  const draft = join(modelsDir, `.${entry.name}.draft`)
  const folder = join(modelsDir, entry.name)
  await mkdir(draft, { recursive: true })
  const files: InstalledFiles = {}
  for (const [part, known] of Object.entries(entry.files)) {
    const path = fileOf(draft, part)
    await bring(part, path)
    const [{ size }, sha256] = [await stat(path), await sha256Of(path)]
    const wrong =
      (known.size !== undefined && known.size !== size && `${size} bytes instead of ${known.size}`) ||
      (known.sha256 !== undefined && known.sha256 !== sha256 && `its SHA-256 is ${sha256} instead of ${known.sha256}`)
    if (wrong) {
      await rm(path)
      throw new Error(`${entry.name}: ${part} is not the file that is known: ${wrong}`)
    }
    files[part] = { size, sha256 }
  }
  const addedAt = new Date().toISOString()
  await writeFile(join(draft, notes), JSON.stringify({ name: entry.name, files, addedAt }, null, 2))
  await rm(folder, { recursive: true, force: true })
  await rename(draft, folder)
  return { entry, files, addedAt, folder }
}

/** Takes a model away; false where there was none. */
export async function remove(modelsDir: string, name: string): Promise<boolean> {
  const known = await readdir(modelsDir).catch(() => [] as string[])
  if (!known.includes(entryOf(name).name)) return false
  await rm(join(modelsDir, name), { recursive: true })
  return true
}
