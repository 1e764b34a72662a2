import { imageLimits, previewLongSide } from '#shared/media.ts'
import type { Size } from '#ui/geometry.ts'

/**
 * A chosen picture or video. Width and height are upright; null where the browser cannot decode it.
 */
export interface ChosenPicture {
  id: string
  name: string
  original: Blob
  size: Size | null
  seconds?: number
  /** The user's earlier output, which the server has already. */
  output?: string
}

/**
 * Larger pictures are reduced on the device first, unless the user turns that off. The limits lie
 * above what phones store by default (up to 24 megapixels, 5712 × 4284), so that the usual photo
 * travels untouched; modes of 48 and 50 megapixels are reduced.
 */
export const sendLimits = { longSide: 6144, pixels: 25_200_000 } as const

/** Keeps the proportions and never enlarges. */
export function sendSize({ width, height }: Size): Size {
  const scale = Math.min(
    1,
    sendLimits.longSide / Math.max(width, height),
    Math.sqrt(sendLimits.pixels / (width * height)),
  )
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

/** Keeps the proportions and never enlarges. */
export function previewSize({ width, height }: Size, longSide: number = previewLongSide): Size {
  const scale = Math.min(1, longSide / Math.max(width, height))
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

/**
 * Longest side: at most half of the picture's, a quarter of the paid pixels, because the user can
 * take them before the watermark.
 */
export function devicePreviewSide({ width, height }: Size): number {
  return Math.max(1, Math.min(previewLongSide, Math.floor(Math.max(width, height) / 2)))
}

export const isVideo = ({ original }: Pick<ChosenPicture, 'original'>) => original.type.startsWith('video/')

export const exceedsLimit = ({ size }: Pick<ChosenPicture, 'size'>) =>
  size !== null && size.width * size.height > imageLimits.pixels

/** Null if unknown. */
export function sizeToSend(picture: ChosenPicture, shrink: boolean): Size | null {
  const { size, output } = picture
  if (!size || output || isVideo(picture)) return size
  return shrink || exceedsLimit(picture) ? sendSize(size) : size
}
