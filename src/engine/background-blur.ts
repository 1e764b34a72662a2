import type { EngineHost } from './host.ts'
import { dilate } from './morphology.ts'
import type { Matte, Picture, Plane } from './picture.ts'
import { fitWithin } from './pixels.ts'
import { boxBlur, createPlane, shrink } from './plane.ts'

const workSide = 720

/**
 * The background out of focus, opaque and of the picture's size. The subject is filled in from its
 * surroundings first, so that it leaves no glow. `strength` is the blur's radius as a share of the
 * longer side.
 */
export async function blurredBackground(
  picture: Picture,
  matte: Plane | Matte,
  strength: number,
  host: EngineHost,
): Promise<Picture> {
  const { width, height } = fitWithin(picture, workSide)
  const small = await host.resize(picture, width, height)
  const cover = dilate(shrink(matte, width, height), Math.max(1, Math.round(0.006 * Math.max(width, height))))
  const radius = Math.max(1, Math.round(strength * Math.max(width, height)))
  const data = new Uint8ClampedArray(width * height * 4)
  const weight = createPlane(width, height)
  for (let i = 0; i < weight.data.length; i++) weight.data[i] = (1 - (cover.data[i] as number)) ** 2
  for (let channel = 0; channel < 3; channel++) {
    const values = createPlane(width, height)
    for (let i = 0; i < values.data.length; i++) values.data[i] = small.data[4 * i + channel] as number
    const soft = thrice(fillIn(values, weight), radius)
    for (let i = 0; i < soft.data.length; i++) data[4 * i + channel] = soft.data[i] as number
  }
  for (let i = 3; i < data.length; i += 4) data[i] = 255
  return host.resize({ width, height, data }, picture.width, picture.height)
}

/** Three box blurs come close to a Gaussian. */
function thrice(plane: Plane, radius: number): Plane {
  return boxBlur(boxBlur(boxBlur(plane, radius), radius), radius)
}

/** Replaces pixels of weight 0 by means of ever wider surroundings; those of weight 1 stay. */
export function fillIn(plane: Plane, weight: Plane): Plane {
  const { width, height } = plane
  const count = width * height
  const out = createPlane(width, height)
  const left = createPlane(width, height, 1)
  const weighted = createPlane(width, height)
  for (let i = 0; i < count; i++) {
    const w = weight.data[i] as number
    weighted.data[i] = w * (plane.data[i] as number)
    out.data[i] = weighted.data[i] as number
    left.data[i] = 1 - w
  }
  const [sum, share] = [createPlane(width, height), createPlane(width, height)]
  for (let radius = 2; radius < 2 * Math.max(width, height); radius *= 2) {
    boxBlur(weighted, radius, sum)
    boxBlur(weight, radius, share)
    let open = false
    for (let i = 0; i < count; i++) {
      const rest = left.data[i] as number
      if (rest <= 0) continue
      open = true
      const found = share.data[i] as number
      if (found <= 1e-4) continue
      const taken = rest * Math.min(1, found * 4)
      out.data[i] = (out.data[i] as number) + (taken * (sum.data[i] as number)) / found
      left.data[i] = rest - taken
    }
    if (!open) break
  }
  for (let i = 0; i < count; i++) {
    const kept = 1 - (left.data[i] as number)
    out.data[i] = kept > 1e-6 ? (out.data[i] as number) / kept : (plane.data[i] as number)
  }
  return out
}
