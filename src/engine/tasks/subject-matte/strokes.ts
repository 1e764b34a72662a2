import type { EngineHost } from '#engine/host.ts'
import { connectedRegions, type Similarity, transform } from '#engine/image/geometry.ts'
import { borderDistance, dilate } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { alphaOf, fitArea, flatten, planeOf } from '#engine/image/pixels.ts'
import { boxBlur, feather, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { rasterizeStrokes, type Seeds } from '#engine/image/strokes.ts'
import type { Stroke } from '#shared/media.ts'
import { cutOut } from './foreground.ts'
import { refineMatte } from './refine.ts'
import { segment } from './segment.ts'

/** Pixels for deciding the extent of a correction, and for solving the new edge. */
const cutArea = 256 * 256
const solveArea = 448 * 448
const edge = { band: 0.012 }
/**
 * Log odds of the matte where a stroke no longer reaches (sure) and beside it (colours and edges
 * decide), and of pixels under strokes.
 */
const odds = { far: 6, near: 0.6, seed: 20 }
/** Largest extent of a correction: widths of its stroke, and minimum share of the picture. */
const maxReach = { widths: 3, share: 0.04 }
const cut = { belief: 4, colour: 0.6, limit: 6, smooth: 12, clusters: 8, sure: 0.8 }

/**
 * Corrects a matte of the picture's size by strokes in its pixels; returns a new matte. A minimum
 * cut decides how far each contradiction extends; its edge is refined like the first.
 */
export async function applyStrokes(
  source: Picture,
  matte: Plane,
  strokes: readonly Stroke[],
  host: EngineHost,
): Promise<Plane> {
  if (strokes.length === 0) return matte
  const opaque = flatten(source, 128, 128, 128)
  const size = fitArea(source, cutArea)
  const small = await host.resize(opaque, size.width, size.height)
  const rough = shrink(matte, small.width, small.height)
  const seeds = rasterizeStrokes(strokes, small.width, small.height, small.width / source.width)
  const labels = cutNearStrokes(small, rough, seeds, strokes, small.width / source.width)
  const touched = changedRegions(labels, rough, seeds)
  const corrected = { ...matte, data: matte.data.slice() }
  if (touched) await mergeRefined(corrected, opaque, labels, touched, host)
  paintCertain(corrected, strokes)
  return corrected
}

/**
 * Corrects a cut-out by strokes in pixels of `source`, which `placement` maps to the cut-out. Only
 * changed pixels are cut out again; all others stay bit-identical.
 */
export async function correctCutOut(
  source: Picture,
  cut: Picture,
  placement: Similarity,
  strokes: readonly Stroke[],
  host: EngineHost,
): Promise<Picture> {
  if (strokes.length === 0) return cut
  const { width, height } = cut
  const matte = alphaOf(cut) ?? createPlane(width, height, 1)
  const opaque = resamplePicture(source, placement, width, height)
  const corrected = await applyStrokes(
    opaque,
    matte,
    strokes.map((stroke) => moveStroke(stroke, placement)),
    host,
  )
  const { data } = await cutOut(opaque, corrected, host)
  const [before, after] = [cut.data, data].map(
    (bytes) => new Uint32Array(bytes.buffer, bytes.byteOffset, width * height),
  )
  for (let i = 0; i < width * height; i++) {
    const changed = Math.abs((data[4 * i + 3] as number) - (cut.data[4 * i + 3] as number)) > 1
    if (!changed) (after as Uint32Array)[i] = (before as Uint32Array)[i] as number
  }
  return { width, height, data }
}

function moveStroke(stroke: Stroke, placement: Similarity): Stroke {
  const points: number[] = []
  for (let i = 0; i < stroke.points.length; i += 2) {
    const { x, y } = transform(placement, { x: stroke.points[i] as number, y: stroke.points[i + 1] as number })
    points.push(x, y)
  }
  return { ...stroke, size: stroke.size * placement.scale, points }
}

/** Labels at the reduced size: a minimum cut near contradicting strokes, else the matte. */
function cutNearStrokes(small: Picture, rough: Plane, seeds: Seeds, strokes: readonly Stroke[], scale: number): Plane {
  const { width, height } = small
  const away = distanceInReaches(rough, seeds, strokes, scale)
  const belief = createPlane(width, height)
  for (let i = 0; i < belief.data.length; i++) {
    const seed = seeds.data[i] as number
    const side = (rough.data[i] as number) > 0.5 ? 1 : -1
    const trust = odds.near + (odds.far - odds.near) * (away[i] as number)
    belief.data[i] = 1 / (1 + Math.exp(-(seed !== 0 ? seed * odds.seed : side * trust) / cut.belief))
  }
  const labels = segment(small, belief, cut)
  for (let i = 0; i < labels.data.length; i++) {
    if (seeds.data[i] !== 0) labels.data[i] = seeds.data[i] === 1 ? 1 : 0
    else if ((away[i] as number) >= 1) labels.data[i] = (rough.data[i] as number) > 0.5 ? 1 : 0
  }
  return labels
}

/**
 * Distance of each pixel from the nearest contradiction, in reaches of its stroke: a thin stroke
 * changes little around it.
 */
function distanceInReaches(rough: Plane, seeds: Seeds, strokes: readonly Stroke[], scale: number): Float32Array {
  const { width, height } = rough
  const nearest = new Float32Array(width * height).fill(1)
  for (const size of new Set(strokes.map((stroke) => stroke.size))) {
    const own = strokes.filter((stroke) => stroke.size === size)
    const drawn = rasterizeStrokes(own, width, height, scale)
    const contradicted = createPlane(width, height)
    for (let i = 0; i < nearest.length; i++) {
      const seed = drawn.data[i] as number
      if (seed !== 0 && seed === seeds.data[i] && seed > 0 !== (rough.data[i] as number) > 0.5) contradicted.data[i] = 1
    }
    if (!contradicted.data.includes(1)) continue
    const distance = borderDistance(contradicted)
    const reach = Math.max(maxReach.widths * size * scale, maxReach.share * Math.max(width, height))
    for (let i = 0; i < nearest.length; i++) {
      const share = contradicted.data[i] === 1 ? 0 : (distance[i] as number) / reach
      nearest[i] = Math.min(nearest[i] as number, share)
    }
  }
  return nearest
}

/**
 * 1 where labels differ in a region with a stroke that asks for it: no stroke that erases adds
 * anything. Resets other labels. Undefined if unchanged.
 */
function changedRegions(labels: Plane, rough: Plane, seeds: Seeds): Plane | undefined {
  const { width, height, data } = labels
  const changed = createPlane(width, height)
  const before = rough.data.map((value) => (value > 0.5 ? 1 : 0))
  for (const wanted of [1, 0]) {
    const differs = (i: number) => data[i] === wanted && before[i] !== wanted
    const { labels: owner, regions } = connectedRegions(width, height, differs)
    const seeded = new Uint8Array(regions.length + 1)
    for (let i = 0; i < data.length; i++) if (seeds.data[i] === 2 * wanted - 1) seeded[owner[i] as number] = 1
    seeded[0] = 0
    for (let i = 0; i < data.length; i++) if (seeded[owner[i] as number] === 1) changed.data[i] = 1
  }
  for (let i = 0; i < data.length; i++) if (changed.data[i] === 0) data[i] = before[i] as number
  return changed.data.includes(1) ? changed : undefined
}

async function mergeRefined(
  matte: Plane,
  opaque: Picture,
  labels: Plane,
  changed: Plane,
  host: EngineHost,
): Promise<void> {
  const size = fitArea(opaque, solveArea)
  const guide = await host.resize(opaque, size.width, size.height)
  const refined = planeOf(refineMatte(opaque, guide, labels, edge))
  const margin = Math.max(2, Math.round(1.5 * edge.band * Math.sqrt(labels.width * labels.height)))
  const zone = resizeSmooth(boxBlur(dilate(changed, margin), 1), matte.width, matte.height)
  for (let i = 0; i < matte.data.length; i++) {
    const share = Math.min(1, Math.max(0, zone.data[i] as number))
    if (share > 0) matte.data[i] = (matte.data[i] as number) * (1 - share) + (refined.data[i] as number) * share
  }
}

function paintCertain(matte: Plane, strokes: readonly Stroke[]): void {
  const seeds = rasterizeStrokes(strokes, matte.width, matte.height, 1)
  for (let i = 0; i < matte.data.length; i++) if (seeds.data[i] !== 0) matte.data[i] = seeds.data[i] === 1 ? 1 : 0
}

/** Widest blur of an edge, as a share of the picture's size. */
const widestBlur = 0.012

/** A matte with softer edges; `softness` 0 leaves it unchanged, 1 gives the widest edge. */
export function softenEdges(matte: Plane, softness: number): Plane {
  const radius = Math.round(softness * widestBlur * Math.sqrt(matte.width * matte.height))
  return radius < 1 ? matte : feather(matte, radius)
}
