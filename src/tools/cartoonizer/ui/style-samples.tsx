import { useEffect, useState } from 'react'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { stylize } from '#engine/tasks/cartoon/index.ts'
import { type CartoonStyle, cartoonStyles } from '../contract/definition.ts'

/** Longer side of a sample in pixels. */
const side = 176

/**
 * The person's own picture in every style, small, drawn on the device by the engine itself. They
 * appear one by one, so that the page stays usable meanwhile. Empty where there is no picture or
 * the browser cannot read it.
 */
export function useStyleSamples(photo: Blob | undefined): Partial<Record<CartoonStyle, string>> {
  const [samples, setSamples] = useState<Partial<Record<CartoonStyle, string>>>({})
  useEffect(() => {
    setSamples({})
    if (!photo) return
    let current = true
    const draw = async () => {
      const picture = await smallPicture(photo)
      const none = createPlane(picture.width, picture.height)
      for (const style of cartoonStyles) {
        await nextIdleMoment()
        if (!current) return
        const drawn = stylize(picture, {
          style,
          strength: 0.6,
          lines: true,
          rim: true,
          face: none,
          features: none,
          eyes: [],
        })
        const url = dataUrl(drawn)
        setSamples((now) => ({ ...now, [style]: url }))
      }
    }
    draw().catch(() => undefined)
    return () => {
      current = false
    }
  }, [photo])
  return samples
}

async function smallPicture(photo: Blob): Promise<Picture> {
  const bitmap = await createImageBitmap(photo)
  const scale = side / Math.max(bitmap.width, bitmap.height)
  const width = Math.max(1, Math.round(bitmap.width * scale))
  const height = Math.max(1, Math.round(bitmap.height * scale))
  const context = contextOf(width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, width, height)
  bitmap.close()
  return { width, height, data: context.getImageData(0, 0, width, height).data }
}

function dataUrl({ width, height, data }: Picture): string {
  const context = contextOf(width, height)
  context.putImageData(new ImageData(new Uint8ClampedArray(data), width, height), 0, 0)
  return context.canvas.toDataURL('image/webp', 0.8)
}

function contextOf(width: number, height: number): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  return canvas.getContext('2d', { willReadFrequently: true }) as CanvasRenderingContext2D
}

function nextIdleMoment(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: 300 })
    else setTimeout(resolve, 16)
  })
}
