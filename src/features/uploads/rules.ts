/** receiving: bytes are missing or unchecked. Refused uploads are deleted. */
export const uploadStatuses = ['receiving', 'ready'] as const
type UploadStatus = (typeof uploadStatuses)[number]

/** Features that use an upload keep copies. */
export const uploadHours = 24

/** Per user; streams are concurrent. */
export const uploadLimits = { unused: 200, streams: 16 } as const

/** Per user; copies count like originals. Each credit spent on recent results adds bytes. */
export const storageLimits = { bytes: 1024 ** 3, bytesPerCredit: 20 * 1024 ** 2, creditDays: 30 } as const

/** JSON text of a form's `params`. */
export const paramsMaxBytes = 16 * 1024

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
