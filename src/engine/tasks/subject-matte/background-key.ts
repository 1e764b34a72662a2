import { connectedTo } from '#engine/image/geometry.ts'
import type { GuidedCoefficients } from '#engine/image/guided-filter.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { sampling } from '#engine/image/plane.ts'
import { type ColourLines, colourLines, pixelZone, valuesPerCell } from './colour-lines.ts'

/** Line positions (0 wall, 1 hair) of alpha 0 and 1, and their minimum distance under noise. */
const span = { from: 0.03, to: 0.85, least: 0.2 }
/** Distance off the line at belief exp(−½): lesser of `colour` (0 to 1) and `share` of the line. */
const strayLimits = { colour: 0.08, share: 0.25 }
/** Largest difference of bare wall from the wall's colour: base, plus deviations, up to `most`. */
const bareWall = { difference: 0.02, deviations: 3, most: 0.07 }
/** Radius in pixels around a bare pixel in which hair may cover the wall in part. */
const seam = 3
/** Half width in pixels of a strand that may separate wall in curls from the wall outside. */
const gap = 1
/**
 * Even areas between `from` and `to` are skin or cloth, as is their rim (pixels); `range` and the
 * noise's `deviations` bound the difference between neighbours.
 */
const evenness = { range: 0.08, deviations: 2, from: 0.25, to: 0.85, rim: 3 }
const leastBelief = 0.02
export const sureBelief = 0.9

/** Linear models that predict alpha from colour, one for each listed pixel. */
export interface BackgroundKey {
  /** Pixel indices in raster order. */
  pixels: Int32Array
  /** Coefficients of red, green, blue (0 to 1) and a constant, as in the guided filter. */
  models: Float32Array
  /** Confidence in each pixel's model, 0 (no model) to 1. */
  belief: Float32Array
}

/**
 * Difference matting of hair before a plain wall (Smith and Blinn 1996): alpha is a colour's
 * position on the line from the wall's colour to the hair's, both measured nearby. Solves `zones`
 * of `rim`, and of `deep` near bare wall, e.g. between curls. Even areas (skin, cloth) and walls of
 * the hair's or body's colour get no belief. `mask` is above 0.5 in the subject. Undefined if no
 * line is believed.
 */
export function keyBackground(guide: Picture, mask: Plane, zones: Uint8Array): BackgroundKey | undefined {
  const lines = colourLines(guide, mask, zones)
  if (!lines.believed) return undefined
  const pixels = pixelsInZones(zones)
  const key = { pixels, models: new Float32Array(4 * pixels.length), belief: new Float32Array(pixels.length) }
  const view = {
    along: new Float32Array(zones.length).fill(1),
    range: new Float32Array(pixels.length),
    shown: new Uint8Array(zones.length),
  }
  const columns = sampling(lines.width, guide.width)
  const rows = sampling(lines.height, guide.height)
  const line = new Float64Array(valuesPerCell)
  for (let n = 0; n < pixels.length; n++) {
    const i = pixels[n]!
    const x = i % guide.width
    const y = (i - x) / guide.width
    interpolateLine(lines, columns.index[x]!, rows.index[y]!, columns.weight[x]!, rows.weight[y]!, line)
    if (line[9]! > 0) measurePixel(guide.data, i, line, key, view, n)
  }
  const even = evenAreas(pixels, view, mask, zones)
  const open = openWall(pixels, view.shown, mask)
  for (let n = 0; n < pixels.length; n++) {
    const i = pixels[n]!
    const hidden = zones[i] === pixelZone.deep && open[i] === 0
    if (zones[i] === pixelZone.core || even[i] === 1 || hidden) key.belief[n] = 0
  }
  return key
}

function pixelsInZones(zones: Uint8Array): Int32Array {
  const found = new Int32Array(zones.length)
  let count = 0
  for (let i = 0; i < zones.length; i++) if (zones[i]! >= pixelZone.core) found[count++] = i
  return found.subarray(0, count)
}

interface LineMeasurements {
  /** Position on the line for each pixel of the guide, 0 (wall) to 1 (hair). */
  along: Float32Array
  /** Largest difference between neighbours in an even area; 0 where there is no line. */
  range: Float32Array
  /** 1 where the bare wall shows, for each pixel of the guide. */
  shown: Uint8Array
}

function measurePixel(
  data: Uint8ClampedArray,
  i: number,
  line: Float64Array,
  { models, belief }: BackgroundKey,
  { along, range, shown }: LineMeasurements,
  n: number,
): void {
  const red = data[4 * i]! / 255
  const green = data[4 * i + 1]! / 255
  const blue = data[4 * i + 2]! / 255
  const deviation = line[8]!
  const square = line[9]!
  const t = red * line[0]! + green * line[1]! + blue * line[2]! + line[3]!
  const noise = deviation / Math.sqrt(square)
  along[i] = Math.min(Math.max(t, 0), 1)
  range[n] = evenness.range + evenness.deviations * noise
  const wallDistance = (red - line[5]!) ** 2 + (green - line[6]!) ** 2 + (blue - line[7]!) ** 2
  const wall = Math.sqrt(wallDistance) < Math.min(bareWall.difference + bareWall.deviations * deviation, bareWall.most)
  if (wall) shown[i] = 1
  const off = wall ? 0 : t > 0 ? Math.max(0, wallDistance - t * t * square) : wallDistance
  const allowed = Math.min(strayLimits.colour ** 2, strayLimits.share ** 2 * square)
  const believed = line[4]! * Math.exp(-off / (2 * allowed))
  if (believed < leastBelief) return
  belief[n] = believed
  const from = span.from + noise
  const length = Math.max(span.to - from, span.least)
  for (let k = 0; k < 3; k++) models[4 * n + k] = line[k]! / length
  models[4 * n + 3] = (line[3]! - from) / length
}

function interpolateLine(
  { width, height, data }: ColourLines,
  x: number,
  y: number,
  u: number,
  v: number,
  out: Float64Array,
) {
  const right = x + 1 < width ? valuesPerCell : 0
  const down = y + 1 < height ? valuesPerCell * width : 0
  for (let k = 0, at = valuesPerCell * (y * width + x); k < valuesPerCell; k++, at++) {
    const above = data[at]! + u * (data[at + right]! - data[at]!)
    const below = data[at + down]! + u * (data[at + down + right]! - data[at + down]!)
    out[k] = above + v * (below - above)
  }
}

/** 1 in and around even areas of a mixed colour, and in any even areas connected to the core. */
function evenAreas(pixels: Int32Array, { along, range }: LineMeasurements, mask: Plane, zones: Uint8Array): Uint8Array {
  const { width } = mask
  const smooth = new Uint8Array(along.length)
  const found = new Uint8Array(along.length)
  const seeds: number[] = []
  for (let n = 0; n < pixels.length; n++) {
    const i = pixels[n]!
    if (range[n] === 0 || mask.data[i]! < 0.5 || along[i]! > evenness.to) continue
    if (rangeAround(along, i, width) > range[n]!) continue
    smooth[i] = 1
    const inside = zones[i] === pixelZone.core
    if (inside) seeds.push(i)
    if (inside || along[i]! > evenness.from) found[i] = 1
  }
  const connected = connectedTo(mask, seeds, (i) => smooth[i] === 1)
  for (const i of pixels) if (connected[i] === 1) found[i] = 1
  return around(pixels, found, width, evenness.rim)
}

/** 1 near bare wall open to the outside across strands of up to 2 × `gap`; the rest is subject. */
function openWall(pixels: Int32Array, shown: Uint8Array, mask: Plane): Uint8Array {
  const near = around(pixels, shown, mask.width, gap)
  const seeds = Array.from(pixels.filter((i) => near[i] === 1 && mask.data[i]! <= 0.5))
  return around(
    pixels,
    connectedTo(mask, seeds, (i) => near[i] === 1),
    mask.width,
    seam - gap,
  )
}

/** Maximum minus minimum of the 3×3 window, which wraps at the ends of rows. */
function rangeAround(values: Float32Array, i: number, width: number): number {
  let least = values[i]!
  let most = least
  for (let row = i - width; row <= i + width; row += width) {
    const end = Math.min(row + 1, values.length - 1)
    for (let at = Math.max(row - 1, 0); at <= end; at++) {
      const value = values[at]!
      if (value < least) least = value
      if (value > most) most = value
    }
  }
  return most - least
}

/** 1 near marked pixels, in a (2·radius+1)² window that wraps at the ends of rows. */
function around(pixels: Int32Array, marked: Uint8Array, width: number, radius: number): Uint8Array {
  const across = new Uint8Array(marked.length)
  let done = 0
  for (const i of pixels) {
    if (marked[i] === 0) continue
    const end = Math.min(i + radius + 1, across.length)
    for (let at = Math.max(done, i - radius); at < end; at++) across[at] = 1
    done = end
  }
  const out = new Uint8Array(marked.length)
  for (const i of pixels) {
    let near = 0
    for (let at = i - radius * width; at <= i + radius * width; at += width) if (across[at] === 1) near = 1
    out[i] = near
  }
  return out
}

/** Sets `mask` to `value` where belief is above `least`. */
export function markKeyPixels({ pixels, belief }: BackgroundKey, least: number, mask: Uint8Array, value: 0 | 1): void {
  for (let n = 0; n < pixels.length; n++) if (belief[n]! > least) mask[pixels[n]!] = value
}

/** Blends in the key's models by belief, and frees alpha from the limits `low` and `high` there. */
export function blendKeyModels(key: BackgroundKey, { data }: GuidedCoefficients, low: Plane, high: Plane): void {
  const { pixels, models, belief } = key
  for (let n = 0; n < pixels.length; n++) {
    if (belief[n] === 0) continue
    const i = pixels[n]!
    const share = belief[n]! > sureBelief ? 1 : belief[n]!
    for (let k = 0; k < 4; k++) data[4 * i + k] = data[4 * i + k]! + share * (models[4 * n + k]! - data[4 * i + k]!)
    low.data[i] = low.data[i]! * (1 - share)
    high.data[i] = high.data[i]! + share * (1 - high.data[i]!)
  }
}
