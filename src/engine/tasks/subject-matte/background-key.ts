import { connectedTo } from '#engine/image/geometry.ts'
import type { GuidedCoefficients } from '#engine/image/guided-filter.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { sampling } from '#engine/image/plane.ts'
import { type ColourLines, colourLines, lineValues, place } from './colour-lines.ts'

/**
 * Places on the line from the wall's colour to the hair's up to which alpha is 0, and from which it
 * is 1, and how far these are apart at least.
 */
const span = { from: 0.03, to: 0.85, least: 0.2 }
/** Distance from that line at which a pixel says little, the latter as a share of the line. */
const stray = { colour: 0.08, share: 0.25 }
/** A pixel that differs less from the wall shows the wall itself. */
const bare = { difference: 0.02, deviations: 3, most: 0.07 }
/** Pixels around such a one that it may cover in part. */
const seam = 3
/** Half the width of a strand that separates the wall between curls from the wall outside. */
const gap = 1
/** An even area somewhere on the line is skin or cloth, so is its rim. */
const evenness = { range: 0.08, deviations: 2, from: 0.25, to: 0.85, rim: 3 }
/** Less belief than this is none. */
const leastBelief = 0.02
/** Belief in a {@link BackgroundKey} above which a pixel's alpha is known. */
export const sure = 0.9

/** Linear models that tell the alpha of some pixels from their colours. */
export interface BackgroundKey {
  /** The pixels, in raster order. */
  pixels: Int32Array
  /** For red, green, blue (0 to 1) and one: four a pixel, as the guided filter's coefficients. */
  models: Float32Array
  /** How far a pixel's model is to be believed, 0 to 1; 0 where there is none. */
  belief: Float32Array
}

/**
 * Alpha of hair before a plain wall: the pixel's own colour says it by its place on the line from
 * the wall's colour to the hair's, both measured nearby (difference matting; Smith and Blinn 1996).
 * It is looked for where `places` has `rim`, and where it has `deep` around pixels that show the
 * wall itself, as between curls. Even areas, as skin and cloth are, have a colour of their own, and
 * walls of the hair's or the body's colour say nothing; no model is believed there. `mask` is above
 * 0.5 in the subject. Undefined where nothing can be told at all.
 */
export function keyBackground(guide: Picture, mask: Plane, places: Uint8Array): BackgroundKey | undefined {
  const lines = colourLines(guide, mask, places)
  if (!lines.believed) return undefined
  const pixels = zonePixels(places)
  const key = { pixels, models: new Float32Array(4 * pixels.length), belief: new Float32Array(pixels.length) }
  const view = {
    along: new Float32Array(places.length).fill(1),
    range: new Float32Array(pixels.length),
    shown: new Uint8Array(places.length),
  }
  const columns = sampling(lines.width, guide.width)
  const rows = sampling(lines.height, guide.height)
  const line = new Float64Array(lineValues)
  for (let n = 0; n < pixels.length; n++) {
    const i = pixels[n]!
    const x = i % guide.width
    const y = (i - x) / guide.width
    lineAt(lines, columns.index[x]!, rows.index[y]!, columns.weight[x]!, rows.weight[y]!, line)
    if (line[9]! > 0) judge(guide.data, i, line, key, view, n)
  }
  const even = evenAreas(pixels, view, mask, places)
  const open = openWall(pixels, view.shown, mask)
  for (let n = 0; n < pixels.length; n++) {
    const i = pixels[n]!
    const hidden = places[i] === place.deep && open[i] === 0
    if (places[i] === place.core || even[i] === 1 || hidden) key.belief[n] = 0
  }
  return key
}

/** The pixels at which it is worth looking. */
function zonePixels(places: Uint8Array): Int32Array {
  const found = new Int32Array(places.length)
  let count = 0
  for (let i = 0; i < places.length; i++) if (places[i]! >= place.core) found[count++] = i
  return found.subarray(0, count)
}

/** What pixels look like beside the line between both colours. */
interface View {
  /** Place on the line, 0 the wall's colour to 1 the hair's; by the pixels of the guide. */
  along: Float32Array
  /** How much that may differ between neighbours in an even area; 0 where there is no line. */
  range: Float32Array
  /** 1 where the wall itself shows; by the pixels of the guide. */
  shown: Uint8Array
}

/** Writes the view of the nth pixel, and its model. */
function judge(
  data: Uint8ClampedArray,
  i: number,
  line: Float64Array,
  { models, belief }: BackgroundKey,
  { along, range, shown }: View,
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
  const away = (red - line[5]!) ** 2 + (green - line[6]!) ** 2 + (blue - line[7]!) ** 2
  const wall = Math.sqrt(away) < Math.min(bare.difference + bare.deviations * deviation, bare.most)
  if (wall) shown[i] = 1
  const off = wall ? 0 : t > 0 ? Math.max(0, away - t * t * square) : away
  const allowed = Math.min(stray.colour ** 2, stray.share ** 2 * square)
  const believed = line[4]! * Math.exp(-off / (2 * allowed))
  if (believed < leastBelief) return
  belief[n] = believed
  const from = span.from + noise
  const length = Math.max(span.to - from, span.least)
  for (let k = 0; k < 3; k++) models[4 * n + k] = line[k]! / length
  models[4 * n + 3] = (line[3]! - from) / length
}

/** A cell's values between it and the next ones. */
function lineAt({ width, height, data }: ColourLines, x: number, y: number, u: number, v: number, out: Float64Array) {
  const right = x + 1 < width ? lineValues : 0
  const down = y + 1 < height ? lineValues * width : 0
  for (let k = 0, at = lineValues * (y * width + x); k < lineValues; k++, at++) {
    const above = data[at]! + u * (data[at + right]! - data[at]!)
    const below = data[at + down]! + u * (data[at + down + right]! - data[at + down]!)
    out[k] = above + v * (below - above)
  }
}

/**
 * 1 in and around the subject's even areas of a mixed colour, and those that hang together with its
 * core whatever share of the wall's colour they have.
 */
function evenAreas(pixels: Int32Array, { along, range }: View, mask: Plane, places: Uint8Array): Uint8Array {
  const { width } = mask
  const smooth = new Uint8Array(along.length)
  const found = new Uint8Array(along.length)
  const seeds: number[] = []
  for (let n = 0; n < pixels.length; n++) {
    const i = pixels[n]!
    if (range[n] === 0 || mask.data[i]! < 0.5 || along[i]! > evenness.to) continue
    if (rangeAround(along, i, width) > range[n]!) continue
    smooth[i] = 1
    const inside = places[i] === place.core
    if (inside) seeds.push(i)
    if (inside || along[i]! > evenness.from) found[i] = 1
  }
  const held = connectedTo(mask, seeds, (i) => smooth[i] === 1)
  for (const i of pixels) if (held[i] === 1) found[i] = 1
  return around(pixels, found, width, evenness.rim)
}

/**
 * 1 near pixels that show the wall and hang together with the wall outside, but for strands no
 * wider than twice the gap; the wall's colour elsewhere belongs to the subject.
 */
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

/** Difference of the largest and the smallest of nine values; rows follow each other. */
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

/** 1 at the pixels that have a marked one in a (2·radius+1)² window; rows follow each other. */
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

/** Pixels of whose key there is little doubt get their alpha by it and become known. */
export function trustKey(
  { pixels, models, belief }: BackgroundKey,
  { data }: Picture,
  guess: Plane,
  unknown: Uint8Array,
): void {
  for (let n = 0; n < pixels.length; n++) {
    if (belief[n]! <= sure) continue
    const i = pixels[n]!
    const [from, at] = [4 * i, 4 * n]
    const tone = models[at]! * data[from]! + models[at + 1]! * data[from + 1]! + models[at + 2]! * data[from + 2]!
    guess.data[i] = Math.min(Math.max(tone / 255 + models[at + 3]!, 0), 1)
    unknown[i] = 0
  }
}

/** Sets `mask` to `value` at the pixels that are believed more than `least`. */
export function markKeyed({ pixels, belief }: BackgroundKey, least: number, mask: Uint8Array, value: 0 | 1): void {
  for (let n = 0; n < pixels.length; n++) if (belief[n]! > least) mask[pixels[n]!] = value
}

/**
 * Puts the key's models in the place of the guided filter's, as far as they are believed, and frees
 * alpha from the limits `low` and `high` there.
 */
export function settleByKey(key: BackgroundKey, { data }: GuidedCoefficients, low: Plane, high: Plane): void {
  const { pixels, models, belief } = key
  for (let n = 0; n < pixels.length; n++) {
    if (belief[n] === 0) continue
    const i = pixels[n]!
    const share = belief[n]! > sure ? 1 : belief[n]!
    for (let k = 0; k < 4; k++) data[4 * i + k] = data[4 * i + k]! + share * (models[4 * n + k]! - data[4 * i + k]!)
    low.data[i] = low.data[i]! * (1 - share)
    high.data[i] = high.data[i]! + share * (1 - high.data[i]!)
  }
}
