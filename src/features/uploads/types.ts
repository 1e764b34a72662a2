import type { UploadStatus } from './rules.ts'

/** The user's upload, or an output of an earlier generation; UUIDs. */
export type InputRef = { upload: string } | { file: string }

/** Times are ISO 8601 in UTC. Facts about the content are null until it is `ready`. */
export interface UploadView {
  id: string
  status: UploadStatus
  name: string
  contentType: string | null
  /** Bytes of the whole file, and received bytes. */
  bytes: number
  received: number
  /** Size of the upright picture in pixels. */
  width: number | null
  height: number | null
  seconds: number | null
  expiresAt: string
}
