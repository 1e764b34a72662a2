import type { UploadStatus } from './rules.ts'

/**
 * Reference to a file: the user's upload, or an output of an earlier generation. Both ids are
 * UUIDs.
 */
export type InputRef = { upload: string } | { file: string }

/**
 * An upload in every response; times are ISO 8601 in UTC. Facts about the content are null until it
 * is `ready`.
 */
export interface UploadView {
  id: string
  status: UploadStatus
  name: string
  contentType: string | null
  /** Bytes of the whole file, and received bytes. */
  bytes: number
  received: number
  /** Pixels of the upright picture. */
  width: number | null
  height: number | null
  seconds: number | null
  expiresAt: string
}
