import { exifOrientation, sanitizeExif } from '#engine/image/exif.ts'
import type { ErrorCode } from '#shared/errors.ts'

/** Read without decoding a pixel. */
export interface PictureFile {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/heic'
  /** Pixels as stored; see `orientation`. */
  width: number
  height: number
  /** EXIF, 1 to 8; from 5 on width and height are swapped in the upright picture. */
  orientation: number
  animated: boolean
  /** Byte offset; bytes after it do not belong to the picture. */
  end: number
  /** Concatenated, they are the file to keep, without metadata about its owner. */
  parts: Uint8Array[]
}

export class RefusedPicture extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, why: string) {
    super(why)
    this.name = 'RefusedPicture'
    this.code = code
  }
}

/** The file is cut off, or in breach of its format. */
export class BrokenPicture extends RefusedPicture {
  constructor(why: string) {
    super('upload.unreadable', why)
  }
}

/** Segments, chunks or boxes; cameras and programs write far fewer. */
const maxParts = 65_536

/** Limits the parts, so that millions of empty ones cannot take up time. */
export function partCounter(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > maxParts) throw new BrokenPicture('too many parts')
  }
}

/** Collects the parts to keep; merges adjacent ones. */
export function keeper(bytes: Uint8Array) {
  const parts: Uint8Array[] = []
  let [from, to] = [0, 0]
  const close = () => {
    if (to > from) parts.push(bytes.subarray(from, to))
    from = to
  }
  let orientation: number | undefined
  return {
    parts,
    /** Returns the orientation of the first EXIF block; undefined without one. */
    orientation: () => orientation,
    /** Inserts the first EXIF block, sanitized and wrapped for the format. */
    describe(exif: Uint8Array, inFormat: (block: Uint8Array) => Uint8Array) {
      const block = orientation === undefined ? sanitizeExif(exif) : undefined
      if (!block) return
      orientation = exifOrientation(block)
      close()
      parts.push(inFormat(block))
    },
    keep(start: number, end: number) {
      if (start !== to) {
        close()
        from = start
      }
      to = end
    },
    close,
  }
}

export function fourLetters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
