import type { Box } from '#contract/media.ts'
import type { EngineHost } from './host.ts'
import type { Picture, Plane } from './picture.ts'
import { cropPicture, mirrorPicture, mirrorPlane } from './pixels.ts'
import { createPlane, resizeSmooth } from './plane.ts'

const modelSide = 256

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
  show: (small) =>
    recoloured(small, (from, to, i) => {
      for (let c = i; c < i + 3; c++) to[c] = 60 + 0.6 * (from[c] as number)
    }),
  turnBack: (mask) => mask,
}

/** A version with left and right exchanged. */
export function mirrored({ show }: Version): Version {
  return { show: (small) => mirrorPicture(show(small)), turnBack: mirrorPlane }
}

/** Without colours, left and right exchanged. */
export const greyMirrored: Version = mirrored({
  show: (small) =>
    recoloured(small, (from, to, i) => {
      const luma = 0.299 * (from[i] as number) + 0.587 * (from[i + 1] as number) + 0.114 * (from[i + 2] as number)
      to[i] = luma
      to[i + 1] = luma
      to[i + 2] = luma
    }),
  turnBack: (mask) => mask,
})

/** The picture with colours set a pixel at a time, each at index `i`; opaque. */
function recoloured(
  { width, height, data }: Picture,
  setColour: (from: Uint8ClampedArray, to: Uint8ClampedArray, i: number) => void,
): Picture {
  const out = new Uint8ClampedArray(data.length).fill(255)
  for (let i = 0; i < data.length; i += 4) setColour(data, out, i)
  return { width, height, data: out }
}

/** A part of the picture at the size the model wants. */
export function modelInput(picture: Picture, box: Box, host: EngineHost): Promise<Picture> {
  const whole = box.width === picture.width && box.height === picture.height
  return host.resize(whole ? picture : cropPicture(picture, box), modelSide, modelSide)
}

/** What the model sees in one version of a part of the picture; `small` is from {@link modelInput}. */
export async function viewOf(box: Box, small: Picture, { show, turnBack }: Version, host: EngineHost): Promise<View> {
  const mask = resizeSmooth(turnBack(await host.personMask(show(small))), modelSide, modelSide)
  const odds = createPlane(modelSide, modelSide)
  for (let i = 0; i < odds.data.length; i++) odds.data[i] = logOdds(mask.data[i] as number)
  return { box, odds }
}

/** What it sees on average in several versions. */
export async function averageView(
  box: Box,
  small: Picture,
  versions: readonly Version[],
  host: EngineHost,
): Promise<View> {
  const odds = createPlane(modelSide, modelSide)
  for (const version of versions) {
    const seen = await viewOf(box, small, version, host)
    for (let i = 0; i < odds.data.length; i++) {
      odds.data[i] = (odds.data[i] as number) + (seen.odds.data[i] as number) / versions.length
    }
  }
  return { box, odds }
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

function logOdds(probability: number): number {
  const p = Math.min(Math.max(probability, 0.005), 0.995)
  return Math.log(p / (1 - p))
}
