export interface Drawn {
  canvas: OffscreenCanvas
  context: OffscreenCanvasRenderingContext2D
  width: number
  height: number
}

/** At most `side` pixels on the longer side. */
export async function drawSmall(url: string, side: number): Promise<Drawn> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const scale = Math.min(1, side / Math.max(image.naturalWidth, image.naturalHeight))
  const width = Math.max(1, Math.round(image.naturalWidth * scale))
  const height = Math.max(1, Math.round(image.naturalHeight * scale))
  const canvas = new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This device has no canvas')
  context.drawImage(image, 0, 0, width, height)
  return { canvas, context, width, height }
}
