export type JobKind = 'generation' | 'custom_edit' | 'custom_edit_results'

export interface NewFile {
  name: string
  blob: Blob
  /** Upload already begun, and its completeness. */
  begun?: { uploadUrl: string; arrived: boolean } | undefined
  /** The user's earlier output that the file is. */
  output?: string | undefined
}

export interface NewJob {
  kind: JobKind
  /** Id of the tool, or of the page of origin. */
  tool: string
  params: Record<string, unknown>
  /** By input name. */
  inputs: Record<string, readonly NewFile[]>
  /** Credits that the user accepted; a higher price needs confirmation. */
  price: number
}

export interface NewUpload extends NewJob {
  userId: string
  preview: Blob | null
  language: string
}

/**
 * The id is the Idempotency-Key, so that the request takes effect once however often it is sent.
 */
export interface UploadItem {
  id: string
  userId: string
  kind: JobKind
  tool: string
  params: Record<string, unknown>
  /** By input name. Bytes are stored apart, so that a change of state never rewrites a picture. */
  inputs: Record<string, QueuedFile[]>
  price: number
  preview: Blob | null
  /** Accept-Language. */
  language: string
  createdAt: number
  attempts: number
  state: UploadState
  /** HTTP status; 0 without a response. */
  lastStatus: number | null
  /** Earliest next attempt in milliseconds since 1970. */
  nextAt: number
  message: string | null
  code: string | null
  /** The server's current price when it differs from `price`. */
  askedPrice: number | null
  generationId: string | null
  /**
   * The request may have reached the server although no response came back. File uploads never set
   * it.
   */
  uncertain: boolean
  /** The session (`sid`) that the server rejected; another one is tried automatically. */
  refusedSession: string | null
  inMemory?: boolean
}

export interface QueuedFile {
  /** Index of its stored blob. */
  index: number
  name: string
  bytes: number
  /** An interrupted upload resumes there. */
  uploadUrl: string | null
  arrived: boolean
  /** The user's earlier output that the file is; no bytes are sent while the server has it. */
  output?: string | null
}

/**
 * waiting → sending (files, then the request) → sent (removed once seen) | waiting again (network,
 * 5xx, 408, 425, 429) | sign_in (401) | credits (402) | confirm (price changed) | refused (other
 * 4xx; the picture is kept until dismissed). cancelling: the request may have arrived, so it is
 * sent once more under its key, and an existing generation is cancelled and refunded. Otherwise the
 * item is deleted at once.
 */
export type UploadState = 'waiting' | 'sending' | 'sign_in' | 'credits' | 'confirm' | 'sent' | 'refused' | 'cancelling'

/** `QueuedFile.index` refers to them. */
export type UploadFiles = Blob[]

export function filesOf(item: UploadItem): QueuedFile[] {
  return Object.values(item.inputs).flat()
}

export function withFiles(item: UploadItem, change: (file: QueuedFile) => QueuedFile): UploadItem {
  const inputs = Object.entries(item.inputs).map(([name, files]) => [name, files.map(change)] as const)
  return { ...item, inputs: Object.fromEntries(inputs) }
}
