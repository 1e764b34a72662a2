import type { EngineHost } from '#engine/host.ts'
import { boxOverlap, wholeOf } from '#engine/image/geometry.ts'
import { smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, feather, resizePlane, resizeSmooth, shareAbove, shrink, valueAt } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { findObject, findObjects, mainObjects } from '#engine/tasks/subject-matte/find-object.ts'
import { segment, segmentDefaults } from '#engine/tasks/subject-matte/segment.ts'
import { type Frame, framePart, type Mask, maskSize, reducedYuv, type VideoSubject } from '#engine/video/frame.ts'
import { type CloseUp, findCloseUps, viewRegion } from './close-ups.ts'
import {
  type Brightness,
  brightnessOf,
  colourHistogram,
  findMotion,
  followMotion,
  isSceneCut,
  pixelSimilarity,
} from './motion.ts'

/** Number of frames after which the whole frame is viewed again while close-ups follow people. */
const wholeEvery = 12
/** Weight of the previous mask for pixels found again, and their largest difference. */
const memory = { weight: 0.72, tolerance: 22 }
/** Model probabilities between these become alpha between 0 and 1. */
const uncertain = { low: 0.18, high: 0.82 }

/** Frames must be passed in order. */
export interface VideoMatting {
  next(frame: Frame): Promise<Mask>
}

interface Past {
  small: Picture
  brightness: Brightness
  histogram: Float32Array
  mask: Plane
}

/**
 * For people the model views the previous frame's close-ups, and the whole at intervals; its mask
 * is blended with the previous one, moved along, so that it neither flickers nor lags. Objects are
 * tracked from each scene's start. Nothing is carried over a scene cut.
 */
export function createVideoMatting(host: EngineHost, subject: VideoSubject): VideoMatting {
  let past: Past | undefined
  let closeUps: CloseUp[] = []
  let sinceWhole = 0

  async function findPeople(frame: Frame, moved: Plane | undefined, size: Size): Promise<Plane> {
    const whole = wholeOf(frame)
    const mask = moved ?? createPlane(size.width, size.height)
    if (closeUps.length === 0 || !moved || sinceWhole >= wholeEvery) {
      paste(await viewRegion(frame, whole, host), { place: whole, from: 0, to: mask.width }, frame, mask)
      sinceWhole = 0
      if (!moved) closeUps = findCloseUps(mask, frame)
    }
    sinceWhole++
    for (const closeUp of closeUps) paste(await viewRegion(frame, closeUp.place, host), closeUp, frame, mask)
    return mask
  }

  async function findOrFollow(frame: Frame, small: Picture, moved: Plane | undefined): Promise<Plane> {
    if (moved) return trackObject(small, moved)
    const found = await findTrackedObject(frame, small, host)
    if (typeof found !== 'string') return found.mask
    // A subject that fills the scene stays opaque in all of it.
    return createPlane(small.width, small.height, found === 'too_close' ? 1 : 0)
  }

  return {
    async next(frame) {
      const size = maskSize(frame)
      const { width, height } = size
      const small = reducedYuv(frame, width, height)
      const brightness = brightnessOf(small, 2)
      const histogram = colourHistogram(small)
      const motion = past && findMotion(past.brightness, brightness)
      if (past && motion && isSceneCut(past.histogram, histogram, motion)) {
        past = undefined
        closeUps = []
      }
      const carried = past && motion && { ...past, source: followMotion(motion, 2, width, height) }

      const moved = carried && moveMask(carried)
      const mask = subject === 'person' ? await findPeople(frame, moved, size) : await findOrFollow(frame, small, moved)
      if (carried) blendWithPrevious(mask, small, carried)

      past = { small, brightness, histogram, mask }
      closeUps = findCloseUps(mask, frame)
      return toMask(mask)
    },
  }
}

function moveMask({ mask, source }: Past & { source: Int32Array }): Plane {
  const out = createPlane(mask.width, mask.height)
  for (let i = 0; i < out.data.length; i++) out.data[i] = mask.data[source[i] as number] as number
  return out
}

function paste(view: Plane, { place: box, from, to }: CloseUp, frame: Frame, mask: Plane): void {
  const scaleX = mask.width / frame.width
  const scaleY = mask.height / frame.height
  const left = Math.max(from, Math.ceil(box.x * scaleX - 0.5))
  const right = Math.min(to - 1, Math.floor((box.x + box.width) * scaleX - 0.5))
  const top = Math.max(0, Math.ceil(box.y * scaleY - 0.5))
  const bottom = Math.min(mask.height - 1, Math.floor((box.y + box.height) * scaleY - 0.5))
  const fade = 4
  for (let y = top; y <= bottom; y++) {
    const v = ((y + 0.5) / scaleY - box.y) * (view.height / box.height) - 0.5
    const fromTop = top === 0 ? fade : y - top
    const fromBottom = bottom === mask.height - 1 ? fade : bottom - y
    for (let x = left; x <= right; x++) {
      const u = ((x + 0.5) / scaleX - box.x) * (view.width / box.width) - 0.5
      const fromLeft = left === 0 ? fade : x - left
      const fromRight = right === mask.width - 1 ? fade : right - x
      const weight = Math.min(1, (Math.min(fromTop, fromBottom, fromLeft, fromRight) + 1) / fade)
      const i = y * mask.width + x
      mask.data[i] = (1 - weight) * (mask.data[i] as number) + weight * valueAt(view, u, v)
    }
  }
}

function blendWithPrevious(
  mask: Plane,
  { data: now }: Picture,
  { mask: before, small, source }: Past & { source: Int32Array },
): void {
  const { width } = mask
  // Single pixels are not reliable, so neighbours are compared too.
  const around = [-2, 2, -2 * width, 2 * width, -width - 1, width + 1]
  for (let i = 0; i < mask.data.length; i++) {
    const value = mask.data[i] as number
    const kept = before.data[source[i] as number] as number
    if (Math.abs(kept - value) < 0.01) continue
    const own = pixelSimilarity(now, i, small.data, source[i] as number, memory.tolerance)
    if (own === 0) continue
    let sum = 0
    for (const step of around) {
      const from = source[i + step]
      if (from !== undefined) sum += pixelSimilarity(now, i + step, small.data, from, memory.tolerance)
    }
    mask.data[i] = value + memory.weight * Math.min(own, sum / around.length) * (kept - value)
  }
}

function toMask({ width, height, data: probabilities }: Plane): Mask {
  const data = new Uint8Array(probabilities.length)
  for (let i = 0; i < data.length; i++) {
    data[i] = 255 * smoothstep(uncertain.low, uncertain.high, probabilities[i] as number) + 0.5
  }
  return { width, height, data }
}

const searchSide = 512
/** Too close: the box fills this share of the frame, and less of the box is found. */
const tooClose = { box: 0.8, covered: 0.4 }
/** Movement of a border beyond the detected motion, in pixels of half a mask. */
const band = 2
const following = { ...segmentDefaults, belief: 1, limit: 4, sure: 0.97 }

interface TrackedObject {
  /** 0 to 1. */
  mask: Plane
  /** Another object may be meant. */
  unsure: boolean
}

/**
 * The mask has the given size; `nothing` if no object stands out, `too_close` if it fills the frame
 * and cannot be separated.
 */
export async function findTrackedObject(
  frame: Frame,
  { width, height }: Size,
  host: EngineHost,
): Promise<TrackedObject | 'nothing' | 'too_close'> {
  const size = fitWithin(frame, searchSide)
  const picture = framePart(frame, wholeOf(frame), size.width, size.height)
  const objects = await findObjects(picture, host)
  const [main] = mainObjects(objects, picture)
  const found = await findObject(picture, undefined, async () => objects, host)
  if (!found) return 'nothing'
  const { mask, guess } = found
  const seen = main ? boxOverlap(main.box, wholeOf(picture)) : 0
  if (seen > tooClose.box && shareAbove(mask, 0.5) < tooClose.covered * seen) return 'too_close'
  return { mask: resizePlane(mask, { width, height }), unsure: guess !== undefined }
}

/** Tracks to the next (reduced) frame; the moved border is segmented again by colours and edges. */
function trackObject(small: Picture, carried: Plane): Plane {
  const { width, height } = carried
  const [columns, rows] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  const belief = feather(shrink(carried, columns, rows), band)
  const cut = segment(resamplePart(small, wholeOf(small), columns, rows), belief, following)
  return resizeSmooth(boxBlur(cut, 1), width, height)
}
