import type { ErrorCode } from '#contract/errors.ts'
import type { CheckedPicture } from './check-picture.ts'
import type { CheckedVideo } from './check-video.ts'

/** A file to judge, and where to write what is kept of it. */
export interface FileCheckTask {
  source: string
  draft: string
}

export interface CheckedFile {
  contentType: CheckedPicture['contentType'] | CheckedVideo['contentType']
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
  | { kind: 'done'; result: CheckedFile }
  | { kind: 'refused'; code: ErrorCode; reason: string }
  | { kind: 'failed'; reason: string }
