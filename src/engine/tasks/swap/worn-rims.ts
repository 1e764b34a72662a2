import { borderDistance } from '#engine/image/distance.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { robust, type Spread, type Tones } from '#engine/tasks/faces/tones.ts'
import type { Seen } from './worn-arms.ts'

/**
 * How thick rims usually are around a lens, how far from there one may lie, how deep inside the
 * outline it is taken up, and how thick it may be; shares of the face's width.
 */
const around = 0.02
const reach = 0.06
const inside = 0.035
const thickest = 0.06
/**
 * Least deviations of a rim's tones, how much larger they may be, and how far a pixel may be off.
 */
const least = [0.22, 0.06, 0.06] as const
const mostSpread = 1.5
const alike = 1.1

/**
 * The part of lenses that reaches over the outline, as on a turned head: where they are expected
 * there (`lenses`, see `mirroredLenses`), and what is thin beside that, of the rim's own tones and
 * joined to it. A plane of 0 and 1, of 0 where no lens is expected beyond the outline.
 */
export function rimsBeyond({ tones, hull, rims, axes: { unit } }: Seen, lenses: Plane): Plane {
  const { width, height } = hull
  const isInside = (i: number) => (hull.data[i] as number) > 0.5
  const out = createPlane(width, height)
  const whole = dilate(lenses, Math.round(around * unit))
  for (let i = 0; i < out.data.length; i++) if (!isInside(i)) out.data[i] = whole.data[i] as number
  const zone = dilate(out, Math.round(reach * unit))
  const away = borderDistance(hull)
  const seeds = createPlane(width, height)
  const skin = createPlane(width, height)
  for (let i = 0; i < seeds.data.length; i++) {
    if (!isInside(i)) continue
    if ((rims.data[i] as number) < 0.05) skin.data[i] = 1
    const near = (zone.data[i] as number) > 0 && (away[i] as number) < inside * unit
    if (near && (rims.data[i] as number) > 0.6) seeds.data[i] = 1
  }
  const looks = { rim: looksOf(tones, seeds), skin: looksOf(tones, skin) }
  const apart = (i: number, from: readonly Spread[]) => {
    const sum = from.reduce((sum, { middle }, c) => {
      return sum + ((((tones[c] as Plane).data[i] as number) - middle) / (looks.rim[c] as Spread).deviation) ** 2
    }, 0)
    return Math.sqrt(sum) / 2
  }
  const like = createPlane(width, height)
  for (let i = 0; i < like.data.length; i++) {
    if ((zone.data[i] as number) === 0 || (isInside(i) && (away[i] as number) > 1.5 * inside * unit)) continue
    const own = apart(i, looks.rim)
    if (own < alike && own < apart(i, looks.skin)) like.data[i] = 1
  }
  const found = joined(seeds, dilate(slimParts(like, thickest * unit), 1))
  for (let i = 0; i < out.data.length; i++) if (found.data[i] === 1) out.data[i] = 1
  return out
}

function looksOf(tones: Tones, where: Plane): Spread[] {
  return tones.map((tone, c) => {
    const { middle, deviation } = robust(tone, where, least[c] as number)
    return { middle, deviation: Math.min(deviation, mostSpread * (least[c] as number)) }
  })
}

/** What is no higher or no wider than `most` pixels. */
function slimParts(plane: Plane, most: number): Plane {
  const { width, height, data } = plane
  const out = createPlane(width, height)
  const mark = (start: number, step: number, length: number) => {
    for (let k = 0, run = 0; k <= length; k++) {
      if (k < length && data[start + k * step] === 1) run++
      else {
        if (run <= most) for (let back = 1; back <= run; back++) out.data[start + (k - back) * step] = 1
        run = 0
      }
    }
  }
  for (let y = 0; y < height; y++) mark(y * width, 1, width)
  for (let x = 0; x < width; x++) mark(x, width, height)
  return out
}

/** The seeds with all of `where` that touches them, directly or through others. */
function joined(seeds: Plane, where: Plane): Plane {
  const { width, height } = seeds
  const out = createPlane(width, height)
  const open: number[] = []
  const take = (i: number) => {
    out.data[i] = 1
    open.push(i)
  }
  for (let i = 0; i < seeds.data.length; i++) if (seeds.data[i] === 1) take(i)
  while (open.length > 0) {
    const i = open.pop() as number
    const [x, y] = [i % width, Math.floor(i / width)]
    for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
      for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) {
        const j = v * width + u
        if (out.data[j] === 0 && where.data[j] === 1) take(j)
      }
    }
  }
  return out
}
