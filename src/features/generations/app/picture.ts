import { imageLimits, previewLongSide } from '#contract/media.ts'
import type { Size } from '#ui/geometry.ts'

/**
 * A chosen picture or video; width and height are upright, and null where the browser cannot decode
 * the format.
 */
export interface ChosenPicture {
  id: string
  name: string
  original: Blob
  size: Size | null
  /** Length of a video; absent for pictures. */
  seconds?: number
  /** Id of the user's earlier output, if the picture is one: the server has it already. */
  output?: string
}

/**
 * Largest picture that is sent: a larger one is reduced on the device first, unless the user turns
 * that off.
 */
export const sendLimits = { longSide: 4096, pixels: 12_000_000 } as const

/** Size in which a picture is sent: within `sendLimits`, same proportions, never enlarged. */
export function sendSize({ width, height }: Size): Size {
  const scale = Math.min(
    1,
    sendLimits.longSide / Math.max(width, height),
    Math.sqrt(sendLimits.pixels / (width * height)),
  )
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

/** The size of a preview: no side longer than `longSide`, same proportions, never enlarged. */
export function previewSize({ width, height }: Size, longSide: number = previewLongSide): Size {
  const scale = Math.min(1, longSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Longest side of a preview that the device computes. Its owner can take the pixels before the
 * watermark, so it has at most half of the picture's side, and a quarter of the paid pixels.
 */
export function devicePreviewSide({ width, height }: Size): number {
  return Math.max(1, Math.min(previewLongSide, Math.floor(Math.max(width, height) / 2)))
}

export const isVideo = ({ original }: Pick<ChosenPicture, 'original'>) => original.type.startsWith('video/')

/** True if the picture exceeds the server's limit, so that it is always reduced. */
export const exceedsLimit = ({ size }: Pick<ChosenPicture, 'size'>) =>
  size !== null && size.width * size.height > imageLimits.pixels

/** Size in pixels in which the picture will be sent; null if unknown. */
export function sizeToSend(picture: ChosenPicture, shrink: boolean): Size | null {
  const { size, output } = picture
  if (!size || output || isVideo(picture)) return size
  return shrink || exceedsLimit(picture) ? sendSize(size) : size
}
