import { createPlane, type Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { stylize } from '#engine/tasks/cartoon/index.ts'
import { serveSamples } from '#tools/ui/serve-samples.ts'
import { cartoonStyles } from '../contract/definition.ts'

const side = 176

serveSamples(cartoonStyles, async (photo: Blob) => {
  const picture = await smallPicture(photo)
  const none = createPlane(picture.width, picture.height)
  const drawing = { strength: 0.6, lines: true, rim: true, face: none, features: none, eyes: [] }
  return (style) => stylize(picture, { style, ...drawing })
})

async function smallPicture(photo: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(photo)
  const { width, height } = fitWithin(bitmap, side)
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('this browser cannot draw in a worker')
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  return { width, height, data: context.getImageData(0, 0, width, height).data }
}
