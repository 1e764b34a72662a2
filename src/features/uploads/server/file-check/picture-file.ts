import type { ErrorCode } from '#contract/errors.ts'
import { exifOrientation, sanitizeExif } from '#engine/image/exif.ts'

/** Facts from a picture's headers, read without decoding a pixel. */
export interface PictureFile {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif' | 'image/heic'
  /** Size in pixels as stored; see `orientation`. */
  width: number
  height: number
  /**
   * EXIF orientation, 1 to 8; from 5 on width and height change places when the picture stands
   * upright.
   */
  orientation: number
  animated: boolean
  /** Byte offset at which the picture ends; bytes after it do not belong to the picture. */
  end: number
  /**
   * The same picture without what it tells about its owner: one after the other these make the file
   * to keep.
   */
  parts: Uint8Array[]
}

/** The file cannot be taken. */
export class RefusedPicture extends Error {
  readonly code: ErrorCode
  constructor(code: ErrorCode, why: string) {
    super(why)
    this.name = 'RefusedPicture'
    this.code = code
  }
}

/** The file is damaged: cut off, or against its format's rules. */
export class BrokenPicture extends RefusedPicture {
  constructor(why: string) {
    super('upload.unreadable', why)
  }
}

/** Segments, chunks or boxes of a file; no camera or program writes nearly as many. */
const maxParts = 65_536

/** Counts the parts of a file, so that millions of empty ones do not take their time. */
export function partCounter(): () => void {
  let count = 0
  return () => {
    count += 1
    if (count > maxParts) throw new BrokenPicture('too many parts')
  }
}

/** Collects what of a file is kept; neighbours become one part. */
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
    /** By the first EXIF block; undefined without one. */
    orientation: () => orientation,
    /** Puts what may stay of a block of EXIF here, as the format wants it; of several the first. */
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

/** Four-letter name of a chunk or box. */
export function fourLetters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
