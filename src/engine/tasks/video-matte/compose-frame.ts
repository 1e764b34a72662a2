import type { Plane } from '#engine/image/picture.ts'
import { sampling, shrink, smoothRows } from '#engine/image/plane.ts'
import { smoothMaps } from '#engine/image/smooth-map.ts'
import { createFrame, type Frame, type Mask, reducedYuv } from '#engine/video/frame.ts'
import { type FrameMatte, frameAlpha, refineFrameMatte } from './refine-frame.ts'

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
