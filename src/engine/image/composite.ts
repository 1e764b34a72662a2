import type { Box } from '#shared/media.ts'
import { boundsOf } from './geometry.ts'
import { createPlane, isMatte, type Matte, type Picture, type Plane } from './picture.ts'
import { fitWithin } from './pixels.ts'
import { feather, resizeSmooth, shrink, smoothRows } from './plane.ts'

/** Straight alpha over a picture of equal size, in sRGB like editors do. Modifies `under`. */
export function compositeOver(top: Picture, under: Picture): Picture {
  const over = top.data
  const { data } = under
  for (let i = 0; i < data.length; i += 4) {
    const level = over[i + 3] as number
    if (level === 0) continue
    const covered = level / 255
    const opacity = data[i + 3] as number
    const sum = opacity === 255 ? 1 : covered + (opacity / 255) * (1 - covered)
    const alpha = opacity === 255 ? covered : covered / sum
    data[i] = (over[i] as number) * alpha + (data[i] as number) * (1 - alpha)
    data[i + 1] = (over[i + 1] as number) * alpha + (data[i + 1] as number) * (1 - alpha)
    data[i + 2] = (over[i + 2] as number) * alpha + (data[i + 2] as number) * (1 - alpha)
    if (opacity !== 255) data[i + 3] = 255 * sum
  }
  return under
}

/** Composites a picture over a part inside `under`, in place; opacity 0 to 1, straight alpha. */
export function compositeAt(
  under: Picture,
  top: Picture,
  { left, top: down }: { left: number; top: number },
  opacity: number,
): void {
  for (let y = 0, from = 0; y < top.height; y++) {
    let to = 4 * ((down + y) * under.width + left)
    for (let x = 0; x < top.width; x++, from += 4, to += 4) {
      const own = (opacity * (top.data[from + 3] as number)) / 255
      if (own === 0) continue
      const rest = ((under.data[to + 3] as number) / 255) * (1 - own)
      const alpha = own + rest
      for (let c = 0; c < 3; c++) {
        under.data[to + c] = (own * (top.data[from + c] as number) + rest * (under.data[to + c] as number)) / alpha
      }
      under.data[to + 3] = 255 * alpha
    }
  }
}

/** Darkens an opaque picture in place by a shadow, 0 none to 1 black, stretched to its size. */
export function darken({ width, height, data }: Picture, shadow: Plane): void {
  const rowOf = smoothRows(shadow, width, height)
  for (let y = 0, i = 0; y < height; y++) {
    const row = rowOf(y)
    for (let x = 0; x < width; x++, i += 4) {
      const keep = 1 - (row[x] as number)
      if (keep === 1) continue
      data[i] = (data[i] as number) * keep
      data[i + 1] = (data[i + 1] as number) * keep
      data[i + 2] = (data[i + 2] as number) * keep
    }
  }
}

/** Composites a cut-out with straight alpha over a black shadow, in place; opaque pixels stay. */
export function addShadowBelow(cutOut: Picture, shadow: Plane): void {
  const { data } = cutOut
  for (let i = 0; i < shadow.data.length; i++) {
    const own = (data[4 * i + 3] as number) / 255
    const dark = (shadow.data[i] as number) * (1 - own)
    if (dark <= 0) continue
    const alpha = own + dark
    const share = own / alpha
    data[4 * i] = (data[4 * i] as number) * share
    data[4 * i + 1] = (data[4 * i + 1] as number) * share
    data[4 * i + 2] = (data[4 * i + 2] as number) * share
    data[4 * i + 3] = alpha * 255
  }
}

/** An opaque picture of one sRGB colour such as `#1e90ff`. */
export function solidPicture(width: number, height: number, colour: string): Picture {
  const value = Number.parseInt(colour.slice(1, 7), 16)
  const opacity = colour.length === 9 ? Number.parseInt(colour.slice(7), 16) : 255
  const pixel = new Uint8ClampedArray([value >> 16, (value >> 8) & 255, value & 255, opacity])
  const data = new Uint8ClampedArray(width * height * 4)
  new Uint32Array(data.buffer).fill(new Uint32Array(pixel.buffer)[0] as number)
  return { width, height, data }
}

const workSide = 512

/** False for a subject cut off by the lower edge. */
export function standsFree(matte: Plane | Matte): boolean {
  const box = boundsOf(matte, isMatte(matte) ? 127 : 0.5)
  return !box || box.y + box.height < matte.height - Math.round(0.01 * matte.height)
}

/**
 * 0 none to 1 black, of the matte's size. A free-standing subject gets a contact shadow: its
 * silhouette flattened onto the ground, fading out above the lower edge. Other subjects get a soft
 * shadow behind them.
 */
export function softShadow(
  matte: Plane | Matte,
  { strength = 0.45, free = standsFree(matte) }: { strength?: number | undefined; free?: boolean } = {},
): Plane {
  const { width, height } = fitWithin(matte, workSide)
  const small = shrink(matte, width, height)
  const box = boundsOf(small, 0.5)
  if (!box) return createPlane(matte.width, matte.height)
  const longer = Math.max(box.width, box.height)
  const shadow = free
    ? flattenedSilhouette(small, box.y + box.height - 1, box.height)
    : shiftPlane(small, Math.round(0.02 * longer), Math.round(0.03 * longer))
  const soft = feather(shadow, (free ? 0.015 : 0.03) * longer)
  for (let i = 0; i < soft.data.length; i++) soft.data[i] = strength * (soft.data[i] as number)
  if (free) fadeAboveEdge(soft, box)
  return resizeSmooth(soft, matte.width, matte.height)
}

/** Height of a shadow in front of a subject, in pixels. */
const flatHeight = (tall: number) => Math.max(2, Math.round(0.05 * tall))

/** Without room for the whole shadow its lowest rows fade, so that no hard line ends it. */
function fadeAboveEdge(shadow: Plane, subject: Box): void {
  const { width, height, data } = shadow
  const room = height - subject.y - subject.height
  const rows = Math.min(room, flatHeight(subject.height)) / 2
  for (let y = Math.ceil(height - rows); y < height; y++) {
    const keep = (height - 1 - y) / rows
    for (let i = y * width; i < (y + 1) * width; i++) data[i] = keep * (data[i] as number)
  }
}

function flattenedSilhouette(matte: Plane, ground: number, tall: number): Plane {
  const { width, height } = matte
  const out = createPlane(width, height)
  const flat = flatHeight(tall)
  for (let y = Math.max(0, ground - flat); y < Math.min(height, ground + flat); y++) {
    const away = Math.abs(y - ground) / flat
    const source = Math.max(0, Math.round(ground - away * 0.3 * tall))
    const fade = 1 - away
    for (let x = 0; x < width; x++) out.data[y * width + x] = fade * (matte.data[source * width + x] as number)
  }
  return out
}

/** Shifts a plane by whole pixels; pixels from outside are 0. */
export function shiftPlane({ width, height, data }: Plane, right: number, down: number): Plane {
  const out = createPlane(width, height)
  for (let y = Math.max(0, down); y < Math.min(height, height + down); y++) {
    for (let x = Math.max(0, right); x < Math.min(width, width + right); x++) {
      out.data[y * width + x] = data[(y - down) * width + x - right] as number
    }
  }
  return out
}
