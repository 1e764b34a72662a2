import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import type { ModelFile } from './manifest.ts'
import { differenceFrom, measure } from './models-dir.ts'

export interface DownloadOptions {
  /** Told how many bytes of how many are there; the whole is 0 where it is unknown. */
  onProgress?: (bytes: number, of: number) => void
  signal?: AbortSignal
}

/** Bytes that a file of unknown size may have; the largest model that is known has 1 GB. */
const maxBytes = 2_000_000_000

/**
 * Downloads a file by HTTP, redirects followed, into a temporary file beside `path`; it takes its
 * name once its size and SHA-256 are those that are known. A download that was cut goes on where it
 * ended, but only where the digest is known: else the pieces of two files could become one.
 */
export async function download(
  url: string,
  path: string,
  known: Pick<ModelFile, 'size' | 'sha256'>,
  options: DownloadOptions = {},
): Promise<void> {
  // Another source may have another file of the same name, another process another one of unknown
  // digest.
  const name = known.sha256 ? createHash('sha256').update(url).digest('hex').slice(0, 8) : randomUUID()
  const part = `${path}.${name}.part`
  let resumed: boolean
  try {
    resumed = await fetchInto(part, url, known, options)
  } catch (error) {
    if (!known.sha256 || error instanceof WrongFile) await rm(part, { force: true })
    throw error
  }
  const difference = differenceFrom(known, await measure(part))
  if (!difference) return rename(part, path)
  await rm(part)
  if (!resumed) throw new WrongFile(difference)
  // The file may have changed between the two downloads: once more from its beginning.
  await download(url, path, known, options)
}

/** The source has another file than the one that is known. */
class WrongFile extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'WrongFile'
  }
}

/** Writes what is missing of a file; whether some of it was there before. */
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
    // It was whole when the process ended.
    if (bytes === size) return resumes
    const response = await fetch(url, {
      headers: { 'accept-encoding': 'identity', ...(resumes && { range: `bytes=${bytes}-` }) },
      ...(signal && { signal }),
    })
    try {
      // Beyond its end: it was there whole.
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
      // Each piece is in the file before the next is asked for, so that a cut loses none of them.
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        bytes += chunk.length
        if (bytes > limit) throw new WrongFile(`more than ${limit} bytes`)
        await file.writeFile(chunk)
        onProgress?.(bytes, whole || size || 0)
      }
      if (whole && bytes !== whole) throw new Error(`it ended after ${bytes} of ${whole} bytes`)
      return resumes && response.status === 206
    } finally {
      await response.body?.cancel().catch(() => {})
    }
  } finally {
    await file.close()
  }
}
