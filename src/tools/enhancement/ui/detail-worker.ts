import type { Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import {
  enhancePart,
  measureNoise,
  noiseRows,
  partWithSurroundings,
  type WholePicture,
} from '#engine/tasks/enhance/index.ts'
import { writeDeviceLetters } from '#engine/watermark/watermark-letters.ts'
import type { Box } from '#shared/media.ts'
import type { EnhancementParams } from '../contract/definition.ts'

export type DetailRequest =
  | { kind: 'picture'; bitmap: ImageBitmap }
  /** `sample` marks a visitor's preview, which gets a watermark. */
  | { kind: 'part'; part: Box; params: EnhancementParams; sample: boolean }

export interface EnhancedPart {
  before: Picture
  after: Picture
}

/** Longer side of the copy used to measure the light. */
const lightSide = 640

let picture: { bitmap: ImageBitmap; whole: WholePicture } | undefined

addEventListener('message', ({ data }: MessageEvent<DetailRequest>) => {
  if (data.kind === 'picture') {
    picture?.bitmap.close()
    picture = { bitmap: data.bitmap, whole: measure(data.bitmap) }
  } else if (picture) postMessage(enhanced(picture, data))
})

function measure(bitmap: ImageBitmap): WholePicture {
  const { width, height } = bitmap
  const [top, bottom] = noiseRows(height)
  const noise = measureNoise(pixelsOf(bitmap, { x: 0, y: top, width, height: bottom - top }))
  return { width, height, noise, small: pixelsOf(bitmap, { x: 0, y: 0, width, height }, fitWithin(bitmap, lightSide)) }
}

function enhanced(
  { bitmap, whole }: NonNullable<typeof picture>,
  { part, params, sample }: Extract<DetailRequest, { kind: 'part' }>,
): EnhancedPart {
  // Only the server knows the position of eyes.
  const after = enhancePart(pixelsOf(bitmap, partWithSurroundings(part, whole)), part, whole, params)
  return { before: pixelsOf(bitmap, part), after: sample ? writeDeviceLetters(after) : after }
}

function pixelsOf(bitmap: ImageBitmap, { x, y, width, height }: Box, to = { width, height }): Picture {
  const context = new OffscreenCanvas(to.width, to.height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser cannot draw in a worker')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, x, y, width, height, 0, 0, to.width, to.height)
  return { ...to, data: context.getImageData(0, 0, to.width, to.height).data }
}
