import type { Picture, Size } from '#engine/image/picture.ts'
import { type LocationId, locationIds } from '#engine/scenes.ts'

/**
 * Small picture of a scene that needs a light probe, drawn by src/scripts/showcase.mjs: a probe is
 * a hundred times larger. The service worker keeps it after its first use.
 */
export const locationSample = (id: LocationId | 'table'): string => `/samples/locations/${id}.webp`

export const locationSamples = Object.fromEntries(locationIds.map((id) => [id, locationSample(id)])) as Record<
  LocationId,
  string
>

/** For a worker: the pixels of a sample at this address, cut to the given size. */
export async function readLocationSample(address: string, { width, height }: Size): Promise<Picture> {
  const answer = await fetch(address)
  const bitmap = await createImageBitmap(await answer.blob())
  const context = new OffscreenCanvas(width, height).getContext('2d')
  if (!context) throw new TypeError('the browser cannot draw in a worker')
  const scale = Math.max(width / bitmap.width, height / bitmap.height)
  const [wide, high] = [bitmap.width * scale, bitmap.height * scale]
  context.drawImage(bitmap, (width - wide) / 2, (height - high) / 2, wide, high)
  return { width, height, data: context.getImageData(0, 0, width, height).data }
}
