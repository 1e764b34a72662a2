import { wholeOf } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'

export function resizePicture(picture: Picture, width: number, height: number): Picture {
  if (picture.width === width && picture.height === height) return picture
  return resamplePart(picture, wholeOf(picture), width, height)
}

/** Decodes an upright picture with the longer side at most `side`; throws if the browser cannot. */
export async function decodePicture(source: Blob | ImageBitmap, side: number): Promise<Picture> {
  const whole = source instanceof Blob ? await createImageBitmap(source) : source
  const { width, height } = fitWithin(whole, side)
  const resize = { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' } as const
  const reduced = width < whole.width ? await createImageBitmap(whole, resize) : whole
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('OffscreenCanvas has no 2d context')
  context.drawImage(reduced, 0, 0)
  whole.close()
  reduced.close()
  return { width, height, data: context.getImageData(0, 0, width, height).data }
}

export function encodePicture({ width, height, data }: Picture): Promise<Blob> {
  const canvas = new OffscreenCanvas(width, height)
  canvas.getContext('2d')?.putImageData(new ImageData(data as Uint8ClampedArray<ArrayBuffer>, width, height), 0, 0)
  return canvas.convertToBlob({ type: 'image/png' })
}
