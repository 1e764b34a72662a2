import type { UploadStatus } from './rules.ts'

/**
 * A file that a request refers to: an own upload, or an output of an own earlier generation. Both
 * are UUIDs.
 */
export type InputRef = { upload: string } | { file: string }

/**
 * An upload in every response; times are ISO 8601 in UTC. What only the content tells is null until
 * it is `ready`.
 */
export interface UploadView {
  id: string
  status: UploadStatus
  name: string
  contentType: string | null
  /** Length of the whole file, and how much of it has arrived. */
  bytes: number
  received: number
  /** Pixels of the upright picture. */
  width: number | null
  height: number | null
  seconds: number | null
  expiresAt: string
}
