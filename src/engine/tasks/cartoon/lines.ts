import { smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur, resizeSmooth, shrink, valueAt, valueWithin } from '#engine/image/plane.ts'
import { type EdgeFlow, edgeFlow, type StyleInput } from './style.ts'

/** Line parameters; lengths are in thousandths of the picture's longer side. */
interface LineOptions {
  /** Standard deviation of the inner Gaussian: half a line's width. */
  sigma: number
  along: number
  /** Emphasis of edges before the threshold (p of XDoG). */
  emphasis: number
  /** Level of the sharpened picture below which there is ink, 0 to 1 (ε of XDoG). */
  threshold: number
  /** Slope of the soft threshold (φ of XDoG). */
  slope: number
}

/** Minimum of both deviations, in pixels. */
const minDeviations = { sigma: 0.7, along: 2 }

/** Values this far from the threshold skip smoothing, which could not change their ink. */
const noInkChange = 0.2
/** Sampling distance in pixels along a line; the mean is smooth enough for it. */
const lineStep = 1.5

/**
 * Ink, 0 to 1, by flow-based extended differences of Gaussians (Kang et al. 2007; Winnemöller et
 * al. 2012): across each edge, smoothed along it, with a soft threshold.
 */
export function drawLines(
  { drawing, flow, face, unit }: Pick<StyleInput, 'drawing' | 'flow' | 'face' | 'unit'>,
  { sigma, along, emphasis, threshold, slope }: LineOptions,
): Plane {
  const difference = acrossEdges(drawing, flow, face, Math.max(minDeviations.sigma, sigma * unit), emphasis)
  const ink = alongEdges(difference, flow, Math.max(minDeviations.along, along * unit), {
    from: threshold - noInkChange,
    to: threshold + noInkChange,
    stride: lineStep,
  })
  for (let i = 0; i < ink.data.length; i++) {
    // Suppress weak lines in faces.
    const below = threshold * (1 - 0.12 * (face.data[i] as number)) - (ink.data[i] as number)
    ink.data[i] = below <= 0 ? 0 : Math.tanh(slope * below)
  }
  return ink
}

/** (1 + p) · G(σ) − p · G(1.6 σ), sampled across the edge; finer in faces. */
function acrossEdges(luma: Plane, { x, y }: EdgeFlow, face: Plane, sigma: number, emphasis: number): Plane {
  const { width, height, data } = luma
  const out = createPlane(width, height)
  const full = halfKernels(sigma, emphasis)
  const half = halfKernels(sigma * 0.6, emphasis)
  const rim = full.length + 1
  for (let row = 0; row < height; row++) {
    const between = row >= rim && row < height - rim
    for (let column = 0; column < width; column++) {
      const i = row * width + column
      const weights = (face.data[i] as number) > 0.5 ? half : full
      const nx = y.data[i] as number
      const ny = -(x.data[i] as number)
      const inside = between && column >= rim && column < width - rim
      let sum = (weights[0] as number) * (data[i] as number)
      for (let step = 1; step < weights.length; step++) {
        const dx = step * nx
        const dy = step * ny
        const pair = inside
          ? valueWithin(data, width, column + dx, row + dy) + valueWithin(data, width, column - dx, row - dy)
          : valueAt(luma, column + dx, row + dy) + valueAt(luma, column - dx, row - dy)
        sum += (weights[step] as number) * pair
      }
      out.data[i] = sum
    }
  }
  return out
}

function halfKernels(sigma: number, emphasis: number): Float32Array {
  const reach = Math.max(1, Math.ceil(2.4 * 1.6 * sigma))
  const inner = gaussian(sigma, reach)
  const outer = gaussian(1.6 * sigma, reach)
  return inner.map((weight, i) => (1 + emphasis) * weight - emphasis * (outer[i] as number))
}

function gaussian(sigma: number, reach: number): Float32Array {
  const weights = Float32Array.from({ length: reach + 1 }, (_, i) => Math.exp((-i * i) / (2 * sigma * sigma)))
  const sum = weights.reduce((total, weight, i) => total + (i === 0 ? weight : 2 * weight), 0)
  return weights.map((weight) => weight / sum)
}

/**
 * Mean along the edge flow (line integral convolution; Cabral & Leedom 1993), sampled every
 * `stride` pixels. Only values between `from` and `to` change.
 */
export function alongEdges(
  plane: Plane,
  { x, y }: EdgeFlow,
  sigma: number,
  { from, to, stride } = { from: -Infinity, to: Infinity, stride: 1 },
): Plane {
  const { width, height, data } = plane
  const out = createPlane(width, height)
  const weights = gaussian(sigma / stride, Math.max(1, Math.ceil((2 * sigma) / stride)))
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const start = row * width + column
      const own = data[start] as number
      if (own < from || own > to) {
        out.data[start] = own
        continue
      }
      let sum = (weights[0] as number) * own
      let total = weights[0] as number
      for (let side = -1; side <= 1; side += 2) {
        let px = column
        let py = row
        let tx = side * (x.data[start] as number)
        let ty = side * (y.data[start] as number)
        for (let step = 1; step < weights.length; step++) {
          px += stride * tx
          py += stride * ty
          if (px < 0 || py < 0 || px >= width - 1 || py >= height - 1) break
          const i = ((py + 0.5) | 0) * width + ((px + 0.5) | 0)
          const weight = weights[step] as number
          sum += weight * valueWithin(data, width, px, py)
          total += weight
          const nx = x.data[i] as number
          const ny = y.data[i] as number
          const sign = nx * tx + ny * ty < 0 ? -1 : 1
          tx = sign * nx
          ty = sign * ny
        }
      }
      out.data[start] = sum / total
    }
  }
  return out
}

/** Width and smoothing length of a strand, in thousandths of the longer side. */
const strandWidth = 4
const strandSmoothing = 8
/** Relative contrast of a strand with its surroundings at which ink starts and is full. */
const inkContrast = { from: 0.012, to: 0.04 } as const
/** Added to lightness, so that noise in dark areas does not count as contrast. */
const darkOffset = 0.12
/** Squared contrast from which strands have a direction; low enough for fine and pale ones. */
const minDirectionContrast = 5e-6

/**
 * Hair and folds of cloth, 0 to 1: fine detail with a consistent direction, which flat areas lose;
 * white hair would look as bare as skin. Pores and grain cancel out. Always 0 in faces.
 */
export function detectStrands({ tones: { luma }, face, unit }: Pick<StyleInput, 'tones' | 'face' | 'unit'>): Plane {
  const step = unit > 0.8 ? 2 : 1
  const small = shrink(luma, Math.ceil(luma.width / step), Math.ceil(luma.height / step))
  const around = boxBlur(small, Math.max(1, Math.round((strandWidth * unit) / step)))
  const detail = createPlane(small.width, small.height)
  for (let i = 0; i < detail.data.length; i++) {
    const base = around.data[i] as number
    detail.data[i] = ((small.data[i] as number) - base) / (darkOffset + base)
  }
  const flow = edgeFlow(detail, Math.max(1, Math.round((strandWidth * unit) / step)), minDirectionContrast)
  const range = { from: -1, to: -inkContrast.from, stride: 1.5 }
  const strands = alongEdges(detail, flow, Math.max(2, (strandSmoothing * unit) / step), range)
  for (let i = 0; i < strands.data.length; i++) {
    strands.data[i] = smoothstep(inkContrast.from, inkContrast.to, -(strands.data[i] as number))
  }
  const full = resizeSmooth(strands, luma.width, luma.height)
  for (let i = 0; i < full.data.length; i++) full.data[i] = (full.data[i] as number) * (1 - (face.data[i] as number))
  return full
}
