import type { Size } from '#ui/geometry.ts'

/** `sizeFor` receives the picture's own size. */
export async function uprightBitmap(url: string, sizeFor: (own: Size) => Size): Promise<ImageBitmap> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const own = { width: image.naturalWidth, height: image.naturalHeight }
  const { width, height } = sizeFor(own)
  if (width === own.width && height === own.height) return createImageBitmap(image)
  return createImageBitmap(image, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })
}
