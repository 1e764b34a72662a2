import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file as its source gave it the first time. */
export interface FirstDownload {
  size: number
  sha256: string
  /** ISO 8601. */
  at: string
}

/** By the names of models and of their parts. */
type FirstDownloads = Record<string, Record<string, FirstDownload>>

/**
 * Lies beside the models and outlives them: a model that is removed and added again has to be the
 * same, where the manifest knows no digest of it.
 */
const recordFile = 'first-downloads.json'

/** The files of a model as they came first; rejects where the record is damaged. */
export async function firstDownloadsOf(modelsDir: string, model: string): Promise<Record<string, FirstDownload>> {
  return (await readRecord(modelsDir))[model] ?? {}
}

/** Keeps what a model's sources have given; what is known already is replaced. */
export async function recordFirstDownloads(
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
    // Never taken for empty: then any file would count as the first.
    throw new Error(`${path} is damaged; restore it, or delete it to trust the next downloads as the first`)
  }
}
