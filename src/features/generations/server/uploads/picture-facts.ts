/** What a picture's headers tell, without decoding a pixel. */
export interface PictureFacts {
  contentType: 'image/jpeg' | 'image/png' | 'image/webp' | 'image/avif'
  /** Size in pixels as stored; see `orientation`. */
  width: number
  height: number
  /** EXIF orientation, 1 to 8; from 5 on width and height change places when the picture stands upright. */
  orientation: number
  animated: boolean
  /** Where the picture ends; what follows is no part of it. */
  end: number
}

/** The file is damaged: cut off, or against its format's rules. */
export class BrokenPicture extends Error {
  constructor(why: string) {
    super(why)
    this.name = 'BrokenPicture'
  }
}

/** Four-letter name of a chunk or box. */
export function fourLetters(bytes: Uint8Array, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
