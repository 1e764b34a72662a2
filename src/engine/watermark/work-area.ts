import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { feather, resizePlane } from '#engine/image/plane.ts'
import { luma } from '#engine/image/tones.ts'

/** Paid part of a result; planes are `workStep` times smaller than the result. */
export interface WorkArea {
  /** 0 where the result equals the input, 1 inside the work, with a soft border. */
  share: Plane
  /** 1 where the light is the input's and only colours differ, so that the colours are the work. */
  colour: Plane
}

const workStep = 3
/** In levels: not the work, and surely the work. */
const workDifference = { none: 1, sure: 4 }
/** In levels: only colours have changed, and the light has changed too. */
const lightDifference = { same: 2, other: 8 }
/** As a share of the longer side. */
const border = 0.012

/** Undefined, meaning all of the result, if the sizes differ. */
export function workArea(result: Picture, input: Picture | undefined): WorkArea | undefined {
  const { width, height, data } = result
  if (!input || input.width !== width || input.height !== height) return undefined
  const other = input.data
  const [changed, recoloured] = [createPlane(width, height), createPlane(width, height)]
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    const red = (data[at] as number) - (other[at] as number)
    const green = (data[at + 1] as number) - (other[at + 1] as number)
    const blue = (data[at + 2] as number) - (other[at + 2] as number)
    const alpha = (data[at + 3] as number) - (other[at + 3] as number)
    const most = Math.max(Math.abs(red), Math.abs(green), Math.abs(blue), Math.abs(alpha))
    if (most <= workDifference.none) continue
    const share = ramp(workDifference.none, workDifference.sure, most)
    changed.data[i] = share
    const light = Math.abs(luma(red, green, blue))
    if (data[at + 3] === 255)
      recoloured.data[i] = share * (1 - ramp(lightDifference.same, lightDifference.other, light))
  }
  const size = { width: Math.ceil(width / workStep), height: Math.ceil(height / workStep) }
  const radius = Math.max(1, border * Math.max(size.width, size.height))
  const share = feather(resizePlane(changed, size), radius)
  const colour = feather(resizePlane(recoloured, size), radius)
  for (let i = 0; i < share.data.length; i++) {
    const found = share.data[i] as number
    colour.data[i] = found > 0.01 ? Math.min(1, (colour.data[i] as number) / found) : 0
    // A touched pixel counts whole; noise of a codec does not.
    share.data[i] = ramp(0.1, 0.5, found)
  }
  return { share: feather(share, radius), colour }
}

export function resizeWork({ share, colour }: WorkArea, size: Size): WorkArea {
  return { share: resizePlane(share, size), colour: resizePlane(colour, size) }
}
