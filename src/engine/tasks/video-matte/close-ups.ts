import type { EngineHost } from '#engine/host.ts'
import { boundsOf, clipBox, growBox } from '#engine/image/geometry.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { toGreyscale } from '#engine/image/tones.ts'
import { maskDifference, modelSide } from '#engine/tasks/subject-matte/person-views.ts'
import { type Frame, framePart } from '#engine/video/frame.ts'
import type { Box } from '#shared/media.ts'

/** Region in whole pixels that the model sees separately, and the mask's columns taken from it. */
export interface CloseUp {
  place: Box
  from: number
  /** Exclusive. */
  to: number
}

/** Share of the frame above which a close-up is not worthwhile. */
const maxShare = 0.62
const boxed = { threshold: 0.4, margin: 0.18 }
/** Subject share of a person's column; narrower gaps and people are ignored (shares of width). */
const groups = { filled: 0.02, gap: 0.02, width: 0.05, max: 3 }
/**
 * Touching people are split below `valley` of the smaller one's height, which is at least `lesser`
 * of the larger one's.
 */
const touching = { valley: 0.4, lesser: 0.35 }

/**
 * One for each person or group that stands apart, from left to right. Empty if a person fills most
 * of the frame.
 */
export function findCloseUps(mask: Plane, frame: Size): CloseUp[] {
  const people = personRanges(mask)
  const closeUps: CloseUp[] = []
  for (const [i, { from, to }] of people.entries()) {
    const [before, after] = [people[i - 1], people[i + 1]]
    const start = before ? Math.ceil((before.to + from) / 2) : 0
    const end = after ? Math.floor((to + after.from) / 2) : mask.width
    const bounds = boundsOf(cropPlane(mask, start, 0, end - start, mask.height), boxed.threshold)
    const place = bounds && regionAround({ ...bounds, x: bounds.x + start }, mask, frame)
    if (!place) return []
    closeUps.push({ place, from: start, to: end })
  }
  return closeUps
}

interface Range {
  from: number
  to: number
}

/** Column ranges of the people; a single range over the full width if there are too many. */
function personRanges({ width, height, data }: Plane): Range[] {
  const counts = new Uint16Array(width)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if ((data[i] as number) > boxed.threshold) counts[x] = (counts[x] as number) + 1
    }
  }
  const ranges: Range[] = []
  for (let x = 0; x < width; x++) {
    if ((counts[x] as number) < groups.filled * height) continue
    const last = ranges.at(-1)
    if (last && x - last.to <= groups.gap * width) last.to = x + 1
    else ranges.push({ from: x, to: x + 1 })
  }
  const people = ranges
    .filter(({ from, to }) => to - from >= groups.width * width)
    .flatMap((range) => splitTouching(range, counts, groups.width * width))
  // A range much lower than the tallest person is a held object rather than a person.
  const heights = people.map(({ from, to }) => Math.max(...counts.subarray(from, to)))
  const alike = Math.min(...heights) >= touching.lesser * Math.max(...heights)
  if (people.length > 0 && people.length <= groups.max && alike) return people
  return [{ from: 0, to: width }]
}

function splitTouching(range: Range, counts: Uint16Array, minWidth: number): Range[] {
  const { from, to } = range
  const right = new Uint16Array(counts.length + 1)
  for (let x = to - 1; x >= from; x--) right[x] = Math.max(right[x + 1] as number, counts[x] as number)
  const least = touching.lesser * (right[from] as number)
  let [left, cut, deepest] = [0, -1, touching.valley]
  for (let x = from; x < to; x++) {
    const count = counts[x] as number
    left = Math.max(left, count)
    const lesser = Math.min(left, right[x] as number)
    if (lesser < least || x - from < minWidth || to - x < minWidth || count >= deepest * lesser) continue
    deepest = count / lesser
    cut = x
  }
  if (cut < 0) return [range]
  let end = cut
  while (counts[end + 1] === counts[cut] && end + 1 < to - minWidth) end++
  cut = Math.round((cut + end) / 2)
  return [...splitTouching({ from, to: cut }, counts, minWidth), ...splitTouching({ from: cut, to }, counts, minWidth)]
}

function regionAround(bounds: Box, mask: Plane, frame: Size): Box | undefined {
  const scaleX = frame.width / mask.width
  const scaleY = frame.height / mask.height
  const box = {
    x: bounds.x * scaleX,
    y: bounds.y * scaleY,
    width: bounds.width * scaleX,
    height: bounds.height * scaleY,
  }
  const grown = growBox(box, boxed.margin * Math.max(box.width, box.height))
  // The model was trained on nearly square pictures.
  const side = 0.75 * Math.max(grown.width, grown.height)
  const [missingX, missingY] = [Math.max(0, side - grown.width), Math.max(0, side - grown.height)]
  const place = clipBox(
    {
      x: grown.x - missingX / 2,
      y: grown.y - missingY / 2,
      width: grown.width + missingX,
      height: grown.height + missingY,
    },
    frame,
  )
  if (!place) return undefined
  // A close-up always helps in a tall frame, which is squashed when viewed as a whole.
  const gains = isTall(frame) || place.width * place.height <= maxShare * frame.width * frame.height
  return gains ? place : undefined
}

/** Width by height above which the landscape model is used. */
const wideView = 1.4
/** Height by width of regions that need two windows, and the windows' height by width. */
const tallView = 1.4
const windowShape = 4 / 3
/** Share of a window's height over which it fades into the other one. */
const feather = 0.12
/** Weight of evidence for a person: the model misses more than it adds. */
const positiveWeight = 2
/** Share of the person: up to `low` both views count, above `high` only colour. */
const disagreement = { low: 0.25, high: 0.5 }

/** In steps of 1/255, clipped. */
const logOdds = Float32Array.from({ length: 256 }, (_, step) => {
  const p = Math.min(0.995, Math.max(0.005, step / 255))
  return Math.log(p / (1 - p))
})

interface Odds {
  sum: Plane
  weights: Plane
}

/**
 * Probability of a person in a region (whole pixels), stretched over a plane. Most regions are also
 * viewed in grey, as colours mislead the model; tall ones in two overlapping parts, as squashed
 * people lose clothes and held objects.
 */
export async function viewRegion(frame: Frame, place: Box, host: EngineHost): Promise<Plane> {
  if (place.width > wideView * place.height) {
    return host.personMask(framePart(frame, place, modelSide, 144), 'landscape')
  }
  const share = isTall(place) ? (windowShape * place.width) / place.height : 1
  const height = Math.round(share * place.height)
  const rows = Math.round(modelSide / share)
  const odds = { sum: createPlane(modelSide, rows), weights: createPlane(modelSide, rows) }
  if (share < 1) {
    const upper = framePart(frame, { ...place, height }, modelSide, modelSide)
    addView(odds, await host.personMask(upper, 'general'), 0, 1)
  }
  const y = place.y + place.height - height
  const lower = framePart(frame, { ...place, y, height }, modelSide, modelSide)
  const colour = await host.personMask(lower, 'general')
  toGreyscale(lower.data)
  const grey = await host.personMask(lower, 'general')
  addView(odds, colour, rows - modelSide, 1)
  addView(
    odds,
    grey,
    rows - modelSide,
    1 - ramp(disagreement.low, disagreement.high, maskDifference(colour, grey, 0.5)),
  )
  return probability(odds)
}

/** True if a single view would squash the people in a region. */
function isTall({ width, height }: Size): boolean {
  return height > tallView * width
}

function addView({ sum, weights }: Odds, { width, height, data }: Plane, top: number, weight: number): void {
  if (weight === 0) return
  const [cutAbove, cutBelow] = [top > 0, top + height < sum.height]
  for (let y = 0, i = 0, at = top * width; y < height; y++) {
    const above = cutAbove ? (y + 0.5) / (feather * height) : 1
    const below = cutBelow ? (height - y - 0.5) / (feather * height) : 1
    const inRow = weight * Math.min(1, above, below)
    for (let x = 0; x < width; x++, i++, at++) {
      const value = logOdds[(255 * (data[i] as number) + 0.5) | 0] as number
      const own = value > 0 ? positiveWeight * inRow : inRow
      sum.data[at] = (sum.data[at] as number) + own * value
      weights.data[at] = (weights.data[at] as number) + own
    }
  }
}

function probability({ sum, weights }: Odds): Plane {
  const { data } = sum
  for (let i = 0; i < data.length; i++) {
    data[i] = 1 / (1 + Math.exp(-(data[i] as number) / (weights.data[i] as number)))
  }
  return sum
}
