import { useCallback, useRef } from 'react'
import { apiFetch } from '#client/api.ts'
import { connectedTo } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { outlineOf, simplify } from './outline.ts'
import { type Drawn, drawSmall } from './read-small.ts'
import type { Stroke, StrokeMode } from './strokes.ts'

/** x and y are shares of the picture. */
type SelectRegion = (x: number, y: number, mode: StrokeMode) => Promise<Stroke | null>

/** On the device it uses a small copy of the picture, decoded once. */
export function useSelect(url: string | null, onServer = false): SelectRegion {
  const read = useRef<{ url: string; picture: Promise<Picture> } | null>(null)
  return useCallback(
    async (x, y, mode) => {
      if (!url) return null
      if (onServer) {
        const found = await selectOnServer(url, x, y).catch(() => null)
        if (found) return { mode, shape: 'area', size: 1 / found.side, points: found.points }
      }
      const { segmentAtTap, tapPictureSide } = await import('#engine/tasks/subject-matte/index.ts')
      if (read.current?.url !== url) read.current = { url, picture: drawSmall(url, tapPictureSide).then(pixelsOf) }
      const picture = await read.current.picture
      const { width, height, data } = await segmentAtTap(picture, x * picture.width, y * picture.height, nextTask)
      const points = simplify(outlineOf(Uint8Array.from(data), width, height), 0.6 / tapPictureSide)
      return { mode, shape: 'area', size: 1 / tapPictureSide, points }
    },
    [url, onServer],
  )
}

const pixelsOf = ({ context, width, height }: Drawn): Picture => context.getImageData(0, 0, width, height)
const nextTask = () => new Promise((resolve) => setTimeout(resolve))

/** Longer side in pixels; the networks' input is not larger. */
const sentSide = 1024

/** Reused for further taps. */
let last: { url: string; picture: Promise<{ data: string; width: number; height: number }> } | null = null

async function encoded(url: string) {
  const { canvas, width, height } = await drawSmall(url, sentSide)
  const blob = await canvas.convertToBlob({ type: 'image/jpeg', quality: 0.9 })
  return { data: base64(new Uint8Array(await blob.arrayBuffer())), width, height }
}

function base64(bytes: Uint8Array): string {
  let text = ''
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000))
  return btoa(text)
}

/**
 * Outline in shares of the picture, and the longer side of the analysed picture; rejects if no
 * object is found.
 */
async function selectOnServer(
  url: string,
  x: number,
  y: number,
): Promise<{ points: readonly number[]; side: number } | null> {
  if (last?.url !== url) last = { url, picture: encoded(url) }
  const { data, width, height } = await last.picture
  const points = [{ x: x * width, y: y * height, keep: true }]
  const response = await apiFetch('/api/select', { json: { picture: data, points } })
  const bitmap = await createImageBitmap(await response.blob())
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true })
  if (!context) return null
  context.drawImage(bitmap, 0, 0, width, height)
  const { data: pixels } = context.getImageData(0, 0, width, height)
  const mask = Uint8Array.from({ length: width * height }, (_, i) => Number((pixels[4 * i] as number) > 127))
  const side = Math.max(width, height)
  const outline = simplify(outlineOf(regionAt(mask, width, height, x, y), width, height), 0.6 / side)
  return outline.length > 0 ? { points: outline, side } : null
}

/** The connected region at the tap, else the whole mask. */
function regionAt(mask: Uint8Array, width: number, height: number, x: number, y: number): Uint8Array {
  const tapped = Math.min(height - 1, Math.floor(y * height)) * width + Math.min(width - 1, Math.floor(x * width))
  if (mask[tapped] !== 1) return mask
  return connectedTo({ width, height }, [tapped], (i) => mask[i] === 1)
}
