import type { Box } from '#contract/media.ts'
import { solveClosedForm } from './closed-form.ts'
import { clipBox, growBox, scaleBox } from './geometry.ts'
import { applyGuided, guidedCoefficients } from './guided-filter.ts'
import type { EngineHost } from './host.ts'
import type { Picture, Plane } from './picture.ts'
import { fitWithin } from './pixels.ts'
import { createPlane, cropPlane, dilate, erode, resizeSmooth } from './plane.ts'

export interface RefineOptions {
  /** Longer side at which the unknown band is solved; the full picture follows by guided upsampling. */
  side: number
  /** Half width of the unknown band around the mask's edge, as a share of the longer side. */
  band: number
  /** Where hair is to be expected, in pixels of the picture: the band is `hairBand` wide there. */
  hair?: readonly Box[]
  hairBand?: number
}

/**
 * Turns a rough soft mask (any size, 0 to 1) into an alpha matte of the picture's size. Around the mask's edge, and wherever the mask
 * itself hesitates near it, alpha is solved by closed-form matting; everything else becomes 0 or 1.
 */
export async function refineMatte(
  picture: Picture,
  mask: Plane,
  host: EngineHost,
  options: RefineOptions,
): Promise<Plane> {
  const { width, height } = fitWithin(picture, options.side)
  const small = await host.resize(picture, width, height)
  const guess = resizeSmooth(mask, width, height)
  const longer = Math.max(width, height)
  const unknown = unknownBand(guess, Math.max(2, Math.round(options.band * longer)))
  for (const box of options.hair ?? []) {
    const place = clipBox(scaleBox(box, width / picture.width, height / picture.height), guess)
    if (place) widenBand(unknown, guess, place, Math.max(3, Math.round((options.hairBand ?? options.band) * longer)))
  }
  const trust = createPlane(width, height)
  for (let i = 0; i < guess.data.length; i++) {
    const value = guess.data[i] as number
    if (unknown[i] === 1) trust.data[i] = 0.0003 + 0.005 * (2 * value - 1) ** 2
    else guess.data[i] = value > 0.5 ? 1 : 0
  }
  solveClosedForm(small, guess, unknown, { trust })
  const matte = applyGuided(guidedCoefficients(small, guess, 2, 1e-5), picture)
  return settle(matte, guess, unknown)
}

/** 1 where alpha has to be solved: within `radius` pixels of the mask's edge. */
export function unknownBand(mask: Plane, radius: number): Uint8Array {
  const high = dilate(mask, radius)
  const low = erode(mask, radius)
  const unknown = new Uint8Array(mask.data.length)
  for (let i = 0; i < unknown.length; i++) {
    if ((high.data[i] as number) > 0.5 && (low.data[i] as number) < 0.5) unknown[i] = 1
  }
  return unknown
}

/** Makes the band `radius` pixels wide inside a whole-pixel box that lies within the mask. */
function widenBand(unknown: Uint8Array, mask: Plane, box: Box, radius: number): void {
  const around = clipBox(growBox(box, radius), mask) as Box
  const wide = unknownBand(cropPlane(mask, around.x, around.y, around.width, around.height), radius)
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let x = box.x; x < box.x + box.width; x++) {
      if (wide[(y - around.y) * around.width + x - around.x] === 1) unknown[y * mask.width + x] = 1
    }
  }
}

/** Known pixels become exactly 0 or 1 in the full picture, and near-certain ones are pulled there. */
function settle(matte: Plane, guess: Plane, unknown: Uint8Array): Plane {
  const edge = createPlane(guess.width, guess.height)
  for (let i = 0; i < unknown.length; i++) edge.data[i] = unknown[i] as number
  const near = resizeSmooth(dilate(edge, 1), matte.width, matte.height)
  const rough = resizeSmooth(guess, matte.width, matte.height)
  for (let i = 0; i < matte.data.length; i++) {
    if ((near.data[i] as number) === 0) matte.data[i] = (rough.data[i] as number) > 0.5 ? 1 : 0
    else matte.data[i] = Math.min(Math.max(((matte.data[i] as number) - 0.03) / 0.94, 0), 1)
  }
  return matte
}
