import type { TaskName } from '#engine/task-work.ts'

/**
 * A copyleft licence, or a file of unknown digest, has to be accepted; a model without a source can
 * only be brought.
 */
export type ModelObjection = 'licence' | 'checksum' | 'source'

/** A model that can be added to this machine, as admins see it. */
export interface ShelfModel {
  name: string
  title: string
  task: TaskName
  licence: string
  /** What to know of commercial use and of where it was trained. */
  remark: string | null
  /** Why it has to be accepted before it comes; null where it need not be. */
  objection: ModelObjection | null
  /** Bytes; null where nobody knows before it is here. */
  size: number | null
  quality: string | null
  /** In a few words, of a recommended model. */
  improves: string | null
  recommended: boolean
  /** The digest of a file is unknown: the first download is trusted, and recorded. */
  trustsFirstDownload: boolean
  installed: boolean
  /** 0 to 1 while it comes. */
  progress: number | null
  /** Why it did not come. */
  failure: string | null
}

/** The models that can be added, removed and looked at while the server runs. */
export interface ModelShelf {
  list(): Promise<ShelfModel[]>
  /** Fetches a model, whole or not at all; rejects with why not. */
  add(name: string, signal: AbortSignal): Promise<void>
  /** Says that a model is going to come. */
  announce(name: string): Promise<void>
  remove(name: string): Promise<boolean>
}
