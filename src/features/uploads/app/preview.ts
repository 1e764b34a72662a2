import { reducedBitmapOf } from '#client/reduced-bitmap.ts'

const side = 192

/**
 * A small picture of a file for the upload list; null when the browser cannot read it (the server
 * may still be able to).
 */
export async function drawPreview(file: Blob): Promise<Blob | null> {
  if (!file.type.startsWith('image/')) return null
  try {
    const small = reducedBitmapOf(file)
    const whole = small ?? (await createImageBitmap(file))
    const scale = side / Math.min(whole.width, whole.height)
    const canvas = document.createElement('canvas')
    canvas.width = side
    canvas.height = side
    const width = whole.width * scale
    const height = whole.height * scale
    canvas.getContext('2d')?.drawImage(whole, (side - width) / 2, (side - height) / 2, width, height)
    if (!small) whole.close()
    return await new Promise((resolve) => canvas.toBlob(resolve, 'image/webp', 0.8))
  } catch {
    return null
  }
}
