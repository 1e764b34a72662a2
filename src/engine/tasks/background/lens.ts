import { boxBlur } from '#engine/image/plane.ts'
import { type Canvas, createCanvas } from './canvas.ts'

type Channel = 'red' | 'green' | 'blue' | 'cover'

/**
 * Blurs as a lens does what is out of focus: every point becomes an even disc of `radius`, in
 * heights of the picture. In linear light bright points stay bright discs. Red discs are a little
 * larger and blue ones a little smaller, which gives the fringes of real lenses.
 */
export function defocus(canvas: Canvas, radius: number, fringe = 0.035): Canvas {
  const pixels = radius * canvas.height
  if (pixels < 0.6) return canvas
  const out = createCanvas(canvas.width, canvas.height, canvas.cover !== undefined)
  const sizes: Record<Channel, number> = { red: 1 + fringe, green: 1, blue: 1 - fringe, cover: 1 }
  for (const name of ['red', 'green', 'blue', 'cover'] as const) {
    const from = canvas[name]
    const to = out[name]
    if (from && to) discMean(from, to, canvas.width, canvas.height, pixels * sizes[name])
  }
  return out
}

/**
 * Mean over a disc with an anti-aliased rim, from running sums of the rows; at the borders the
 * outermost pixels continue.
 */
function discMean(from: Float32Array, to: Float32Array, width: number, height: number, radius: number): void {
  const reach = Math.ceil(radius)
  const spans = Array.from({ length: 2 * reach + 1 }, (_, i) => {
    const away = Math.min(radius, Math.abs(i - reach))
    return (
      Math.sqrt(Math.max(0, radius * radius - away * away)) +
      0.5 * Math.max(0, Math.min(1, radius + 0.5 - Math.abs(i - reach)))
    )
  })
  const padded = width + 2 * reach + 4
  const sums = new Float64Array(padded * height)
  for (let y = 0; y < height; y++) {
    let sum = 0
    const row = y * padded
    for (let x = 0; x < padded - 1; x++) {
      const at = Math.min(width - 1, Math.max(0, x - reach - 1))
      sum += from[y * width + at] as number
      sums[row + x + 1] = sum
    }
  }
  const area = spans.reduce((all, span) => all + 2 * span, 0)
  for (let y = 0; y < height; y++) {
    for (let k = 0; k < spans.length; k++) {
      const half = spans[k] as number
      if (half <= 0) continue
      const row = Math.min(height - 1, Math.max(0, y + k - reach)) * padded
      // From `half` left of a pixel's centre to `half` right of it, with shares of the outermost
      // pixels.
      const whole = Math.floor(half + 0.5)
      const part = half + 0.5 - whole
      for (let x = 0; x < width; x++) {
        const centre = row + x + reach + 1
        const low = centre - whole + 1
        const high = centre + whole
        const inside = (sums[high] as number) - (sums[low] as number)
        const edges =
          (sums[high + 1] as number) - (sums[high] as number) + (sums[low] as number) - (sums[low - 1] as number)
        to[y * width + x] = (to[y * width + x] as number) + (inside + part * edges) / area
      }
    }
  }
}

/**
 * Soft light around what is bright, as haze and glass give it: a share of the picture's light is
 * spread over `radius` heights.
 */
export function glow(canvas: Canvas, radius: number, share: number): void {
  const reach = Math.max(1, Math.round(radius * canvas.height * 0.5))
  for (const name of ['red', 'green', 'blue'] as const) {
    const plane = { width: canvas.width, height: canvas.height, data: canvas[name] }
    const spread = boxBlur(boxBlur(boxBlur(plane, reach), reach), reach)
    for (let i = 0; i < plane.data.length; i++) {
      plane.data[i] = (plane.data[i] as number) * (1 - share) + share * (spread.data[i] as number)
    }
  }
}
