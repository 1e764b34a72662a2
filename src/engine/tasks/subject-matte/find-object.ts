import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { boxOverlap, clipBox, growBox, scaleBox } from '#engine/image/geometry.ts'
import { luma } from '#engine/image/luma.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, createPlane, share } from '#engine/image/plane.ts'
import { quantile } from '#engine/image/quantile.ts'
import { borderStrength, contrastLinks, type Links, segment, segmentDefaults, tidy } from './segment.ts'

/** What to look for: decided from the picture, people, or the most salient thing. */
export type SubjectKind = 'auto' | 'person' | 'object'

/** What is to be kept, roughly: a soft mask, and where hair has to be expected. */
export interface Subject {
  mask: Plane
  hair: Box[]
}

const cutSide = 256
/**
 * How far around a thing's box its parts are looked for, and what it may be the middle of, such as
 * a cup of its saucer; as shares of the box's longer side.
 */
const around = { parts: 0.06, larger: 0.6 }

/**
 * The most salient thing, or the one in the box: narrow and generous beliefs are each cut along
 * colours and edges, and the cut whose border follows real edges best wins.
 */
export async function findObject(
  picture: Picture,
  box: Box | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Subject> {
  const size = fitWithin(picture, cutSide)
  const small = await host.resize(picture, size.width, size.height)
  const salient = barrierSaliency(small)
  const reduced = (it: Box): Box => scaleBox(it, size.width / picture.width, size.height / picture.height)
  const frame = box && reduced(box)
  const main = frame ? [] : mainObjects(await objects(), picture).map((it) => reduced(it.box))
  const [detected] = main
  if (!frame && !detected && share(salient, 0.5) === 0) throw new EngineError('engine.no_subject')
  const parting = Math.min(partingValue(salient), 0.5)
  const narrow = { salient, parting }
  // More of what hardly stands out may belong to the subject.
  const generous = { salient, parting: 0.8 * parting }
  const longer = detected ? Math.max(detected.width, detected.height) : 0
  const larger = detected && [growBox(detected, around.larger * longer)]
  const parts = main.map((it) => growBox(it, around.parts * longer))
  const beliefs = frame
    ? [
        objectBelief(narrow, { frames: [frame] }),
        objectBelief(generous, { frames: [frame] }),
        objectBelief(generous, { frames: [frame], clarity: 1 }),
      ]
    : larger
      ? [
          objectBelief(narrow, { detected }),
          objectBelief(narrow, { frames: larger, clarity: 1 }),
          objectBelief(narrow, { frames: parts, clarity: 1 }),
        ]
      : [objectBelief(narrow), objectBelief(generous)]
  const links = contrastLinks(small, segmentDefaults.smooth)
  const cuts = beliefs.map((belief) => cutObject(small, belief, links))
  const edges = contrastLinks(small, 1)
  const [labels] = cuts
    .filter((cut) => share(cut, 0.5) > 0.002 && share(cut, 0.5) < 0.985)
    .sort((a, b) => worth(b, edges, detected) - worth(a, edges, detected))
  if (!labels) throw new EngineError('engine.no_subject')
  return { mask: labels, hair: [] }
}

/**
 * How good a cut is: its border follows real edges, it does not cover the picture's rim; of equals
 * the larger is the more complete.
 */
function worth(cut: Plane, links: readonly Float32Array[], detected: Box | undefined): number {
  const whole = detected ? covered(cut, detected) ** 0.3 : 1
  return borderStrength(cut, links) * share(cut, 0.5) ** 0.12 * (1 - rimShare(cut)) ** 3 * whole
}

/** How much of a box a cut covers, 0 to 1. */
function covered({ width, height, data }: Plane, box: Box): number {
  const place = clipBox(box, { width, height })
  if (!place) return 0
  let sum = 0
  for (let y = place.y; y < place.y + place.height; y++) {
    for (let x = place.x; x < place.x + place.width; x++) sum += data[y * width + x] as number
  }
  return sum / (place.width * place.height)
}

/** How much of the picture's rim a cut covers, 0 to 1. */
function rimShare({ width, height, data }: Plane): number {
  let covered = 0
  for (let x = 0; x < width; x++) covered += (data[x] as number) + (data[(height - 1) * width + x] as number)
  for (let y = 0; y < height; y++) covered += (data[y * width] as number) + (data[(y + 1) * width - 1] as number)
  return covered / (2 * (width + height))
}

/** What stands out from the border, and the value from which it counts as standing out. */
interface Clues {
  salient: Plane
  parting: number
}

/**
 * A first belief: outside all frames nothing, inside the more the clearer it stands out, by
 * `clarity`; around a thing's box little.
 */
function objectBelief(
  { salient, parting }: Clues,
  { detected, frames, clarity = 0.5 }: { detected?: Box | undefined; frames?: readonly Box[]; clarity?: number } = {},
): Plane {
  const { width, height } = salient
  const belief = createPlane(width, height)
  for (let i = 0; i < belief.data.length; i++) {
    const x = i % width
    const y = (i - x) / width
    let odds = 5 * ((salient.data[i] as number) - parting)
    if (detected) odds += 3 * nearness(detected, x, y) - 1.5
    if (frames) odds = frames.some((frame) => nearness(frame, x, y) === 1) ? clarity * odds + 1.5 - clarity : -8
    belief.data[i] = 1 / (1 + Math.exp(-odds))
  }
  return belief
}

/** Colours and edges decide in two rounds, the second learning from the first. */
function cutObject(small: Picture, belief: Plane, links: Links): Plane {
  const first = segment(small, belief, { ...segmentDefaults, belief: 0.8, sure: 0.8 }, links)
  const second = createPlane(small.width, small.height)
  for (let i = 0; i < second.data.length; i++) {
    const outside = (belief.data[i] as number) < 0.005
    second.data[i] = outside ? 0.004 : 0.6 * (first.data[i] as number) + 0.4 * (belief.data[i] as number)
  }
  return tidy(first, 0.02, 0.1)
}

/** 1 inside a box, falling to 0 at a quarter of its size away. */
function nearness(box: Box, x: number, y: number): number {
  const awayX = Math.max(box.x - x - 0.5, x + 0.5 - box.x - box.width, 0) / box.width
  const awayY = Math.max(box.y - y - 0.5, y + 0.5 - box.y - box.height, 0) / box.height
  return Math.max(0, 1 - 4 * Math.max(awayX, awayY))
}

/**
 * How much each pixel stands out from what touches the border, 0 to 1: minimum barrier distance by
 * raster scans (Zhang et al. 2015), summed over brightness and two colour differences and scaled so
 * that the most salient pixels reach 1. Meant for pictures ≤ 256 px. All zero when nothing stands
 * out, as in an even picture.
 */
export function barrierSaliency(picture: Picture, passes = 4): Plane {
  const { width, height, data } = picture
  const total = createPlane(width, height)
  for (let channel = 0; channel < 3; channel++) {
    const values = createPlane(width, height)
    for (let i = 0; i < values.data.length; i++) {
      const red = data[4 * i] as number
      const green = data[4 * i + 1] as number
      const blue = data[4 * i + 2] as number
      const light = luma(red, green, blue)
      values.data[i] = channel === 0 ? light : channel === 1 ? (red - light) * 1.4 : (blue - light) * 1.1
    }
    const smooth = boxBlur(values, 1)
    const distance = barrierDistance(smooth, passes)
    for (let i = 0; i < total.data.length; i++) total.data[i] = (total.data[i] as number) + (distance[i] as number)
  }
  const blurred = boxBlur(total, Math.max(1, Math.round(Math.max(width, height) / 100)))
  const top = quantile(blurred.data, 0.98)
  const gain = top > 24 ? 1 / top : 0
  for (let i = 0; i < blurred.data.length; i++) blurred.data[i] = Math.min(1, (blurred.data[i] as number) * gain)
  return blurred
}

function barrierDistance(values: Plane, passes: number): Float32Array {
  const { width, height, data } = values
  const distance = new Float32Array(width * height).fill(1e9)
  const high = data.slice()
  const low = data.slice()
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (x === 0 || y === 0 || x === width - 1 || y === height - 1) distance[y * width + x] = 0
    }
  }
  const relax = (i: number, from: number): void => {
    const value = data[i] as number
    const upper = Math.max(high[from] as number, value)
    const lower = Math.min(low[from] as number, value)
    if (upper - lower < (distance[i] as number)) {
      distance[i] = upper - lower
      high[i] = upper
      low[i] = lower
    }
  }
  for (let pass = 0; pass < passes; pass++) {
    if (pass % 2 === 0) {
      for (let y = 1; y < height; y++) {
        for (let x = 1; x < width; x++) {
          relax(y * width + x, y * width + x - 1)
          relax(y * width + x, (y - 1) * width + x)
        }
      }
    } else {
      for (let y = height - 2; y >= 0; y--) {
        for (let x = width - 2; x >= 0; x--) {
          relax(y * width + x, y * width + x + 1)
          relax(y * width + x, (y + 1) * width + x)
        }
      }
    }
  }
  return distance
}

/**
 * The value that parts a plane of values from 0 to 1 into the two groups that differ most (Otsu
 * 1979).
 */
function partingValue(plane: Plane): number {
  const bins = 64
  const counts = new Float64Array(bins)
  for (const value of plane.data) {
    const bin = Math.min(bins - 1, Math.floor(value * bins))
    counts[bin] = (counts[bin] as number) + 1
  }
  let all = 0
  for (let bin = 0; bin < bins; bin++) all += bin * (counts[bin] as number)
  let below = 0
  let sum = 0
  let best = 0
  let parting = 0.5
  for (let bin = 0; bin < bins - 1; bin++) {
    below += counts[bin] as number
    sum += bin * (counts[bin] as number)
    const above = plane.data.length - below
    if (below === 0 || above === 0) continue
    const gap = sum / below - (all - sum) / above
    const variance = below * above * gap * gap
    if (variance > best) {
      best = variance
      parting = (bin + 1) / bins
    }
  }
  return parting
}

const detectSide = 512

/** Everyday things in pixels of the picture. */
export async function findObjects(picture: Picture, host: EngineHost): Promise<DetectedObject[]> {
  const { width, height } = fitWithin(picture, detectSide)
  const objects = await host.objects(await host.resize(picture, width, height))
  return objects.map((detected) => ({
    ...detected,
    box: scaleBox(detected.box, picture.width / width, picture.height / height),
  }))
}

/** The thing that is surest, large and near the middle, and others of its kind. */
export function mainObjects(seen: DetectedObject[], { width, height }: Picture): DetectedObject[] {
  const whole = { x: 0, y: 0, width, height }
  const rank = ({ box, confidence }: DetectedObject): number => {
    const offX = (box.x + box.width / 2) / width - 0.5
    const offY = (box.y + box.height / 2) / height - 0.5
    return confidence * Math.sqrt(boxOverlap(box, whole)) * (1 - offX * offX - offY * offY)
  }
  const objects = seen.filter(
    ({ box, confidence }) => confidence > 0.2 && (confidence > 0.3 || boxOverlap(box, whole) < 0.7),
  )
  objects.sort((a, b) => rank(b) - rank(a))
  const [best] = objects
  if (!best || rank(best) <= 0.06) return []
  return objects.filter((detected) => detected.label === best.label && rank(detected) > 0.5 * rank(best))
}
