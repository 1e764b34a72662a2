import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

export interface FirstDownload {
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
    // A damaged record must not count as empty, or any file would be trusted.
    throw new Error(`${path} is damaged; restore it, or delete it to trust the next downloads as the first`)
  }
}
