/** A picture on its way to the server; its id is the Idempotency-Key, so that it arrives once however often it is sent. */
export interface UploadItem {
  id: string
  userId: string
  url: string
  /** Text fields of the multipart form. */
  fields: Record<string, string>
  /** What goes with it; the bytes are stored beside the item, so that a change of state never rewrites a picture. */
  files: { field: string; name: string; bytes: number }[]
  /** What the tray shows: the tool, the price the person agreed to, a small picture. */
  tool: string
  price: number
  preview: Blob | null
  /** Language in which the server answers (Accept-Language). */
  language: string
  createdAt: number
  attempts: number
  state: UploadState
  /** Status of the last answer; 0 when none came. */
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
  /** An attempt may have reached the server although no answer came back. */
  uncertain: boolean
  /** The session (`sid`) the server no longer accepted; another one is tried by itself. */
  refusedSession: string | null
}

/**
 * waiting → sending → sent (then removed once seen) | waiting again (network, 5xx, 408, 425, 429)
 * | sign_in (401) | credits (402) | confirm (the price changed) | refused (other 4xx; the picture is kept until dismissed).
 *
 * cancelling: the person took it back after it may have arrived. It is sent once more under the same key, which tells what became of it,
 * and what is found is cancelled and refunded there. An upload that cannot have arrived is deleted at once instead.
 */
export type UploadState = 'waiting' | 'sending' | 'sign_in' | 'credits' | 'confirm' | 'sent' | 'refused' | 'cancelling'

/** The bytes of an item's files, in the order of `UploadItem.files`. */
export type UploadFiles = Blob[]
