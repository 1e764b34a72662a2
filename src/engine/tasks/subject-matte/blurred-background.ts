import type { EngineHost } from '#engine/host.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Matte, Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { boxBlur, createPlane, shrink } from '#engine/image/plane.ts'
import { fillIn } from '#engine/image/smooth-map.ts'

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
