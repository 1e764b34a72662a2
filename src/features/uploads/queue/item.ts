/**
 * What the queue carries: runs of tools, requests for a designer, and the pictures a designer made.
 */
export type JobKind = 'generation' | 'custom_edit' | 'custom_edit_results'

/** A file as its tool hands it over, with what the server has of it already. */
export interface NewFile {
  name: string
  blob: Blob
  /** The upload that was begun with it, and whether all of it has arrived. */
  begun?: { uploadUrl: string; arrived: boolean } | undefined
  /** Id of the own earlier output that it is. */
  output?: string | undefined
}

/** What is to be sent now or, offline, later. */
export interface NewJob {
  kind: JobKind
  /** Id of the tool, or of the page that it comes from. */
  tool: string
  params: Record<string, unknown>
  /** Files by the names of the job's inputs. */
  inputs: Record<string, readonly NewFile[]>
  /** The price in credits the person saw and agreed to; a dearer one is asked again. */
  price: number
}

/** A job with whose it is and what the upload list shows of it. */
export interface NewUpload extends NewJob {
  userId: string
  preview: Blob | null
  language: string
}

/**
 * A job on its way to the server; its id is the Idempotency-Key, so that it arrives once however
 * often it is sent.
 */
export interface UploadItem {
  id: string
  userId: string
  /** What is asked for. */
  kind: JobKind
  tool: string
  params: Record<string, unknown>
  /**
   * The run's files by the tool's names of its inputs. Their bytes are stored beside the item, so
   * that a change of state never rewrites a picture.
   */
  inputs: Record<string, QueuedFile[]>
  /** What the upload list shows: the price the person agreed to, a small picture. */
  price: number
  preview: Blob | null
  /** Language of the server's messages (Accept-Language). */
  language: string
  createdAt: number
  attempts: number
  state: UploadState
  /** Status of the last response; 0 when none came. */
  lastStatus: number | null
  /** Not sent again before this moment (milliseconds since 1970). */
  nextAt: number
  /** The server's own words when it refused, or asks for something. */
  message: string | null
  /** The server's error code that belongs to `message`. */
  code: string | null
  /** The price the server asks now, when it is no longer `price`. */
  askedPrice: number | null
  /** Set when it arrived. */
  generationId: string | null
  /**
   * The run may have reached the server although no response came back. Uploads alone never make it
   * so.
   */
  uncertain: boolean
  /** The session (`sid`) the server no longer accepted; another one is tried by itself. */
  refusedSession: string | null
  /** It waits in the memory of this page alone, and goes with it. */
  inMemory?: boolean
}

export interface QueuedFile {
  /** Which of the item's stored blobs it is. */
  index: number
  name: string
  bytes: number
  /**
   * Address of the upload it is, once the server has begun one: an upload that broke off goes on
   * there.
   */
  uploadUrl: string | null
  /** The server has all of it. */
  arrived: boolean
  /**
   * Id of the own earlier output that it is: nothing has to be sent while the server still has
   * that.
   */
  output?: string | null
}

/**
 * waiting → sending (first the files, then the run) → sent (then removed once seen) | waiting again
 * (network, 5xx, 408, 425, 429)
 * | sign_in (401) | credits (402) | confirm (the price changed) | refused (other 4xx; the picture
 * is kept until dismissed).
 *
 * cancelling: the person took it back after the run may have arrived. The run is sent once more
 * under the same key, which tells what became of it, and what is found is cancelled and refunded
 * there. A run that cannot have arrived is deleted at once instead.
 */
export type UploadState = 'waiting' | 'sending' | 'sign_in' | 'credits' | 'confirm' | 'sent' | 'refused' | 'cancelling'

/** The bytes of an item's files; `QueuedFile.index` says which is whose. */
export type UploadFiles = Blob[]

export function filesOf(item: UploadItem): QueuedFile[] {
  return Object.values(item.inputs).flat()
}

export function withFiles(item: UploadItem, change: (file: QueuedFile) => QueuedFile): UploadItem {
  const inputs = Object.entries(item.inputs).map(([name, files]) => [name, files.map(change)] as const)
  return { ...item, inputs: Object.fromEntries(inputs) }
}
