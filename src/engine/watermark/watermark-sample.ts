import { clamp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { alphaPlane, flatten, isOpaque } from '#engine/image/pixels.ts'
import { boxBlur, feather, resizePlane, smoothRows, valueAt } from '#engine/image/plane.ts'
import { tonesOf } from '#engine/image/tones.ts'
import {
  type ColourFeatures,
  colourFeatures,
  colourShifter,
  displacementNoise,
  displacementReach,
  resizeWork,
  secretAngles,
  shiftColours,
  type WorkArea,
} from './colour-shift.ts'
import { writeLetters } from './watermark-letters.ts'
import type { WatermarkRandomness } from './watermark-randomness.ts'

/** Radius in pixels inside the work, for a picture of 640 pixels. */
const workBlur = 1
/**
 * Movement and smoothness of its directions as shares of the longer side, and the directions'
 * deviations in radians.
 */
const edge = { reach: 0.0105, smoothness: 0.02, turns: { shared: 2.4, own: 0.25 } }

/**
 * Shifts colours and displaces pixels secretly, softens details in the paid part (all without
 * `work`), and writes the product's name all over.
 */
export function makeSample(picture: Picture, draws: WatermarkRandomness, work?: WorkArea): Picture {
  const scale = Math.max(picture.width, picture.height) / 640
  const planes = displacePixels(picture, draws)
  blurWork(planes, Math.max(1, Math.round(workBlur * scale)), work)
  const sample = compose(planes)
  const features = featuresOf(sample)
  const shift = colourShifter(sample, draws)(features, work && resizeWork(work, features))
  if (planes.length > 3) moveEdges(sample, features, draws)
  shiftColours(sample, shift)
  return writeLetters(sample, draws)
}

/** Red, green and blue, 0 to 255, weighted by alpha, 0 to 1, the fourth plane of a cut-out. */
function displacePixels(picture: Picture, draws: WatermarkRandomness): Plane[] {
  const { width, height, data } = picture
  const channels = isOpaque(picture) ? 3 : 4
  const planes = Array.from({ length: channels }, () => createPlane(width, height))
  const [red, green, blue] = planes.map((plane) => plane.data) as [Float32Array, Float32Array, Float32Array]
  const alphas = planes[3]?.data
  const places = displacementNoise(picture, draws)
  const [right, down] = [places.right.data, places.down.data]
  const reach = displacementReach(picture)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const fromX = clamp(x + reach * (right[i] as number), 0, width - 1.001)
      const fromY = clamp(y + reach * (down[i] as number), 0, height - 1.001)
      const left = fromX | 0
      const top = fromY | 0
      const across = fromX - left
      const along = fromY - top
      for (let corner = 0; corner < 4; corner++) {
        const at = 4 * ((top + (corner >> 1)) * width + left + (corner & 1))
        let weight = (corner & 1 ? across : 1 - across) * (corner & 2 ? along : 1 - along)
        if (alphas) {
          weight *= (data[at + 3] as number) / 255
          alphas[i] = (alphas[i] as number) + weight
        }
        red[i] = (red[i] as number) + weight * (data[at] as number)
        green[i] = (green[i] as number) + weight * (data[at + 1] as number)
        blue[i] = (blue[i] as number) + weight * (data[at + 2] as number)
      }
    }
  }
  return planes
}

function blurWork(planes: readonly Plane[], radius: number, work: WorkArea | undefined): void {
  for (const plane of planes) {
    const { width, height, data } = plane
    const soft = boxBlur(boxBlur(plane, radius), radius).data
    const rowOf = work && smoothRows(work.share, width, height)
    for (let y = 0, i = 0; y < height; y++) {
      const shares = rowOf?.(y)
      for (let x = 0; x < width; x++, i++) {
        const share = shares ? (shares[x] as number) : 1
        data[i] = (data[i] as number) + share * ((soft[i] as number) - (data[i] as number))
      }
    }
  }
}

/** Pixels of the picture for each pixel of the colours beside an edge. */
const fillStep = 4

function compose(planes: readonly Plane[]): Picture {
  const [red, green, blue, alpha] = planes as [Plane, Plane, Plane, Plane?]
  const { width, height } = red
  const data = new Uint8ClampedArray(4 * width * height)
  const size = { width: Math.ceil(width / fillStep), height: Math.ceil(height / fillStep) }
  const rows = alpha && planes.map((plane) => smoothRows(boxBlur(resizePlane(plane, size), 1), width, height))
  for (let y = 0, i = 0, at = 0; y < height; y++) {
    const [reds, greens, blues, weights] = rows?.map((rowOf) => rowOf(y)) ?? []
    for (let x = 0; x < width; x++, i++, at += 4) {
      const share = alpha ? (alpha.data[i] as number) : 1
      data[at + 3] = 255 * share
      if (share > 0.3 || !reds || !greens || !blues || !weights) {
        data[at] = (red.data[i] as number) / share
        data[at + 1] = (green.data[i] as number) / share
        data[at + 2] = (blue.data[i] as number) / share
      } else if ((weights[x] as number) > 0) {
        const weight = weights[x] as number
        data[at] = (reds[x] as number) / weight
        data[at + 1] = (greens[x] as number) / weight
        data[at + 2] = (blues[x] as number) / weight
      }
    }
  }
  return { width, height, data }
}

function featuresOf(picture: Picture): ColourFeatures {
  const { luma, blue, red } = tonesOf(flatten(picture, 128, 128, 128))
  return colourFeatures([luma, blue, red], picture)
}

/**
 * Moves the edge of a cut-out by up to a few pixels, in directions that follow the colours. Thin
 * parts move as a whole, so that none of them breaks.
 */
function moveEdges(sample: Picture, features: ColourFeatures, draws: WatermarkRandomness): void {
  const { width, height, data } = sample
  const alpha = alphaPlane(sample)
  const side = Math.max(features.width, features.height)
  // Other draws than the shift's, which the sample's colours reveal to a user who has the input.
  const angles = secretAngles(features, edge.turns, draws.shared('edges'), draws.own('edges'))(features)
  const rows = [Math.cos, Math.sin].map((part) => {
    const plane = feather({ ...features, data: angles.map(part) }, edge.smoothness * side)
    return smoothRows(plane, width, height)
  })
  const reach = edge.reach * Math.max(width, height)
  for (let y = 0, at = 3; y < height; y++) {
    const [right, down] = rows.map((rowOf) => rowOf(y)) as [Float32Array, Float32Array]
    for (let x = 0; x < width; x++, at += 4) {
      const [across, along] = [right[x] as number, down[x] as number]
      // Few parts of an edge stay unmoved, for any key.
      const share = reach / Math.max(0.3, Math.hypot(across, along))
      data[at] = 255 * valueAt(alpha, x + share * across, y + share * along)
    }
  }
}
