import type { Box } from '#contract/media.ts'
import type { EngineHost } from '#engine/host.ts'
import { boundsOf, clipBox, growBox } from '#engine/image/geometry.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { drainColour } from '#engine/image/tones.ts'
import { differing, modelSide } from '#engine/tasks/subject-matte/person-views.ts'
import { type Frame, framePart } from '#engine/video/frame.ts'

/**
 * A place in a frame (whole pixels) that is shown to the model by itself, and the columns of the
 * mask that are taken from its view.
 */
export interface CloseUp {
  place: Box
  from: number
  /** The first column that is no longer taken. */
  to: number
}

/** Above this share of the frame, looking closer gains nothing. */
const largestPlace = 0.62
/** What counts as subject, and how much around it is looked at, as a share of its longer side. */
const boxed = { threshold: 0.4, margin: 0.18 }
/**
 * A column with so much subject, as a share of the height, is somebody's; gaps and people narrower
 * than these shares of the width are none.
 */
const groups = { filled: 0.02, gap: 0.02, width: 0.05, max: 3 }
/**
 * Two people who touch are parted by a column with less than this of what the lesser of them has;
 * they differ no more than by this factor.
 */
const touching = { valley: 0.4, lesser: 0.35 }

/**
 * Where to look closely for the people that a mask shows: one place for those who stand apart from
 * others, as seen from left to right. None where somebody fills most of the frame.
 */
export function closeUpsOf(mask: Plane, frame: Size): CloseUp[] {
  const people = standingApart(mask)
  const closeUps: CloseUp[] = []
  for (const [i, { from, to }] of people.entries()) {
    const [before, after] = [people[i - 1], people[i + 1]]
    const start = before ? Math.ceil((before.to + from) / 2) : 0
    const end = after ? Math.floor((to + after.from) / 2) : mask.width
    const bounds = boundsOf(cropPlane(mask, start, 0, end - start, mask.height), boxed.threshold)
    const place = bounds && placeAround({ ...bounds, x: bounds.x + start }, mask, frame)
    if (!place) return []
    closeUps.push({ place, from: start, to: end })
  }
  return closeUps
}

interface Run {
  from: number
  to: number
}

/**
 * Runs of columns with somebody in them; one from the first to the last where there are too many.
 */
function standingApart({ width, height, data }: Plane): Run[] {
  const counts = new Uint16Array(width)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      if ((data[i] as number) > boxed.threshold) counts[x] = (counts[x] as number) + 1
    }
  }
  const runs: Run[] = []
  for (let x = 0; x < width; x++) {
    if ((counts[x] as number) < groups.filled * height) continue
    const last = runs.at(-1)
    if (last && x - last.to <= groups.gap * width) last.to = x + 1
    else runs.push({ from: x, to: x + 1 })
  }
  const people = runs
    .filter(({ from, to }) => to - from >= groups.width * width)
    .flatMap((run) => parted(run, counts, groups.width * width))
  // What is much lower than the tallest is held by somebody rather than another person.
  const heights = people.map(({ from, to }) => Math.max(...counts.subarray(from, to)))
  const alike = Math.min(...heights) >= touching.lesser * Math.max(...heights)
  if (people.length > 0 && people.length <= groups.max && alike) return people
  return [{ from: 0, to: width }]
}

/** A run in which several people touch, cut where each of them is narrow. */
function parted(run: Run, counts: Uint16Array, minWidth: number): Run[] {
  const { from, to } = run
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
  if (cut < 0) return [run]
  let end = cut
  while (counts[end + 1] === counts[cut] && end + 1 < to - minWidth) end++
  cut = Math.round((cut + end) / 2)
  return [...parted({ from, to: cut }, counts, minWidth), ...parted({ from: cut, to }, counts, minWidth)]
}

/** What is looked at around a box of the mask; undefined when that is most of the frame. */
function placeAround(bounds: Box, mask: Plane, frame: Size): Box | undefined {
  const scaleX = frame.width / mask.width
  const scaleY = frame.height / mask.height
  const box = {
    ...{ x: bounds.x * scaleX, y: bounds.y * scaleY },
    ...{ width: bounds.width * scaleX, height: bounds.height * scaleY },
  }
  const grown = growBox(box, boxed.margin * Math.max(box.width, box.height))
  // The model was made for shapes near a square.
  const side = 0.75 * Math.max(grown.width, grown.height)
  const [missingX, missingY] = [Math.max(0, side - grown.width), Math.max(0, side - grown.height)]
  const place = clipBox(
    {
      ...{ x: grown.x - missingX / 2, y: grown.y - missingY / 2 },
      ...{ width: grown.width + missingX, height: grown.height + missingY },
    },
    frame,
  )
  if (!place) return undefined
  // Seen as a whole, a tall frame is squashed.
  const gains = isTall(frame) || place.width * place.height <= largestPlace * frame.width * frame.height
  return gains ? place : undefined
}

/** Places that are wider than this are shown to the model for landscapes. */
const wideView = 1.4
/**
 * Places that are taller than this are shown in two windows of the second shape, as height by
 * width.
 */
const tallView = 1.4
const windowShape = 4 / 3
/**
 * Share of a window's height over which it gives way to the other one, where it ends inside the
 * place.
 */
const feather = 0.12
/** How much a view counts where it is for a person: the model overlooks more than it makes up. */
const positiveWeight = 2
/**
 * Share of the person in which the views with and without colours may differ: up to the first both
 * count, beyond the second colours alone.
 */
const disagreement = { low: 0.25, high: 0.5 }

/** Log odds of probabilities in steps of 1/255, none of them certain. */
const logOdds = Float32Array.from({ length: 256 }, (_, step) => {
  const p = Math.min(0.995, Math.max(0.005, step / 255))
  return Math.log(p / (1 - p))
})

/** Sums of the log odds of several views, and of their weights. */
interface Odds {
  sum: Plane
  weights: Plane
}

/**
 * Probability of a person in a place of a frame (whole pixels within it), stretched over a plane
 * that need not have the place's shape. Colours often mislead the model, so most places are shown
 * without them too. Squashed into one view, people in a tall place lose what they wear or hold: the
 * model is shown its upper and its lower part, which overlap.
 */
export async function lookAt(frame: Frame, place: Box, host: EngineHost): Promise<Plane> {
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
  drainColour(lower.data)
  const grey = await host.personMask(lower, 'general')
  addView(odds, colour, rows - modelSide, 1)
  addView(odds, grey, rows - modelSide, 1 - ramp(disagreement.low, disagreement.high, differing(colour, grey, 0.5)))
  return probability(odds)
}

/** Whether one view of a place would squash the people in it. */
function isTall({ width, height }: Size): boolean {
  return height > tallView * width
}

/** Adds a view, of which the first row is `top`. */
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
