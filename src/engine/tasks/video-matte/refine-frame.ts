import { filterGuided, type GuidedCoefficients } from '#engine/image/guided-filter.ts'
import { applyGuided } from '#engine/image/guided-upsampling.ts'
import { dilate, dilateMask, erode } from '#engine/image/morphology.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { alphaOf, type Frame, type Mask } from '#engine/video/frame.ts'

/** Radius (pixels of the reduced frame) and regularisation (squared colours) of the filter. */
const guided = { radius: 6, epsilon: 2e-4 }
/** In pixels of half the reduced frame. */
const sideRadius = 3
/** Alpha below this, or above 1 minus this, is noise. */
const noise = 0.06

/** YUV from 0 to 255 at the reduced size; `known` is 0 where the side is out of range. */
interface SideColours {
  planes: readonly [Plane, Plane, Plane]
  known: Plane
}

export interface FrameMatte {
  /** Alpha, 0 to 1. */
  small: Plane
  /** Bounds of alpha around each pixel of the reduced frame, before noise is removed. */
  low: Plane
  high: Plane
  coefficients: GuidedCoefficients
  subject: SideColours
  behind: SideColours
}

/** Guided filter (He, Sun and Tang 2010) along the Y, U and V of the reduced frame. */
export function refineFrameMatte(yuv: Picture, { data }: Mask): FrameMatte {
  const { width, height } = yuv
  const mask = createPlane(width, height)
  for (let i = 0; i < data.length; i++) mask.data[i] = (data[i] as number) / 255
  const wanted = dilateMask(unevenPixels(mask), width, height, guided.radius)
  const coefficients = filterGuided(yuv, mask, guided.radius, guided.epsilon, wanted)
  const small = createPlane(width, height)
  for (let i = 0; i < small.data.length; i++) {
    if (wanted[i] === 0) mask.data[i] = (mask.data[i] as number) > 0.5 ? 1 : 0
    small.data[i] = ramp(noise, 1 - noise, mask.data[i] as number)
  }
  const { subject, behind } = sideColours(yuv, small)
  return { small, low: erode(mask, 1), high: dilate(mask, 1), coefficients, subject, behind }
}

function unevenPixels({ width, height, data }: Plane): Uint8Array {
  const out = new Uint8Array(width * height)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const value = data[i] as number
      if ((value > 0 && value < 1) || (x > 0 && data[i - 1] !== value)) out[i] = 1
      else if (y > 0 && data[i - width] !== value) out[i] = 1
    }
  }
  return out
}

/** Alpha-weighted colours of either side at half size (blur fusion, Forte 2021). */
function sideColours(yuv: Picture, alpha: Plane): { subject: SideColours; behind: SideColours } {
  const [width, height] = [Math.ceil(alpha.width / 2), Math.ceil(alpha.height / 2)]
  const size = width * height
  const share = createPlane(width, height)
  const all = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  const own = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = 2 * y * alpha.width + 2 * x
      const a = alpha.data[at] as number
      share.data[i] = a
      for (let c = 0; c < 3; c++) {
        const value = yuv.data[4 * at + c] as number
        all[c as 0].data[i] = value
        own[c as 0].data[i] = a * value
      }
    }
  }
  const known = boxBlur(share, sideRadius)
  for (let i = 0; i < size; i++) share.data[i] = 1 - (known.data[i] as number)
  for (let c = 0; c < 3; c++) {
    const every = boxBlur(all[c as 0], sideRadius).data
    const mine = boxBlur(own[c as 0], sideRadius).data
    for (let i = 0; i < size; i++) {
      const inside = known.data[i] as number
      const outside = share.data[i] as number
      own[c as 0].data[i] = inside > 1e-3 ? (mine[i] as number) / inside : 0
      all[c as 0].data[i] = outside > 1e-3 ? ((every[i] as number) - (mine[i] as number)) / outside : 0
    }
  }
  return { subject: { planes: own, known }, behind: { planes: all, known: share } }
}

/** 0 to 255, written to the frame's memory. */
export function frameAlpha({ low, high, coefficients }: FrameMatte, frame: Frame): Uint8Array {
  const { width, height, y, u, v } = frame
  const channels = { width, height, values: [y, u, v], stride: 1, halved: true } as const
  return applyGuided(coefficients, channels, low, high, noise, alphaOf(frame).fill(0)).data
}
