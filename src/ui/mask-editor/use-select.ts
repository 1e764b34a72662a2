import { useCallback, useRef } from 'react'
import type { Picture } from '#engine/image/picture.ts'
import { outlineOf } from './region.ts'
import { type Stroke, type StrokeMode, simplify } from './strokes.ts'

/** Selects what lies under a tap; x and y are shares of the picture. */
export type SelectRegion = (x: number, y: number, mode: StrokeMode) => Promise<Stroke | null>

/**
 * Finds things and people on the device, in a small copy of the picture that is read once; the
 * screen stays responsive meanwhile.
 */
export function useSelect(url: string | null): SelectRegion {
  const read = useRef<{ url: string; picture: Promise<Picture> } | null>(null)
  return useCallback(
    async (x, y, mode) => {
      if (!url) return null
      const { findTapped, tapSide } = await import('#engine/tasks/subject-matte/index.ts')
      if (read.current?.url !== url) read.current = { url, picture: readSmall(url, tapSide) }
      const picture = await read.current.picture
      const { width, height, data } = await findTapped(picture, x * picture.width, y * picture.height, nextTask)
      const points = simplify(outlineOf(Uint8Array.from(data), width, height), 0.6 / tapSide)
      return { mode, shape: 'area', size: 1 / tapSide, points }
    },
    [url],
  )
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve))

async function readSmall(url: string, side: number): Promise<Picture> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const scale = Math.min(1, side / Math.max(image.naturalWidth, image.naturalHeight))
  const width = Math.max(1, Math.round(image.naturalWidth * scale))
  const height = Math.max(1, Math.round(image.naturalHeight * scale))
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This device has no canvas')
  context.drawImage(image, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}
