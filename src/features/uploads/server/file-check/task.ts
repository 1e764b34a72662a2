import type { ErrorCode } from '#shared/errors.ts'
import type { CheckedPicture } from './check-picture.ts'
import type { CheckedVideo } from './check-video.ts'

export interface FileCheckTask {
  source: string
  draft: string
}

export interface CheckedFile {
  contentType: CheckedPicture['contentType'] | CheckedVideo['contentType']
  /** Size of the upright picture in pixels. */
  width: number
  height: number
  /** Absent for pictures. */
  seconds?: number
  /** SHA-256 of the received file, hexadecimal. */
  sha256: string
  /** Length of the kept file. */
  bytes: number
}

export type ThreadReply =
  | { kind: 'done'; result: CheckedFile }
  | { kind: 'refused'; code: ErrorCode; reason: string }
  | { kind: 'failed'; reason: string }
