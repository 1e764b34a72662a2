import { useCallback, useRef } from 'react'
import { growRegion, outlineOf, type Pixels, regionSide } from './region.ts'
import { type Stroke, type StrokeMode, simplify } from './strokes.ts'

/** Selects what lies under a tap; x and y are shares of the picture. */
export type SelectRegion = (x: number, y: number, mode: StrokeMode) => Promise<Stroke | null>

/** Finds regions on the device, in a small copy of the picture that is read once. */
export function useSelect(url: string | null): SelectRegion {
  const read = useRef<{ url: string; pixels: Promise<Pixels> } | null>(null)
  return useCallback(
    async (x, y, mode) => {
      if (!url) return null
      if (read.current?.url !== url) read.current = { url, pixels: readSmall(url) }
      const pixels = await read.current.pixels
      const region = growRegion(pixels, Math.floor(x * pixels.width), Math.floor(y * pixels.height))
      const points = simplify(outlineOf(region, pixels.width, pixels.height), 0.6 / regionSide)
      return { mode, shape: 'area', size: 1 / regionSide, points }
    },
    [url],
  )
}

async function readSmall(url: string): Promise<Pixels> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = url
  await image.decode()
  const scale = Math.min(1, regionSide / Math.max(image.naturalWidth, image.naturalHeight))
  const width = Math.max(1, Math.round(image.naturalWidth * scale))
  const height = Math.max(1, Math.round(image.naturalHeight * scale))
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('This device has no canvas')
  context.drawImage(image, 0, 0, width, height)
  return context.getImageData(0, 0, width, height)
}
