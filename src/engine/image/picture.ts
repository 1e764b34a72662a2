import type { ImageFormat } from '#shared/media.ts'

export interface Size {
  width: number
  height: number
}

/**
 * sRGB, 8 bits a channel, RGBA interleaved with straight alpha; data.length = 4 · width · height.
 */
export interface Picture extends Size {
  data: Uint8ClampedArray
}

/**
 * A channel, row by row, values 0 to 1; data.length = width · height. In mattes 1 is foreground.
 */
export interface Plane extends Size {
  data: Float32Array
}

/** 255 is foreground; data.length = width · height. Takes a quarter of a plane's memory. */
export interface Matte extends Size {
  data: Uint8Array
}

export function isPicture(layer: Picture | Plane | Matte): layer is Picture {
  return layer.data instanceof Uint8ClampedArray
}

export function isPlane(layer: Picture | Plane | Matte): layer is Plane {
  return layer.data instanceof Float32Array
}

export function isMatte(layer: Picture | Plane | Matte): layer is Matte {
  return layer.data instanceof Uint8Array
}

export function createPlane(width: number, height: number, value = 0): Plane {
  const data = new Float32Array(width * height)
  if (value !== 0) data.fill(value)
  return { width, height, data }
}

export const copyPlane = (plane: Plane): Plane => ({ ...plane, data: plane.data.slice() })

/** A video between the steps of a tool, which is too large to hold decoded. */
export interface VideoFile {
  path: string
  contentType: string
  /** Of the upright frames. */
  width: number
  height: number
  seconds: number
}

export interface EncodedVideo {
  file: Uint8Array
  contentType: string
  /** Without a dot, e.g. `webm`. */
  extension: string
  width: number
  height: number
  seconds: number
}

export type VideoSource = VideoFile | Pick<EncodedVideo, 'file' | 'contentType'>

/** The picture fills a page of exactly this size in millimetres. */
export interface PrintPage {
  picture: Picture
  millimetres: { width: number; height: number }
}

/**
 * IPTC's terms (Photo Metadata Standard 2023.2): AI made all or a part; an algorithm corrected or
 * changed a capture; several captures were joined. Results never have the last one, which other
 * programs write for AI in a part.
 */
export const digitalSources = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'algorithmicallyEnhanced',
  'compositeCapture',
  'compositeSynthetic',
] as const
export type DigitalSource = (typeof digitalSources)[number]

export interface PictureEncoding {
  format: ImageFormat
  /** 1 to 100 for `jpeg` and `webp`; the format's default if absent. */
  quality?: number
  /** Dots per inch, written to the file. */
  dpi?: number
  /** In bytes: quality is reduced until the file fits; a file that is too small is padded. */
  minBytes?: number
  maxBytes?: number
  metadata?: {
    /** Written as XMP with IPTC's DigitalSourceType. */
    source?: DigitalSource
    /** Copies camera and settings, never location or names, and adds the colour profile. */
    shot?: true
  }
}
