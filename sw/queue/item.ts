/** A picture on its way to the server; its id is the Idempotency-Key, so that it arrives once however often it is sent. */
export interface UploadItem {
  id: string
  userId: string
  url: string
  /** Text fields of the multipart form. */
  fields: Record<string, string>
  files: { field: string; name: string; blob: Blob }[]
  /** What the tray shows: the tool, the price the person agreed to, a small picture. */
  tool: string
  price: number
  preview: Blob | null
  createdAt: number
  attempts: number
  state: UploadState
  lastStatus: number | null
  /** Not sent again before this moment (milliseconds since 1970). */
  nextAt: number
  /** The server's own words when it refused, or asks for something. */
  message: string | null
  /** The price the server asks now, when it is no longer `price`. */
  askedPrice: number | null
  /** Set when it arrived. */
  generationId: string | null
}

/**
 * waiting → sending → sent (then removed once seen) | waiting again (network, 5xx, 408, 425, 429)
 * | sign_in (401) | credits (402) | confirm (the price changed) | refused (other 4xx; the picture is kept until dismissed).
 */
export type UploadState = 'waiting' | 'sending' | 'sign_in' | 'credits' | 'confirm' | 'sent' | 'refused'
