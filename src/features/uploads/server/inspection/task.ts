import type { ErrorCode } from '#contract/errors.ts'
import type { InspectedPicture } from './inspect-picture.ts'
import type { InspectedVideo } from './inspect-video.ts'

/** A file to judge, and where to write what is kept of it. */
export interface InspectionTask {
  source: string
  draft: string
}

export interface InspectedFile {
  contentType: InspectedPicture['contentType'] | InspectedVideo['contentType']
  /** Pixels, upright. */
  width: number
  height: number
  /** Of a video; absent for pictures. */
  seconds?: number
  /** Of the file as it was received, in hexadecimal. */
  sha256: string
  /** Length of the file that is kept. */
  bytes: number
}

export type ThreadReply =
  | { kind: 'done'; result: InspectedFile }
  | { kind: 'refused'; code: ErrorCode; reason: string }
  | { kind: 'failed'; reason: string }
