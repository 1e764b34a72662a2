import { wholeOf } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Picture, Plane, Size } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { resamplePart } from '#engine/image/resample.ts'

// Rules for results of providers, which the engine's own results obey by construction. Differences
// are means over red, green and blue, in 8-bit steps.

/** Pixels around a hole that a fill must continue, and by how much it may differ there. */
const surroundings = { reach: 12, difference: 30 }
/** Below this difference the marked object is still there. */
const removedDifference = 3

/** False if a fill leaves the object or does not continue what is around the hole (`mask`). */
export function isUsableFill(source: Picture, made: Picture, mask: Plane): boolean {
  const near = dilate(mask, surroundings.reach)
  const around = meanDifference(source, made, (i) => mask.data[i] === 0 && (near.data[i] as number) > 0)
  const inside = meanDifference(source, made, (i) => (mask.data[i] as number) > 0.5)
  return (around ?? 0) < surroundings.difference && (inside ?? 0) > removedDifference
}

const comparedSide = 256
const maxEnlargementDifference = 16

/** False if an enlarged picture, reduced again, is another picture or has other colours. */
export function isUsableEnlargement(source: Picture, made: Picture): boolean {
  const size = fitWithin(source, comparedSide)
  const difference = meanDifference(reduced(source, size), reduced(made, size), (i, data) => data[4 * i + 3] === 255)
  return (difference ?? 0) < maxEnlargementDifference
}

const reduced = (picture: Picture, { width, height }: Size) => resamplePart(picture, wholeOf(picture), width, height)

function meanDifference(
  { data }: Picture,
  { data: other }: Picture,
  counts: (index: number, data: Picture['data']) => boolean,
): number | undefined {
  let [sum, count] = [0, 0]
  for (let i = 0; i < data.length / 4; i++) {
    if (!counts(i, data)) continue
    count++
    for (let c = 4 * i; c < 4 * i + 3; c++) sum += Math.abs((data[c] as number) - (other[c] as number)) / 3
  }
  return count > 0 ? sum / count : undefined
}
