import type { ErrorCode } from '#contract/errors.ts'
import type { CheckedPicture } from './check-picture.ts'
import type { CheckedVideo } from './check-video.ts'

/** A file to check, and the target for the kept parts. */
export interface FileCheckTask {
  source: string
  draft: string
}

export interface CheckedFile {
  contentType: CheckedPicture['contentType'] | CheckedVideo['contentType']
  /** Pixels of the upright picture. */
  width: number
  height: number
  /** Length of a video; absent for pictures. */
  seconds?: number
  /** SHA-256 of the received file, in hexadecimal. */
  sha256: string
  /** Length of the kept file. */
  bytes: number
}

export type ThreadReply =
  | { kind: 'done'; result: CheckedFile }
  | { kind: 'refused'; code: ErrorCode; reason: string }
  | { kind: 'failed'; reason: string }
