import type { Box } from '#contract/media.ts'
import type { EngineHost } from '#engine/host.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { mirrorPicture, mirrorPlane } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { drainColour } from '#engine/image/tones.ts'

/** Width and height of what the person model looks at, and of its masks. */
export const modelSide = 256
/** A probability beyond these says no more than they do. */
const surest = 0.995

/** What the person model sees in a part of a picture. */
export interface View {
  box: Box
  /** Log odds of a person, stretched over the box. */
  odds: Plane
}

/**
 * Another version of the same picture that the model is asked about, and the way back for its mask.
 */
export interface Version {
  show(small: Picture): Picture
  turnBack(mask: Plane): Plane
}

/** The picture as it is. */
export const plain: Version = { show: (small) => small, turnBack: (mask) => mask }

/** A version with left and right exchanged, its colours changed in place. */
function mirroredAs(recolour: (rgba: Uint8ClampedArray) => void): Version {
  const show = (small: Picture) => {
    const own = mirrorPicture(small)
    recolour(own.data)
    return own
  }
  return { show, turnBack: mirrorPlane }
}

/** Left and right exchanged. */
export const mirrored = mirroredAs(() => {})

/** Less contrast than the picture has, and brighter, left and right exchanged. */
export const paleMirrored = mirroredAs((rgba) => {
  for (let i = 0; i < rgba.length; i += 4) {
    rgba[i] = 60 + 0.6 * (rgba[i] as number)
    rgba[i + 1] = 60 + 0.6 * (rgba[i + 1] as number)
    rgba[i + 2] = 60 + 0.6 * (rgba[i + 2] as number)
  }
})

/** Without colours, left and right exchanged. */
export const greyMirrored = mirroredAs(drainColour)

/** The picture, or a part of it, at the size the model wants. */
export function modelInput(picture: Picture, host: EngineHost, part?: Box): Promise<Picture> {
  return host.resize(picture, modelSide, modelSide, part)
}

/**
 * What the model sees on average in some versions of a part of the picture; `small` is from
 * {@link modelInput}.
 */
export async function averageView(
  box: Box,
  small: Picture,
  versions: readonly Version[],
  host: EngineHost,
): Promise<View> {
  const odds = createPlane(modelSide, modelSide, 1)
  for (const { show, turnBack } of versions) {
    const mask = await host.personMask(show(small))
    multiplyOdds(odds.data, resizeSmooth(turnBack(mask), modelSide, modelSide).data)
  }
  takeLogarithms(odds.data, 1 / versions.length)
  return { box, odds }
}

function multiplyOdds(odds: Float32Array, mask: Float32Array): void {
  for (let i = 0; i < odds.length; i++) {
    const p = Math.min(Math.max(mask[i] as number, 1 - surest), surest)
    odds[i] = ((odds[i] as number) * p) / (1 - p)
  }
}

function takeLogarithms(values: Float32Array, factor: number): void {
  let known = 1
  let logarithm = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    // Where the model is surest, all neighbours are alike.
    if (value !== known) {
      known = value
      logarithm = factor * Math.log(value)
    }
    values[i] = logarithm
  }
}

/**
 * Share of the area that either of two views of the same box takes for a person in which the other
 * does not, 0 to 1.
 */
export const disagreement = (a: View, b: View): number => differing(a.odds, b.odds, 0)

/** Share of what lies above a threshold in either plane in which the other lies below, 0 to 1. */
export function differing(a: Plane, b: Plane, threshold: number): number {
  let [either, differ] = [0, 0]
  for (let i = 0; i < a.data.length; i++) {
    const [inA, inB] = [(a.data[i] as number) > threshold, (b.data[i] as number) > threshold]
    if (inA || inB) either++
    if (inA !== inB) differ++
  }
  return differ / Math.max(1, either)
}
