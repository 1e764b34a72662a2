import { boundsOf } from './geometry.ts'
import type { Matte, Plane } from './picture.ts'
import { fitWithin } from './pixels.ts'
import { boxBlur, createPlane, resizeSmooth, shrink } from './plane.ts'

const workSide = 512

/**
 * A soft shadow for a cut-out, of the matte's size, 0 none to 1 black. A subject that stands free
 * gets a contact shadow on the ground: its silhouette laid flat at its feet, darkest where it
 * touches. One that the picture's lower edge cuts off gets a soft shadow behind it.
 */
export function softShadow(matte: Plane | Matte, strength = 0.45): Plane {
  const { width, height } = fitWithin(matte, workSide)
  const small = shrink(matte, width, height)
  const box = boundsOf(small, 0.5)
  if (!box) return createPlane(matte.width, matte.height)
  const free = box.y + box.height < height - Math.round(0.01 * height)
  const longer = Math.max(box.width, box.height)
  const shadow = free ? laidFlat(small, box.y + box.height - 1, box.height) : moved(small, 0.02 * longer, 0.03 * longer)
  const radius = Math.max(1, Math.round((free ? 0.015 : 0.03) * longer))
  const soft = boxBlur(boxBlur(shadow, radius), radius)
  for (let i = 0; i < soft.data.length; i++) soft.data[i] = strength * (soft.data[i] as number)
  return resizeSmooth(soft, matte.width, matte.height)
}

/** The silhouette's lower part, flattened onto the line `ground` and fading upwards. */
function laidFlat(matte: Plane, ground: number, tall: number): Plane {
  const { width, height } = matte
  const out = createPlane(width, height)
  const flat = Math.max(2, Math.round(0.05 * tall))
  for (let y = Math.max(0, ground - flat); y < Math.min(height, ground + flat); y++) {
    const away = Math.abs(y - ground) / flat
    const source = Math.max(0, Math.round(ground - away * 0.3 * tall))
    const fade = 1 - away
    for (let x = 0; x < width; x++) out.data[y * width + x] = fade * (matte.data[source * width + x] as number)
  }
  return out
}

function moved(matte: Plane, right: number, down: number): Plane {
  const { width, height } = matte
  const out = createPlane(width, height)
  const dx = Math.round(right)
  const dy = Math.round(down)
  for (let y = dy; y < height; y++) {
    for (let x = dx; x < width; x++) out.data[y * width + x] = matte.data[(y - dy) * width + x - dx] as number
  }
  return out
}
