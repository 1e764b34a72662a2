import { clamp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { alphaPlane, channelPlane, flatten, isOpaque } from '#engine/image/pixels.ts'
import { feather, resizeSmooth, valueAt } from '#engine/image/plane.ts'
import { tonesOf } from '#engine/image/tones.ts'
import { type ColourFeatures, colourFeatures, colourShifter, shiftColours } from './colour-shift.ts'
import { smoothNoise, type WatermarkDraws } from './draws.ts'
import { writeLetters } from './letters.ts'
import { placeNoise, warpReach } from './places.ts'
import { resizeWork, type WorkArea } from './work-area.ts'

/** Radius in pixels of the blur inside the work, for a picture of 640 pixels. */
const workBlur = 1
/**
 * Of the edge of a cut-out, for a picture of 640 pixels: the radius of its blur in pixels, the
 * greatest distance from the middle at which it is cut anew, and its steepness there.
 */
const edge = { blur: 3.4, shared: 0.36, own: 0.08, steepness: 2.8 }

/**
 * Makes a preview of a result: its colours are shifted, places moved and details in the paid part
 * softened, by amounts that only the secret tells, and the product's name is written all over it.
 * `work` is all of it unless given.
 */
export function makeSample(picture: Picture, draws: WatermarkDraws, work?: WorkArea): Picture {
  const scale = Math.max(picture.width, picture.height) / 640
  const { sample, soft } = movePlaces(picture, scale, draws)
  blurWork(sample, soft, work)
  const features = featuresOf(sample)
  const shift = colourShifter(sample, draws)(features, work && resizeWork(work, features))
  if (!isOpaque(picture)) cutEdgesAnew(sample, { features, tilt: shift.y, scale }, draws)
  shiftColours(sample, shift)
  return writeLetters(sample, draws)
}

/** The picture with its places moved, and the same softened. */
function movePlaces(picture: Picture, scale: number, draws: WatermarkDraws): { sample: Picture; soft: Picture } {
  const { width, height, data } = picture
  const { right, down } = placeNoise(picture, draws)
  const reach = warpReach(picture)
  const alpha = alphaPlane(picture)
  const channels = [0, 1, 2].map((c) => {
    const plane = channelPlane(picture, c, 1)
    for (let i = 0; i < plane.data.length; i++) plane.data[i] = (plane.data[i] as number) * (alpha.data[i] as number)
    return plane
  })
  const moved = [...channels, alpha].map((plane) => {
    const out = createPlane(width, height)
    for (let y = 0, i = 0; y < height; y++) {
      for (let x = 0; x < width; x++, i++) {
        const fromX = clamp(x + reach * (right.data[i] as number), 0, width - 1)
        const fromY = clamp(y + reach * (down.data[i] as number), 0, height - 1)
        out.data[i] = valueAt(plane, fromX, fromY)
      }
    }
    return out
  })
  const softened = moved.map((plane) => feather(plane, Math.max(1, Math.round(workBlur * scale))))
  const filled = isOpaque(picture) ? softened : moved.map((plane) => feather(plane, 4 * scale))
  const compose = (planes: readonly Plane[]): Picture => {
    const out = new Uint8ClampedArray(data.length)
    const [share, wide] = [planes[3] as Plane, filled[3] as Plane]
    for (let i = 0, at = 0; at < out.length; i++, at += 4) {
      // Beside a cut-out's edge the subject's colours go on.
      const [from, weight] = (share.data[i] as number) > 0.3 ? [planes, share] : [filled, wide]
      const own = weight.data[i] as number
      if (own > 0) for (let c = 0; c < 3; c++) out[at + c] = (255 * ((from[c] as Plane).data[i] as number)) / own
      out[at + 3] = 255 * (share.data[i] as number)
    }
    return { width, height, data: out }
  }
  return { sample: compose(moved), soft: compose(softened) }
}

function blurWork({ data }: Picture, { data: soft }: Picture, work: WorkArea | undefined): void {
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const share = work ? (work.share.data[i] as number) : 1
    for (let c = 0; c < 3; c++) {
      data[at + c] = (data[at + c] as number) + share * ((soft[at + c] as number) - (data[at + c] as number))
    }
  }
}

function featuresOf(picture: Picture): ColourFeatures {
  const { luma, blue, red } = tonesOf(flatten(picture, 128, 128, 128))
  return colourFeatures([luma, blue, red], picture)
}

interface Edges {
  features: ColourFeatures
  /** As large as the features; its sign and size say to which side an edge moves. */
  tilt: Float32Array
  scale: number
}

/**
 * Cuts a cut-out anew: fine hair goes, and each part of the edge moves by up to a few pixels to a
 * side that follows the colours there.
 */
function cutEdgesAnew(sample: Picture, { features, tilt, scale }: Edges, draws: WatermarkDraws): void {
  const { width, height, data } = sample
  const blurred = feather(alphaPlane(sample), edge.blur * scale)
  const greatest = Math.max(1e-6, ...tilt.map(Math.abs))
  const shared = resizeSmooth({ ...features, data: tilt.map((value) => value / greatest) }, width, height)
  const own = smoothNoise(sample, 0.06 * Math.max(width, height), draws.own('edges'))
  for (let i = 0, at = 3; at < data.length; i++, at += 4) {
    const side = edge.shared * Math.sign(shared.data[i] as number) * Math.abs(shared.data[i] as number) ** 0.5
    const middle = 0.5 + side + edge.own * (own.data[i] as number)
    const value = blurred.data[i] as number
    data[at] = value <= 0 ? 0 : 255 * (0.5 + edge.steepness * (value - clamp(middle, 0.1, 0.9)))
  }
}
