import type { TaskName } from '#engine/task-types.ts'

/** Licences and unknown digests must be accepted; without a source, a file must be supplied. */
export type ModelObjection = 'licence' | 'checksum' | 'source'

export interface CatalogueModel {
  name: string
  title: string
  task: TaskName
  licence: string
  /** Notes on commercial use and training data. */
  remark: string | null
  /** Must be accepted before the download. */
  objection: ModelObjection | null
  /** Bytes; null if unknown before the download. */
  size: number | null
  quality: string | null
  improves: string | null
  recommended: boolean
  /** The digest is unknown: the first download is trusted and recorded. */
  trustsFirstDownload: boolean
  installed: boolean
  /** 0 to 1 during the download. */
  progress: number | null
  failure: string | null
}

/** Models can be added, removed and listed while the server runs. */
export interface ModelCatalogue {
  list(): Promise<CatalogueModel[]>
  /** Installs a model completely or not at all; rejects with the reason. */
  add(name: string, signal: AbortSignal): Promise<void>
  /** Shows a model as coming. */
  announce(name: string): Promise<void>
  remove(name: string): Promise<boolean>
}
