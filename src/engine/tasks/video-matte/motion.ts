import type { Picture, Size } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'

/** 0 to 255, at the size of the motion search. */
export interface Brightness extends Size {
  data: Uint8Array
}

/** Displacement to the previous frame in pixels, and error, for each block. */
interface Motion {
  columns: number
  rows: number
  dx: Float32Array
  dy: Float32Array
  /** Mean absolute difference of brightness, 0 to 255. */
  error: Float32Array
}

const block = 8
/** Step sizes of the search around the best position; together they reach seven pixels. */
const steps = [4, 2, 1]
/** Minimum improvement per pixel over no motion, so that noise is not motion. */
const minImprovement = 1

export function brightnessOf({ width, height, data }: Picture, step: number): Brightness {
  const w = Math.floor(width / step)
  const h = Math.floor(height / step)
  const out = new Uint8Array(w * h)
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      let sum = 0
      for (let v = 0; v < step; v++) {
        for (let u = 0; u < step; u++) sum += data[4 * ((y * step + v) * width + x * step + u)] as number
      }
      out[y * w + x] = sum / (step * step)
    }
  }
  return { width: w, height: h, data: out }
}

/** Three-step block matching (Koga et al. 1981) from the current to the previous frame. */
export function findMotion(before: Brightness, now: Brightness): Motion {
  const columns = Math.ceil(now.width / block)
  const rows = Math.ceil(now.height / block)
  const motion = {
    columns,
    rows,
    dx: new Float32Array(columns * rows),
    dy: new Float32Array(columns * rows),
    error: new Float32Array(columns * rows),
  }
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const left = Math.max(0, Math.min(column * block, now.width - block))
      const top = Math.max(0, Math.min(row * block, now.height - block))
      let [bestX, bestY] = [0, 0]
      let best = blockError(before, now, left, top, 0, 0, Number.POSITIVE_INFINITY) - minImprovement
      for (const step of steps) {
        const [fromX, fromY] = [bestX, bestY]
        for (let v = -step; v <= step; v += step) {
          for (let u = -step; u <= step; u += step) {
            if (u === 0 && v === 0) continue
            const error = blockError(before, now, left, top, fromX + u, fromY + v, best)
            if (error < best) {
              best = error
              bestX = fromX + u
              bestY = fromY + v
            }
          }
        }
      }
      const i = row * columns + column
      motion.dx[i] = bestX
      motion.dy[i] = bestY
      motion.error[i] = bestX === 0 && bestY === 0 ? best + minImprovement : best
    }
  }
  return motion
}

/** Mean absolute difference; infinite outside the frame and once above `limit`. */
function blockError(
  before: Brightness,
  now: Brightness,
  left: number,
  top: number,
  dx: number,
  dy: number,
  limit: number,
): number {
  const { width } = now
  if (left + dx < 0 || top + dy < 0 || left + dx + block > width || top + dy + block > now.height) {
    return Number.POSITIVE_INFINITY
  }
  const most = limit * block * block
  let sum = 0
  for (let y = 0; y < block; y++) {
    const here = (top + y) * width + left
    const there = here + dy * width + dx
    for (let x = 0; x < block; x++) {
      const difference = (now.data[here + x] as number) - (before.data[there + x] as number)
      sum += difference < 0 ? -difference : difference
    }
    if (sum >= most) return Number.POSITIVE_INFINITY
  }
  return sum / (block * block)
}

/** Index in the previous frame of each pixel; `scale` is relative to the motion search. */
export function followMotion(
  { columns, rows, dx, dy }: Motion,
  scale: number,
  width: number,
  height: number,
): Int32Array {
  const across = resizeSmooth({ width: columns, height: rows, data: dx }, width, height).data
  const down = resizeSmooth({ width: columns, height: rows, data: dy }, width, height).data
  const source = new Int32Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const fromX = Math.min(width - 1, Math.max(0, Math.round(x + scale * (across[i] as number))))
      const fromY = Math.min(height - 1, Math.max(0, Math.round(y + scale * (down[i] as number))))
      source[i] = fromY * width + fromX
    }
  }
  return source
}

/** 1 if equal, 0 beyond `tolerance`. Chroma differs less than brightness and counts twice. */
export function pixelSimilarity(
  a: Uint8ClampedArray,
  i: number,
  b: Uint8ClampedArray,
  j: number,
  tolerance: number,
): number {
  const luma = Math.abs((a[4 * i] as number) - (b[4 * j] as number))
  const blue = Math.abs((a[4 * i + 1] as number) - (b[4 * j + 1] as number))
  const red = Math.abs((a[4 * i + 2] as number) - (b[4 * j + 2] as number))
  const difference = Math.max(luma, 2 * blue, 2 * red) / tolerance
  return difference >= 1 ? 0 : (1 - difference * difference) ** 2
}

const bins = 32
/**
 * A scene cut changes the colours (this share of pixels changes its bin) and cannot be explained by
 * motion (fewer blocks than this are found again, with errors below the limit).
 */
const sceneCutLimits = { colours: 0.3, found: 0.85, error: 12 }

/** Normalised, one channel after the other. */
export function colourHistogram({ data }: Picture): Float32Array {
  const out = new Float32Array(3 * bins)
  const share = 4 / data.length
  for (let i = 0; i < data.length; i += 4) {
    const y = (data[i] as number) >> 3
    const u = bins + ((data[i + 1] as number) >> 3)
    const v = 2 * bins + ((data[i + 2] as number) >> 3)
    out[y] = (out[y] as number) + share
    out[u] = (out[u] as number) + share
    out[v] = (out[v] as number) + share
  }
  return out
}

export function isSceneCut(before: Float32Array, now: Float32Array, motion: Motion): boolean {
  let largest = 0
  for (let channel = 0; channel < 3; channel++) {
    let moved = 0
    for (let i = channel * bins; i < (channel + 1) * bins; i++) {
      moved += Math.abs((now[i] as number) - (before[i] as number)) / 2
    }
    largest = Math.max(largest, moved)
  }
  const found = motion.error.filter((error) => error < sceneCutLimits.error).length / motion.error.length
  return largest > sceneCutLimits.colours && found < sceneCutLimits.found
}
