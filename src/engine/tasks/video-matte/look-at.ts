import type { Box } from '#contract/media.ts'
import type { EngineHost } from '#engine/host.ts'
import { drainColour } from '#engine/image/luma.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { type Frame, framePart } from '#engine/video/frame.ts'

/** Places that are wider than this are shown to the model for landscapes. */
const wideView = 1.4
/**
 * Places that are taller than this are shown in two windows of the second shape, as height by
 * width.
 */
const tallView = 1.4
const windowShape = 4 / 3
const modelSide = 256
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
  addView(odds, grey, rows - modelSide, agreement(colour, grey))
  return probability(odds)
}

/** Whether one view of a place would squash the people in it. */
export function isTall({ width, height }: { width: number; height: number }): boolean {
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

/** How well two views agree about where somebody is, 0 to 1. */
function agreement(a: Plane, b: Plane): number {
  let [either, differ] = [0, 0]
  for (let i = 0; i < a.data.length; i++) {
    const [inA, inB] = [(a.data[i] as number) > 0.5, (b.data[i] as number) > 0.5]
    if (inA || inB) either++
    if (inA !== inB) differ++
  }
  const { low, high } = disagreement
  return Math.min(1, Math.max(0, (high - differ / Math.max(1, either)) / (high - low)))
}
