import { channels, type PyramidLevel } from './pyramid.ts'

const near = 3
const strictness = 45
/** Depth in pixels up to which lines predict the content, in smooth and in rough texture. */
const predictedDepth = { calm: 12, rough: 5 }
/** Texture strength, 0 to 255, in which extrapolated lines would show as streaks. */
const roughTexture = 60

/**
 * Coherence transport (Bornemann and März 2007), in place: weighted means along the surrounding
 * lines. `order` lists the hole's pixels, outermost first.
 */
export function fillScratch(
  pixels: Uint8Array,
  hole: Uint8Array,
  width: number,
  height: number,
  order: Int32Array,
): void {
  const open = hole.slice()
  const tensor = new Float64Array(3)
  const measureEdges = createTensorMeter(pixels, open, width, height)
  for (const i of order) {
    const x = i % width
    const y = (i - x) / width
    measureEdges(x, y, tensor)
    const xx = tensor[0] as number
    const xy = tensor[1] as number
    const yy = tensor[2] as number
    const gap = Math.hypot(xx - yy, 2 * xy)
    const coherence = xx + yy > 1e-9 ? gap / (xx + yy + 4) : 0
    const angle = 0.5 * Math.atan2(2 * xy, xx - yy)
    const across = Math.cos(angle)
    const down = Math.sin(angle)
    const strict = -strictness * coherence * coherence
    let red = 0
    let green = 0
    let blue = 0
    let total = 0
    for (let v = Math.max(0, y - near); v <= Math.min(height - 1, y + near); v++) {
      for (let u = Math.max(0, x - near); u <= Math.min(width - 1, x + near); u++) {
        const j = v * width + u
        if (open[j] === 1) continue
        const off = (u - x) * across + (v - y) * down
        const weight = Math.exp((strict * off * off) / (2 * near)) / ((u - x) ** 2 + (v - y) ** 2)
        red += weight * (pixels[channels * j] as number)
        green += weight * (pixels[channels * j + 1] as number)
        blue += weight * (pixels[channels * j + 2] as number)
        total += weight
      }
    }
    if (total > 0) {
      pixels[channels * i] = red / total + 0.5
      pixels[channels * i + 1] = green / total + 0.5
      pixels[channels * i + 2] = blue / total + 0.5
    }
    open[i] = 0
  }
}

/**
 * Near the edge, extrapolated lines are closer to the original than patches; less so in depth and
 * rough texture. In place.
 */
export function extrapolateLines({ width, height, pixels, hole, depth, targets }: PyramidLevel): void {
  const order = targets
    .filter((i) => hole[i] === 1 && (depth[i] as number) <= predictedDepth.calm)
    .sort((a, b) => (depth[a] as number) - (depth[b] as number) || a - b)
  const lines = pixels.slice()
  fillScratch(lines, hole, width, height, order)
  for (const i of order) {
    const rough = Math.min(1, (pixels[channels * i + 3] as number) / roughTexture)
    const far = predictedDepth.calm + rough * (predictedDepth.rough - predictedDepth.calm)
    const weight = Math.max(0, 1 - (depth[i] as number) / (far + 1))
    for (let k = channels * i; k < channels * i + 3; k++) {
      const own = pixels[k] as number
      pixels[k] = own + weight * ((lines[k] as number) - own) + 0.5
    }
  }
}

/** Structure tensor (xx, xy, yy) of known pixels, which do not change: each is measured once. */
function createTensorMeter(
  pixels: Uint8Array,
  open: Uint8Array,
  width: number,
  height: number,
): (x: number, y: number, out: Float64Array) => void {
  // Index of cached products, or 0; sparse, as few pixels of a large picture are near a hole.
  const cacheIndex = new Int32Array(open.length)
  const products = [0]
  const row = channels * width
  const size = near + 2
  const scale = 1 / (size * size * 12)
  const measure = (j: number): number => {
    let xx = 0
    let xy = 0
    let yy = 0
    for (let k = channels * j; k < channels * j + 3; k++) {
      const dx = (pixels[k + channels] as number) - (pixels[k - channels] as number)
      const dy = (pixels[k + row] as number) - (pixels[k - row] as number)
      xx += dx * dx
      xy += dx * dy
      yy += dy * dy
    }
    cacheIndex[j] = products.length
    products.push(xx, xy, yy)
    return products.length - 3
  }
  return (x, y, out) => {
    let xx = 0
    let xy = 0
    let yy = 0
    for (let v = Math.max(1, y - size); v < Math.min(height - 1, y + size); v++) {
      for (let u = Math.max(1, x - size); u < Math.min(width - 1, x + size); u++) {
        const j = v * width + u
        let at = cacheIndex[j] as number
        if (at === 0) {
          if (open[j - 1] || open[j + 1] || open[j - width] || open[j + width]) continue
          at = measure(j)
        }
        xx += products[at] as number
        xy += products[at + 1] as number
        yy += products[at + 2] as number
      }
    }
    out[0] = xx * scale
    out[1] = xy * scale
    out[2] = yy * scale
  }
}
