import { resolve } from 'node:path'
import type { ReadConfig } from '../config.ts'

/** A folder's path, or the address of a bucket such as `https://key:secret@host/bucket`. */
export type StorageLocation = string | URL

interface StorageConfig {
  /** Undefined: in DATA_DIR. */
  place: StorageLocation | undefined
  previous: StorageLocation | undefined
}

declare module '../config.ts' {
  interface FeatureConfig {
    storage: StorageConfig
  }
}

/** Undefined for a URL that is not that of a bucket with its key. */
export function parseStorageLocation(value: string): StorageLocation | undefined {
  if (!/^[a-z0-9+]+:\/\//i.test(value)) return resolve(value)
  const address = /^https?:\/\//.test(value) ? URL.parse(value) : null
  const bucket = address && /^\/[^/]+$/.test(address.pathname)
  return address && bucket && address.username && address.password ? address : undefined
}

/** Null if browsers do not reach the storage. */
export function publicOriginOf(place: StorageLocation | undefined): string | null {
  return place instanceof URL ? place.searchParams.get('public') : null
}

export const readStorageConfig: ReadConfig<StorageConfig> = (read) => {
  const places: Partial<Record<string, StorageLocation>> = {}
  for (const [name, value] of Object.entries({
    STORAGE: read('STORAGE'),
    PREVIOUS_STORAGE: read('PREVIOUS_STORAGE'),
  })) {
    if (!value) continue
    const place = parseStorageLocation(value)
    const origin = publicOriginOf(place)
    if (!place || (origin !== null && !/^https?:\/\/[^/?#]+$/.test(origin))) {
      return {
        problem: `${name} must be a folder, or https://key:secret@host/bucket with region=… and public=https://… where they matter`,
      }
    }
    places[name] = place
  }
  return { config: { place: places.STORAGE, previous: places.PREVIOUS_STORAGE } }
}
