import type { EngineHost } from '#engine/host.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { mirrorPicture, mirrorPlane } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { toGreyscale } from '#engine/image/tones.ts'
import type { Box } from '#shared/media.ts'

/** Width and height of the person model's input and mask. */
export const modelSide = 256
/** Probabilities are limited to this value and its complement. */
const probabilityLimit = 0.995

/** The person model's answer for a part of a picture. */
export interface PersonView {
  box: Box
  /** Log odds of a person, stretched over the box. */
  odds: Plane
}

/** A transformation of the model's input, and the inverse for its mask. */
export interface InputVariant {
  transform(small: Picture): Picture
  restoreMask(mask: Plane): Plane
}

export const plainVariant: InputVariant = { transform: (small) => small, restoreMask: (mask) => mask }

function mirroredAs(recolour: (rgba: Uint8ClampedArray) => void): InputVariant {
  const transform = (small: Picture) => {
    const own = mirrorPicture(small)
    recolour(own.data)
    return own
  }
  return { transform, restoreMask: mirrorPlane }
}

export const mirroredVariant = mirroredAs(() => {})

export const paleMirroredVariant = mirroredAs((rgba) => {
  for (let i = 0; i < rgba.length; i += 4) {
    rgba[i] = 60 + 0.6 * (rgba[i] as number)
    rgba[i + 1] = 60 + 0.6 * (rgba[i + 1] as number)
    rgba[i + 2] = 60 + 0.6 * (rgba[i + 2] as number)
  }
})

export const greyMirroredVariant = mirroredAs(toGreyscale)

/** The picture, or a part of it, at the model's input size. */
export function modelInput(picture: Picture, host: EngineHost, part?: Box): Promise<Picture> {
  return host.resize(picture, modelSide, modelSide, part)
}

/** The model's mean log odds over versions of a part; `small` is from {@link modelInput}. */
export async function averageView(
  box: Box,
  small: Picture,
  versions: readonly InputVariant[],
  host: EngineHost,
): Promise<PersonView> {
  const odds = createPlane(modelSide, modelSide, 1)
  for (const { transform, restoreMask } of versions) {
    const mask = await host.personMask(transform(small))
    multiplyOdds(odds.data, resizeSmooth(restoreMask(mask), modelSide, modelSide).data)
  }
  takeLogarithms(odds.data, 1 / versions.length)
  return { box, odds }
}

function multiplyOdds(odds: Float32Array, mask: Float32Array): void {
  for (let i = 0; i < odds.length; i++) {
    const p = Math.min(Math.max(mask[i] as number, 1 - probabilityLimit), probabilityLimit)
    odds[i] = ((odds[i] as number) * p) / (1 - p)
  }
}

function takeLogarithms(values: Float32Array, factor: number): void {
  let known = 1
  let logarithm = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] as number
    // Clipped probabilities come in long runs of equal values, so this skips most logarithms.
    if (value !== known) {
      known = value
      logarithm = factor * Math.log(value)
    }
    values[i] = logarithm
  }
}

/** Share of the union of two views' person areas in which they disagree, 0 to 1. */
export const viewDisagreement = (a: PersonView, b: PersonView): number => maskDifference(a.odds, b.odds, 0)

/** Share of the union of the areas above a threshold in which two planes disagree, 0 to 1. */
export function maskDifference(a: Plane, b: Plane, threshold: number): number {
  let [either, differ] = [0, 0]
  for (let i = 0; i < a.data.length; i++) {
    const [inA, inB] = [(a.data[i] as number) > threshold, (b.data[i] as number) > threshold]
    if (inA || inB) either++
    if (inA !== inB) differ++
  }
  return differ / Math.max(1, either)
}
