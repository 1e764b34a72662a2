import { useCallback, useRef } from 'react'
import type { Picture } from '#engine/image/picture.ts'
import { simplify } from './simplify.ts'
import type { Stroke, StrokeMode } from './strokes.ts'

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

/** Neighbours clockwise from the right. */
const around = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const

/**
 * The outer outline of the first region in a mask, pixel centres in shares of its size (Moore
 * neighbour tracing).
 */
export function outlineOf(mask: Uint8Array, width: number, height: number): number[] {
  const first = mask.indexOf(1)
  if (first < 0) return []
  const inside = (x: number, y: number) => x >= 0 && y >= 0 && x < width && y < height && mask[y * width + x] === 1
  const start = { x: first % width, y: Math.floor(first / width) }
  const points: number[] = []
  let here = start
  // The pixel above the first one is outside, so the search begins there.
  let heading = 6
  for (let steps = 0; steps < 4 * mask.length; steps++) {
    points.push((here.x + 0.5) / width, (here.y + 0.5) / height)
    const turn = around.findIndex((_, i) => {
      const [dx, dy] = around[(heading + i) % 8] as (typeof around)[number]
      return inside(here.x + dx, here.y + dy)
    })
    if (turn < 0) break
    const taken = (heading + turn) % 8
    const [dx, dy] = around[taken] as (typeof around)[number]
    here = { x: here.x + dx, y: here.y + dy }
    heading = (taken + 6) % 8
    if (here.x === start.x && here.y === start.y) break
  }
  return points
}
