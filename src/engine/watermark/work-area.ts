import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { feather, resizePlane } from '#engine/image/plane.ts'
import { lumaAt } from '#engine/image/tones.ts'

/** The part of a result that is paid for; its planes are as large as the result. */
export interface WorkArea {
  /** 0 where the result equals the input, 1 inside the work, with a soft border. */
  share: Plane
  /** 1 where it has the input's light and other colours, so that the colours are the work. */
  colour: Plane
}

/** Differences in levels that are no work, and that surely are. */
const difference = { none: 1, sure: 4 }
/** Of light, up to which only colours have changed, and from which the light has, too. */
const lightDifference = { same: 2, other: 8 }
/** Blur of the area's border, as a share of the longer side. */
const border = 0.012

/**
 * Where a result differs from the input in colour or transparency; undefined, all of it, where
 * sizes differ.
 */
export function workArea(result: Picture, input: Picture | undefined): WorkArea | undefined {
  const { width, height, data } = result
  if (!input || input.width !== width || input.height !== height) return undefined
  const [share, colour] = [createPlane(width, height), createPlane(width, height)]
  for (let i = 0, at = 0; at < data.length; i++, at += 4) {
    let most = 0
    for (let c = at; c < at + 4; c++) {
      most = Math.max(most, Math.abs((data[c] as number) - (input.data[c] as number)))
    }
    share.data[i] = ramp(difference.none, difference.sure, most)
    const light = Math.abs(lumaAt(data, i) - lumaAt(input.data, i))
    const opaque = data[at + 3] === 255
    if (opaque) {
      colour.data[i] = (share.data[i] as number) * (1 - ramp(lightDifference.same, lightDifference.other, light))
    }
  }
  const radius = Math.max(1, border * Math.max(width, height))
  const soft = feather(share, radius)
  const softColour = feather(colour, radius)
  for (let i = 0; i < soft.data.length; i++) {
    const found = soft.data[i] as number
    colour.data[i] = found > 0.01 ? Math.min(1, (softColour.data[i] as number) / found) : 0
    // A pixel that the work touches counts whole; noise of a codec does not.
    soft.data[i] = ramp(0.1, 0.5, found)
  }
  return { share: feather(soft, radius), colour }
}

export function resizeWork({ share, colour }: WorkArea, size: Size): WorkArea {
  return { share: resizePlane(share, size), colour: resizePlane(colour, size) }
}
