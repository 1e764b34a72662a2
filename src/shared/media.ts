export const imageFormats = ['png', 'webp', 'jpeg'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Media types of RFC 6838. */
export const imageFormatInfo = {
  png: { contentType: 'image/png', extension: 'png', alpha: true },
  webp: { contentType: 'image/webp', extension: 'webp', alpha: true },
  jpeg: { contentType: 'image/jpeg', extension: 'jpg', alpha: false },
} as const satisfies Record<ImageFormat, { contentType: string; extension: string; alpha: boolean }>

export const uploadImageTypes = [
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/avif',
  'image/heic',
  'image/heif',
] as const

/** Bytes, seconds, longer and shorter side in pixels, shortest side, average frames a second. */
export const videoLimits = {
  bytes: 100 * 1024 * 1024,
  seconds: 60,
  longSide: 1920,
  shortSide: 1080,
  minSide: 64,
  frameRate: 60,
} as const

/** Bytes, decoded pixels, shortest side in pixels, aspect ratio. */
export const imageLimits = { bytes: 25 * 1024 * 1024, pixels: 50_000_000, minSide: 16, maxAspect: 30 } as const

/** Bytes and pixels of a light probe's file. */
export const probeLimits = { bytes: 128 * 1024 * 1024, minWidth: 128, maxWidth: 16_384 } as const

/** Longest side in pixels of a preview's input and output. */
export const previewLongSide = 640

/** In pixels of the upright input; x, y is the top-left corner. */
export interface Box {
  x: number
  y: number
  width: number
  height: number
}

/**
 * A line of width `size`, or a filled outline, in pixels of the upright input; `points`: x, y, x, …
 */
export interface Stroke {
  mode: 'keep' | 'erase'
  shape: 'line' | 'area'
  size: number
  points: readonly number[]
  /** Number of the corrected subject if several are cut out one by one. */
  subject?: number
}
