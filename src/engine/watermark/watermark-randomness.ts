import { createPlane, type Plane, type Size } from '#engine/image/picture.ts'
import { feather, resizeSmooth } from '#engine/image/plane.ts'
import { randomSequence } from '#engine/image/random.ts'

/** Numbers from 0 to 1; each purpose has a sequence of its own. */
export interface WatermarkRandomness {
  /** Depends on the secret alone, so that averaging previews does not cancel it. */
  shared(purpose: string): () => number
  /** Depends on the secret and the picture, so that other pictures do not reveal it. */
  own(purpose: string): () => number
}

/** Normally distributed (Box and Muller 1958). */
export function gaussian(draw: () => number): number {
  return Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw())
}

/** Smooth noise of mean 0 and deviation 1 that changes within `reach` pixels. */
export function smoothNoise({ width, height }: Size, reach: number, draw: () => number): Plane {
  const cells = (side: number) => Math.max(3, Math.round(side / reach) + 1)
  const grid = createPlane(cells(width), cells(height))
  for (let i = 0; i < grid.data.length; i++) grid.data[i] = gaussian(draw)
  // Linear interpolation alone would leave creases along the grid's lines.
  const [fineWidth, fineHeight] = [Math.min(width, 8 * grid.width), Math.min(height, 8 * grid.height)]
  const noise = feather(resizeSmooth(grid, fineWidth, fineHeight), 2)
  let [sum, squares] = [0, 0]
  for (const value of noise.data) {
    sum += value
    squares += value * value
  }
  const mean = sum / noise.data.length
  const deviation = Math.sqrt(Math.max(1e-9, squares / noise.data.length - mean * mean))
  for (let i = 0; i < noise.data.length; i++) noise.data[i] = ((noise.data[i] as number) - mean) / deviation
  return resizeSmooth(noise, width, height)
}

/** Fixed until the page or worker ends, so that letters stay in place while the picture changes. */
const deviceSeed = crypto.getRandomValues(new Uint32Array(1))[0] as number

/** Not secret: the device's owner has the pixels without a watermark, too. */
export const deviceRandomness: Pick<WatermarkRandomness, 'own'> = { own: () => randomSequence(deviceSeed) }
