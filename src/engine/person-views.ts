import type { Box } from '#contract/media.ts'
import { inArena } from './arena.ts'
import type { EngineHost } from './host.ts'
import type { Picture, Plane } from './picture.ts'
import { mirrorPicture, mirrorPlane } from './pixels.ts'
import { createPlane, resizeSmooth } from './plane.ts'

const modelSide = 256
/** A probability beyond these says no more than they do. */
const surest = 0.995

/** What the person model sees in a part of a picture. */
export interface View {
  box: Box
  /** Log odds of a person, stretched over the box. */
  odds: Plane
}

/** Another version of the same picture that the model is asked about, and the way back for its mask. */
export interface Version {
  show(small: Picture): Picture
  turnBack(mask: Plane): Plane
}

/** The picture as it is. */
export const plain: Version = { show: (small) => small, turnBack: (mask) => mask }

/** Less contrast than the picture has, and brighter. */
export const pale: Version = {
  show({ width, height, data }) {
    const out = new Uint8ClampedArray(data.length)
    for (let i = 0; i < data.length; i += 4) {
      out[i] = 60 + 0.6 * (data[i] as number)
      out[i + 1] = 60 + 0.6 * (data[i + 1] as number)
      out[i + 2] = 60 + 0.6 * (data[i + 2] as number)
      out[i + 3] = 255
    }
    return { width, height, data: out }
  },
  turnBack: (mask) => mask,
}

/** A version with left and right exchanged. */
export function mirrored({ show }: Version): Version {
  return { show: (small) => mirrorPicture(show(small)), turnBack: mirrorPlane }
}

/** Without colours, left and right exchanged. */
export const greyMirrored: Version = mirrored({
  show({ width, height, data }) {
    const out = new Uint8ClampedArray(data.length)
    for (let i = 0; i < data.length; i += 4) {
      const luma = 0.299 * (data[i] as number) + 0.587 * (data[i + 1] as number) + 0.114 * (data[i + 2] as number)
      out[i] = luma
      out[i + 1] = luma
      out[i + 2] = luma
      out[i + 3] = 255
    }
    return { width, height, data: out }
  },
  turnBack: (mask) => mask,
})

/** A part of the picture at the size the model wants. */
export function modelInput(picture: Picture, box: Box, host: EngineHost): Promise<Picture> {
  const whole = box.width === picture.width && box.height === picture.height
  return host.resize(picture, modelSide, modelSide, whole ? undefined : box)
}

/** What the model sees in one version of a part of the picture; `small` is from {@link modelInput}. */
export async function viewOf(box: Box, small: Picture, version: Version, host: EngineHost): Promise<View> {
  return averageView(box, small, [version], host)
}

/** What it sees on average in several versions. */
export async function averageView(
  box: Box,
  small: Picture,
  versions: readonly Version[],
  host: EngineHost,
): Promise<View> {
  const odds = createPlane(modelSide, modelSide, 1)
  for (const { show, turnBack } of versions) {
    const mask = await host.personMask(show(small))
    inArena(() => multiplyOdds(odds.data, resizeSmooth(turnBack(mask), modelSide, modelSide).data))
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
  for (let i = 0; i < values.length; i++) values[i] = factor * Math.log(values[i] as number)
}

/** Share of the area that either of two views of the same box takes for a person in which the other does not, 0 to 1. */
export function disagreement(a: View, b: View): number {
  let either = 0
  let differ = 0
  for (let i = 0; i < a.odds.data.length; i++) {
    const first = (a.odds.data[i] as number) > 0
    const second = (b.odds.data[i] as number) > 0
    if (first || second) either++
    if (first !== second) differ++
  }
  return either > 0 ? differ / either : 0
}
