import type { Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'

/**
 * Stretches the rows from `from` to `to` down to the lower edge of a picture, in which nothing
 * below `to` counts; those above `from` stay as they are, and all do where `to` is not below.
 */
export function stretchDown(picture: Picture, from: number, to: number): Picture {
  const { width, height } = picture
  const first = Math.round(from)
  if (to <= first) return picture
  const whole = cropPicture(picture, { x: 0, y: 0, width, height: Math.ceil(to) })
  const part = { x: 0, y: first, width, height: to - first }
  const data = picture.data.slice()
  data.set(resamplePart(whole, part, width, height - first).data, 4 * width * first)
  return { width, height, data }
}
