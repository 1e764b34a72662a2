import { filterGuided, type GuidedCoefficients } from '#engine/image/guided-filter.ts'
import { applyGuided } from '#engine/image/guided-upsampling.ts'
import { dilate, dilateMask, erode } from '#engine/image/morphology.ts'
import { ramp } from '#engine/image/numbers.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { boxBlur, sampling, shrink, smoothRows } from '#engine/image/plane.ts'
import { smoothMaps } from '#engine/image/smooth-map.ts'
import { alphaOf, createFrame, type Frame, type Mask, reducedYuv } from '#engine/video/frame.ts'

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

interface FrameMatte {
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
function refineFrameMatte(yuv: Picture, { data }: Mask): FrameMatte {
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
function frameAlpha({ low, high, coefficients }: FrameMatte, frame: Frame): Uint8Array {
  const { width, height, y, u, v } = frame
  const channels = { width, height, values: [y, u, v], stride: 1, halved: true } as const
  return applyGuided(coefficients, channels, low, high, noise, alphaOf(frame).fill(0)).data
}

/** Black for invisible pixels, because some players ignore alpha. */
const hiddenColour = [16, 128, 128] as const
/** Blur radius of the original background, as a share of the frame's longer side. */
const blurShare = 0.03

export type Backdrop = 'none' | 'blurred' | Frame

/**
 * Refines the mask along the frame's colours and removes the background from translucent parts.
 * Modifies and returns `frame`, from `createFrame`; alpha is present for backdrop `none`.
 */
export function composeFrame(frame: Frame, mask: Mask, backdrop: Backdrop): Frame {
  const matte = refineFrameMatte(reducedYuv(frame, mask.width, mask.height), mask)
  const alpha = frameAlpha(matte, frame)
  if (backdrop === 'none') {
    compose(frame, alpha, matte, undefined)
    return { ...frame, alpha }
  }
  compose(frame, alpha, matte, backdrop === 'blurred' ? blurredBackground(frame, matte) : backdrop)
  return frame
}

function blurredBackground(frame: Frame, { behind, small }: FrameMatte): Frame {
  // A third of the size holds all the detail of a blurred picture.
  const [width, height] = [Math.max(1, Math.round(small.width / 3)), Math.max(1, Math.round(small.height / 3))]
  const weight = shrink(small, width, height)
  for (let i = 0; i < weight.data.length; i++) weight.data[i] = (1 - (weight.data[i] as number)) ** 2
  const smooth = smoothMaps(
    behind.planes.map((plane) => shrink(plane, width, height)),
    weight,
    Math.max(1, Math.round(blurShare * Math.max(width, height))),
  )
  const out = createFrame(frame.width, frame.height, frame.matrix)
  const [halfWidth, halfHeight] = [frame.width / 2, frame.height / 2]
  for (const [index, target] of [out.y, out.u, out.v].entries()) {
    const row = smoothRows(smooth[index] as Plane, halfWidth, halfHeight)
    for (let y = 0; y < halfHeight; y++) {
      if (index === 0) writeDoubled(row(y), target, 2 * y * frame.width)
      else writeRounded(row(y), target, y * halfWidth)
    }
  }
  return out
}

function writeRounded(row: Float32Array, target: Uint8Array, at: number): void {
  for (let x = 0; x < row.length; x++) target[at + x] = (row[x] as number) + 0.5
}

function writeDoubled(row: Float32Array, target: Uint8Array, at: number): void {
  for (let x = 0, i = at; x < row.length; x++, i += 2) {
    const value = (row[x] as number) + 0.5
    target[i] = value
    target[i + 1] = value
  }
  target.copyWithin(at + 2 * row.length, at, at + 2 * row.length)
}

function compose(frame: Frame, alpha: Uint8Array, matte: FrameMatte, background: Frame | undefined): void {
  const half = halfAlpha(alpha, frame.width, frame.height)
  composeChannel(frame, 'y', alpha, matte, background)
  composeChannel(frame, 'u', half, matte, background)
  composeChannel(frame, 'v', half, matte, background)
}

/** Alpha has its own size (0 to 255); mixed colours are estimated as in Forte (2021). */
function composeChannel(
  frame: Frame,
  channel: 'y' | 'u' | 'v',
  alpha: Uint8Array,
  { subject, behind }: FrameMatte,
  background: Frame | undefined,
): void {
  const data = frame[channel]
  const ground = background?.[channel]
  const index = channel === 'y' ? 0 : channel === 'u' ? 1 : 2
  const [width, height] = index === 0 ? [frame.width, frame.height] : [frame.width / 2, frame.height / 2]
  const black = hiddenColour[index]
  const inside = subject.planes[index].data
  const outside = behind.planes[index].data
  const known = subject.known.data
  const columns = nearest(subject.known.width, width)
  const rows = nearest(subject.known.height, height)
  for (let y = 0, i = 0; y < height; y++) {
    const row = (rows[y] as number) * subject.known.width
    for (let x = 0; x < width; x++, i++) {
      const share = alpha[i] as number
      if (share === 255) continue
      const at = row + (columns[x] as number)
      const near = (known[at] as number) > 0.02
      if (share === 0) {
        data[i] = ground ? (ground[i] as number) : near ? (inside[at] as number) : black
        continue
      }
      const a = share / 255
      let own = data[i] as number
      if (near) {
        const mean = inside[at] as number
        own = mean + a * (own - a * mean - (1 - a) * (outside[at] as number))
        own = Math.min(240, Math.max(16, own))
      }
      data[i] = ground ? a * own + (1 - a) * (ground[i] as number) + 0.5 : own + 0.5
    }
  }
}

function nearest(from: number, to: number): Int32Array {
  const { index, weight } = sampling(from, to)
  return index.map((at, i) => Math.min(from - 1, (weight[i] as number) > 0.5 ? at + 1 : at))
}

function halfAlpha(alpha: Uint8Array, width: number, height: number): Uint8Array {
  const out = new Uint8Array((width / 2) * (height / 2))
  for (let y = 0, i = 0; y < height; y += 2) {
    for (let at = y * width; at < (y + 1) * width; at += 2, i++) {
      const sum = (alpha[at] as number) + (alpha[at + 1] as number)
      out[i] = (sum + (alpha[at + width] as number) + (alpha[at + width + 1] as number) + 2) >> 2
    }
  }
  return out
}
