/** Kinds of queue entries: generations, custom edit requests, and a designer's results. */
export type JobKind = 'generation' | 'custom_edit' | 'custom_edit_results'

/** A file from a tool, with the server's state of its upload. */
export interface NewFile {
  name: string
  blob: Blob
  /** An upload already begun with it, and whether it is complete. */
  begun?: { uploadUrl: string; arrived: boolean } | undefined
  /** Id of the user's earlier output that the file is. */
  output?: string | undefined
}

/** A request to be sent now or, offline, later. */
export interface NewJob {
  kind: JobKind
  /** Id of the tool, or of the page of origin. */
  tool: string
  params: Record<string, unknown>
  /** Files by input name. */
  inputs: Record<string, readonly NewFile[]>
  /** Price in credits that the user saw and accepted; a higher one needs confirmation. */
  price: number
}

/** A request with its owner and its thumbnail for the upload list. */
export interface NewUpload extends NewJob {
  userId: string
  preview: Blob | null
  language: string
}

/**
 * A request on its way to the server; its id is the Idempotency-Key, so that it takes effect once
 * however often it is sent.
 */
export interface UploadItem {
  id: string
  userId: string
  kind: JobKind
  tool: string
  params: Record<string, unknown>
  /**
   * Files by input name. Their bytes are stored beside the item, so that a change of state never
   * rewrites a picture.
   */
  inputs: Record<string, QueuedFile[]>
  /** Shown in the upload list: accepted price and thumbnail. */
  price: number
  preview: Blob | null
  /** Language of the server's messages (Accept-Language). */
  language: string
  createdAt: number
  attempts: number
  state: UploadState
  /** HTTP status of the last response; 0 without a response. */
  lastStatus: number | null
  /** Earliest next attempt (milliseconds since 1970). */
  nextAt: number
  /** The server's message for a refusal or question. */
  message: string | null
  /** The server's error code for `message`. */
  code: string | null
  /** The server's current price when it differs from `price`. */
  askedPrice: number | null
  /** Set on arrival. */
  generationId: string | null
  /**
   * The request may have reached the server although no response came back. File uploads alone
   * never set it.
   */
  uncertain: boolean
  /** The session (`sid`) that the server rejected; another session is tried automatically. */
  refusedSession: string | null
  /** Stored only in the memory of this page, lost when it closes. */
  inMemory?: boolean
}

export interface QueuedFile {
  /** Index of its stored blob. */
  index: number
  name: string
  bytes: number
  /** Address of the server's upload, once begun; an interrupted upload resumes there. */
  uploadUrl: string | null
  /** The server has the complete file. */
  arrived: boolean
  /**
   * Id of the user's earlier output that the file is. No bytes are sent while the server still has
   * that output.
   */
  output?: string | null
}

/**
 * waiting → sending (files, then the request) → sent (removed once seen) | waiting again (network,
 * 5xx, 408, 425, 429) | sign_in (401) | credits (402) | confirm (price changed) | refused (other
 * 4xx; the picture is kept until dismissed). cancelling: the user cancelled after the request may
 * have arrived. The request is sent once more under its key to learn its fate, and an existing
 * generation is cancelled and refunded. An item that cannot have arrived is deleted at once.
 */
export type UploadState = 'waiting' | 'sending' | 'sign_in' | 'credits' | 'confirm' | 'sent' | 'refused' | 'cancelling'

/** Bytes of an item's files; `QueuedFile.index` refers to them. */
export type UploadFiles = Blob[]

export function filesOf(item: UploadItem): QueuedFile[] {
  return Object.values(item.inputs).flat()
}

export function withFiles(item: UploadItem, change: (file: QueuedFile) => QueuedFile): UploadItem {
  const inputs = Object.entries(item.inputs).map(([name, files]) => [name, files.map(change)] as const)
  return { ...item, inputs: Object.fromEntries(inputs) }
}
