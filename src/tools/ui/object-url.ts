import { useEffect } from 'react'

/**
 * Milliseconds for which an address outlives its last use, so that the next component shows it
 * without a flicker.
 */
const releaseDelayMs = 10_000

interface Held {
  url: string
  users: number
  release: ReturnType<typeof setTimeout> | undefined
}

const held = new Map<Blob, Held>()

function hold(blob: Blob): Held {
  const known = held.get(blob)
  if (known) return known
  const made: Held = { url: URL.createObjectURL(blob), users: 0, release: undefined }
  held.set(blob, made)
  releaseLater(blob, made)
  return made
}

function releaseLater(blob: Blob, entry: Held): void {
  clearTimeout(entry.release)
  entry.release = setTimeout(() => {
    URL.revokeObjectURL(entry.url)
    held.delete(blob)
  }, releaseDelayMs)
}

function retain(blob: Blob): () => void {
  const entry = hold(blob)
  entry.users += 1
  clearTimeout(entry.release)
  return () => {
    entry.users -= 1
    if (entry.users === 0) releaseLater(blob, entry)
  }
}

export function useObjectUrl(blob: Blob | null | undefined): string | null {
  useEffect(() => (blob ? retain(blob) : undefined), [blob])
  return blob ? hold(blob).url : null
}

/** `key` changes exactly when the blobs do. */
export function useObjectUrls(blobs: readonly Blob[], key: string): (blob: Blob) => string {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the blobs
  useEffect(() => {
    const releases = blobs.map(retain)
    return () => {
      for (const release of releases) release()
    }
  }, [key])
  return (blob) => hold(blob).url
}
