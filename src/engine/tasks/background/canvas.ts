import type { Size } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'

/** Linear light; 1 is white in full light, lamps may be far brighter. */
export type LinearRgb = readonly [red: number, green: number, blue: number]

export interface Canvas extends Size {
  red: Float32Array
  green: Float32Array
  blue: Float32Array
  /** Set for layers: share of each pixel covered, 0 to 1. Colours are premultiplied with it. */
  cover?: Float32Array
}

export function createCanvas(width: number, height: number, layer = false): Canvas {
  const plane = () => new Float32Array(width * height)
  return { width, height, red: plane(), green: plane(), blue: plane(), ...(layer && { cover: plane() }) }
}

type PixelSample = [red: number, green: number, blue: number, cover: number]

/**
 * `x` and `y` are in picture heights: y from 0 at the top, x from the middle. `out` is opaque black
 * on entry.
 */
export function paintPixels(canvas: Canvas, sample: (x: number, y: number, out: PixelSample) => void): void {
  const { width, height, red, green, blue, cover } = canvas
  const out: PixelSample = [0, 0, 0, 1]
  for (let row = 0, i = 0; row < height; row++) {
    const y = (row + 0.5) / height
    for (let column = 0; column < width; column++, i++) {
      out[0] = out[1] = out[2] = 0
      out[3] = 1
      sample((column + 0.5 - width / 2) / height, y, out)
      const share = cover ? out[3] : 1
      red[i] = out[0] * share
      green[i] = out[1] * share
      blue[i] = out[2] * share
      if (cover) cover[i] = share
    }
  }
}

export function paintCanvas({ width, height }: Size, sample: Parameters<typeof paintPixels>[1]): Canvas {
  const canvas = createCanvas(width, height)
  paintPixels(canvas, sample)
  return canvas
}

export function compositeLayer(canvas: Canvas, layer: Canvas): void {
  const { cover } = layer
  if (!cover) return
  for (const name of ['red', 'green', 'blue'] as const) {
    const [under, over] = [canvas[name], layer[name]]
    for (let i = 0; i < under.length; i++)
      under[i] = (over[i] as number) + (under[i] as number) * (1 - (cover[i] as number))
  }
  if (canvas.cover) {
    const own = canvas.cover
    for (let i = 0; i < own.length; i++) own[i] = (cover[i] as number) + (own[i] as number) * (1 - (cover[i] as number))
  }
}

/**
 * Draws a shape of one colour. `inside` returns coverage, 0 to 1; the box is in picture heights.
 */
export function addShape(
  canvas: Canvas,
  box: { left: number; right: number; top: number; bottom: number },
  colour: LinearRgb,
  inside: (x: number, y: number) => number,
): void {
  const { width, height, red, green, blue, cover } = canvas
  const columns = (x: number) => x * height + width / 2 - 0.5
  const left = Math.max(0, Math.floor(columns(box.left)))
  const right = Math.min(width - 1, Math.ceil(columns(box.right)))
  const top = Math.max(0, Math.floor(box.top * height - 0.5))
  const bottom = Math.min(height - 1, Math.ceil(box.bottom * height - 0.5))
  for (let row = top; row <= bottom; row++) {
    for (let column = left; column <= right; column++) {
      const share = inside((column + 0.5 - width / 2) / height, (row + 0.5) / height)
      if (share <= 0) continue
      const i = row * width + column
      red[i] = (red[i] as number) * (1 - share) + share * colour[0]
      green[i] = (green[i] as number) * (1 - share) + share * colour[1]
      blue[i] = (blue[i] as number) * (1 - share) + share * colour[2]
      if (cover) cover[i] = (cover[i] as number) * (1 - share) + share
    }
  }
}

export function addBox(
  canvas: Canvas,
  left: number,
  top: number,
  right: number,
  bottom: number,
  colour: LinearRgb,
): void {
  const pixel = canvas.height
  const within = (value: number, low: number, high: number) =>
    Math.min(1, Math.max(0, 0.5 + pixel * Math.min(value - low, high - value)))
  addShape(canvas, { left, right, top, bottom }, colour, (x, y) => within(x, left, right) * within(y, top, bottom))
}

/** An ellipse rotated by `turn` radians. */
export function addEllipse(
  canvas: Canvas,
  { x, y, wide, high, turn = 0 }: { x: number; y: number; wide: number; high: number; turn?: number },
  colour: LinearRgb,
  share = 1,
): void {
  const reach = Math.max(wide, high)
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  const soft = canvas.height * Math.min(wide, high)
  addShape(canvas, { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }, colour, (px, py) => {
    const a = ((px - x) * cos + (py - y) * sin) / wide
    const b = ((py - y) * cos - (px - x) * sin) / high
    return share * Math.min(1, Math.max(0, (1 - Math.sqrt(a * a + b * b)) * soft + 0.5))
  })
}

/**
 * Adds a bright point far out of focus: a disc, brighter at its rim, with a red fringe outside and
 * a blue one inside, clipped to a cat's eye towards the corners (Merklinger 1992).
 */
export function addBokeh(canvas: Canvas, x: number, y: number, radius: number, colour: LinearRgb): void {
  const { width, height } = canvas
  const reach = 1.06 * radius
  const left = Math.max(0, Math.floor((x - reach) * height + width / 2))
  const right = Math.min(width - 1, Math.ceil((x + reach) * height + width / 2))
  const top = Math.max(0, Math.floor((y - reach) * height))
  const bottom = Math.min(height - 1, Math.ceil((y + reach) * height))
  const soft = Math.max(radius * 0.06, 1.2 / height)
  const [cutX, cutY] = [-0.28 * radius * x * 1.6, -0.28 * radius * (y - 0.5) * 1.6]
  const sizes = [1.03, 1, 0.97] as const
  const planes = [canvas.red, canvas.green, canvas.blue] as const
  for (let row = top; row <= bottom; row++) {
    const dy = (row + 0.5) / height - y
    for (let column = left; column <= right; column++) {
      const dx = (column + 0.5 - width / 2) / height - x
      const away = Math.sqrt(dx * dx + dy * dy)
      const other = Math.sqrt((dx - cutX) ** 2 + (dy - cutY) ** 2)
      const i = row * width + column
      for (let c = 0; c < 3; c++) {
        const edge = radius * (sizes[c] as number)
        const share = Math.min((edge - away) / soft, (edge * 1.02 - other) / soft, 1)
        if (share <= 0) continue
        const rim = 1 + 0.35 * (away / edge) ** 6
        const plane = planes[c] as Float32Array
        plane[i] = (plane[i] as number) + share * rim * (colour[c] as number)
      }
    }
  }
}

type Channel = 'red' | 'green' | 'blue' | 'cover'

/**
 * Lens blur: every point becomes an even disc of `radius` picture heights. Red discs are slightly
 * larger and blue ones smaller, as in the colour fringes of real lenses.
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

/** Mean over a disc by running sums of the rows; border pixels repeat outside the picture. */
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
      // Covers `half` to both sides of a pixel's centre; the outermost pixels count by coverage.
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

/** Spreads a share of the light over `radius` picture heights, like haze. */
export function addGlow(canvas: Canvas, radius: number, share: number): void {
  for (const name of ['red', 'green', 'blue'] as const) {
    const plane = { width: canvas.width, height: canvas.height, data: canvas[name] }
    const spread = feather(plane, radius * canvas.height * 0.5, 3)
    for (let i = 0; i < plane.data.length; i++) {
      plane.data[i] = (plane.data[i] as number) * (1 - share) + share * (spread.data[i] as number)
    }
  }
}
