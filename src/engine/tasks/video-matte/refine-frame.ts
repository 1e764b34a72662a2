import { type GuidedCoefficients, guidedCoefficients } from '#engine/image/guided-filter.ts'
import { dilate, erode, widen } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, sampling } from '#engine/image/plane.ts'
import { alphaOf, type Frame, type Mask } from '#engine/video/frame.ts'

/**
 * Window and regularisation of the guided filter, in pixels of the reduced frame and squared
 * colours from 0 to 1.
 */
const guided = { radius: 6, epsilon: 2e-4 }
/**
 * Window in which the colours of both sides of an edge are taken, in pixels of half the reduced
 * frame.
 */
const sideRadius = 3
/** Alpha up to here, and within as much of 1, is noise. */
const noise = 0.06

/**
 * Colours of one side of an edge at the reduced size, as Y, U and V from 0 to 255; `known` is 0
 * where that side is out of reach.
 */
interface SideColours {
  planes: readonly [Plane, Plane, Plane]
  known: Plane
}

/** A frame's matte at the reduced size, with what is needed to bring it to the frame's own size. */
export interface FrameMatte {
  /** Alpha, 0 to 1. */
  small: Plane
  /** Bounds of alpha around each pixel of the reduced frame. */
  low: Plane
  high: Plane
  coefficients: GuidedCoefficients
  /**
   * The subject's colours near its edge, as they would be without what is behind it, and what is
   * behind.
   */
  subject: SideColours
  behind: SideColours
}

/**
 * Refines a soft mask along the colours of the reduced frame (channels Y, U, V), by the guided
 * filter of He, Sun and Tang (2010).
 */
export function refineFrameMatte(yuv: Picture, { data }: Mask): FrameMatte {
  const { width, height } = yuv
  const mask = createPlane(width, height)
  for (let i = 0; i < data.length; i++) mask.data[i] = (data[i] as number) / 255
  const wanted = widen(unevenPixels(mask), width, height, guided.radius)
  const coefficients = guidedCoefficients(yuv, mask, guided.radius, guided.epsilon, wanted)
  const small = createPlane(width, height)
  for (let i = 0, k = 0; i < small.data.length; i++, k += 4) {
    if (wanted[i] === 0) {
      small.data[i] = (mask.data[i] as number) > 0.5 ? 1 : 0
      continue
    }
    const { data } = coefficients
    const value =
      ((data[k] as number) * (yuv.data[k] as number) +
        (data[k + 1] as number) * (yuv.data[k + 1] as number) +
        (data[k + 2] as number) * (yuv.data[k + 2] as number)) /
        255 +
      (data[k + 3] as number)
    small.data[i] = value < noise ? 0 : value > 1 - noise ? 1 : (value - noise) / (1 - 2 * noise)
  }
  const { subject, behind } = sideColours(yuv, small)
  return { small, low: erode(small, 1), high: dilate(small, 1), coefficients, subject, behind }
}

/** 1 where the mask is between 0 and 1, or a neighbour's is another. */
function unevenPixels({ width, height, data }: Plane): Uint8Array {
  const out = new Uint8Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = data[i] as number
      if ((value > 0 && value < 1) || (x > 0 && data[i - 1] !== value)) out[i] = 1
      else if (y > 0 && data[i - width] !== value) out[i] = 1
    }
  }
  return out
}

/**
 * Means of the colours of either side, weighted by alpha (the blur fusion of Forte, 2021), at half
 * the reduced size.
 */
function sideColours(yuv: Picture, alpha: Plane): { subject: SideColours; behind: SideColours } {
  const [width, height] = [Math.ceil(alpha.width / 2), Math.ceil(alpha.height / 2)]
  const size = width * height
  const share = createPlane(width, height)
  const all = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  const own = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = 2 * y * alpha.width + 2 * x
      const a = alpha.data[at] as number
      share.data[i] = a
      for (let c = 0; c < 3; c++) {
        const value = yuv.data[4 * at + c] as number
        all[c as 0].data[i] = value
        own[c as 0].data[i] = a * value
      }
    }
  }
  const known = boxBlur(share, sideRadius)
  for (let i = 0; i < size; i++) share.data[i] = 1 - (known.data[i] as number)
  for (let c = 0; c < 3; c++) {
    const every = boxBlur(all[c as 0], sideRadius).data
    const mine = boxBlur(own[c as 0], sideRadius).data
    for (let i = 0; i < size; i++) {
      const inside = known.data[i] as number
      const outside = share.data[i] as number
      own[c as 0].data[i] = inside > 1e-3 ? (mine[i] as number) / inside : 0
      all[c as 0].data[i] = outside > 1e-3 ? ((every[i] as number) - (mine[i] as number)) / outside : 0
    }
  }
  return { subject: { planes: own, known }, behind: { planes: all, known: share } }
}

/**
 * Alpha of a frame at its own size, 0 to 255, in the frame's own memory, by the reduced frame's
 * models (the fast guided filter of He and Sun, 2015).
 */
export function frameAlpha({ low, high, coefficients }: FrameMatte, frame: Frame): Uint8Array {
  const { width, height } = frame
  const out = alphaOf(frame).fill(0)
  const columns = sampling(low.width, width)
  const rows = sampling(low.height, height)
  const models = coefficients.data
  const side = new Float64Array(8)
  const even = evenCells(low, high)
  for (let y = 0; y < height; y++) {
    const above = (rows.index[y] as number) * low.width
    const below = low.height > 1 ? above + low.width : above
    const v = rows.weight[y] as number
    const chromaRow = (y >> 1) * (width / 2)
    for (let x = 0; x < width; ) {
      const left = columns.index[x] as number
      const right = left + 1 < low.width ? left + 1 : left
      let end = x + 1
      while (end < width && columns.index[end] === left) end++
      const a = above + left
      if (even[a] === 1) {
        const level = low.data[a] as number
        if (level !== 0) out.fill(255 * level + 0.5, y * width + x, y * width + end)
        x = end
        continue
      }
      const [b, c, d] = [above + right, below + left, below + right]
      // The models of the cell's left and right side at this height, and the bounds there.
      for (let k = 0; k < 4; k++) {
        const upper = models[4 * a + k] as number
        const above = models[4 * b + k] as number
        side[k] = upper + v * ((models[4 * c + k] as number) - upper)
        side[k + 4] = above + v * ((models[4 * d + k] as number) - above) - (side[k] as number)
      }
      const leastLeft = between(low.data, a, c, v)
      const leastStep = between(low.data, b, d, v) - leastLeft
      const mostLeft = between(high.data, a, c, v)
      const mostStep = between(high.data, b, d, v) - mostLeft
      for (; x < end; x++) {
        const i = y * width + x
        const u = columns.weight[x] as number
        const chroma = chromaRow + (x >> 1)
        const value =
          (((side[0] as number) + u * (side[4] as number)) * (frame.y[i] as number) +
            ((side[1] as number) + u * (side[5] as number)) * (frame.u[chroma] as number) +
            ((side[2] as number) + u * (side[6] as number)) * (frame.v[chroma] as number)) /
            255 +
          (side[3] as number) +
          u * (side[7] as number)
        const clear = (value - noise) / (1 - 2 * noise)
        const least = leastLeft + u * leastStep
        const most = mostLeft + u * mostStep
        out[i] = 255 * Math.min(most, Math.max(least, clear)) + 0.5
      }
    }
  }
  return out
}

/** 1 for each pixel that bounds a cell in which alpha is the same throughout. */
function evenCells(low: Plane, high: Plane): Uint8Array {
  const { width, height } = low
  const out = new Uint8Array(width * height)
  for (let y = 0, a = 0; y < height; y++) {
    const down = y + 1 < height ? width : 0
    for (let x = 0; x < width; x++, a++) {
      const value = low.data[a] as number
      if (high.data[a] !== value) continue
      const right = x + 1 < width ? 1 : 0
      const [b, c, d] = [a + right, a + down, a + down + right]
      const lowEven = low.data[b] === value && low.data[c] === value && low.data[d] === value
      if (lowEven && high.data[b] === value && high.data[c] === value && high.data[d] === value) out[a] = 1
    }
  }
  return out
}

const between = (values: Float32Array, upper: number, lower: number, weight: number): number =>
  (1 - weight) * (values[upper] as number) + weight * (values[lower] as number)
