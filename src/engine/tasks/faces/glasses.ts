import type { MeshPoints } from '#engine/host.ts'
import type { Point } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import { createPlane, type Plane, type Size } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'
import { meshBox } from './mesh-geometry.ts'
import { meanPoint, meshArea, pointOf, shareAbove } from './regions.ts'
import { darkParts, medianSpread } from './tones.ts'

const bridge = [193, 122, 196, 197, 419, 351, 417, 8]
/** Mesh outline from above the brows down to the cheeks, temple to temple. */
const lensOutline = [
  127, 234, 93, 147, 205, 203, 129, 198, 174, 122, 6, 351, 399, 420, 358, 423, 425, 376, 323, 454, 356, 300, 334, 9,
  105, 70,
]

export function lensZone(mesh: MeshPoints, size: Size, unit: number): Plane {
  return dilate(meshArea(size, mesh, lensOutline), Math.max(1, Math.round(0.02 * unit)))
}

/** Area in which rims run: ovals around both eyes, and the strip from temple to temple. */
export function rimZone(mesh: MeshPoints, size: Size, unit: number): Plane {
  const zone = createPlane(size.width, size.height)
  const corners = [
    [33, 133],
    [263, 362],
  ] as const
  const eyes = corners.map(([a, b]) => meanPoint([pointOf(mesh, a), pointOf(mesh, b)])) as [Point, Point]
  const line = meanPoint(eyes).y
  for (let y = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++) {
      const oval = eyes.some((eye) => {
        const down = (y - eye.y) / unit
        return ((x - eye.x) / (0.23 * unit)) ** 2 + (down / (down > 0 ? 0.21 : 0.16)) ** 2 < 1
      })
      if (oval || Math.abs(y - line) < 0.06 * unit) zone.data[y * size.width + x] = 1
    }
  }
  return zone
}

/**
 * Contrast across the nose bridge (`bridgeContrast`) above which glasses are likely, and below
 * which none are dark; shine can look like a line. Rims above `clearRims` are certain.
 */
const line = { likely: 0.36, least: 0.2 } as const
const clearRims = 1.2

/**
 * Frames cross the nose bridge and surround the eyes; dark lenses cover both eyes. `contrast` is
 * that of the strongest line across the bridge, `rims` that around the eyes.
 */
export function classifyGlasses(
  mesh: MeshPoints,
  distance: Plane,
  eyes: Plane,
  { contrast, rims }: { contrast: number; rims: number },
): 'clear' | 'dark' | undefined {
  const size = { width: distance.width, height: distance.height }
  const across = shareAbove(distance, meshArea(size, mesh, bridge), 1.6)
  const unit = meshBox(mesh).width
  const ring = dilate(eyes, Math.max(2, Math.round(0.09 * unit)))
  const near = dilate(eyes, Math.max(1, Math.round(0.03 * unit)))
  // Shadow covers the area beside one eye, glasses cover both.
  const around = [33, 263].map((corner) => {
    const below = createPlane(size.width, size.height)
    const [middle, eyeLine] = [pointOf(mesh, 168).x, pointOf(mesh, corner).y]
    const left = pointOf(mesh, corner).x < middle
    for (let y = Math.max(0, Math.round(eyeLine)); y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const i = y * size.width + x
        if (x < middle === left) below.data[i] = (ring.data[i] as number) - (near.data[i] as number)
      }
    }
    return shareAbove(distance, below, 1.6)
  })
  const both = Math.min(...around)
  if (across > 0.14 && both > 0.075) return 'clear'
  if (both > 0.22 && contrast > line.least) return 'dark'
  return contrast > line.likely && (across > 0.14 || rims > clearRims) ? 'clear' : undefined
}

/** Logarithmic darkness relative to bare skin. */
const hiddenFrom = 0.8

/** `light` is logarithmic, `seeds` masks bare skin, `unit` is the face's width in pixels. */
export function areEyesHidden(light: Plane, mesh: MeshPoints, seeds: Plane, unit: number): boolean {
  const bright = medianSpread(light, seeds, 0.1).middle - hiddenFrom
  return (['leftEye', 'rightEye'] as const).every((name) => {
    const around = dilate(meshArea(light, mesh, name), Math.max(1, Math.round(0.05 * unit)))
    return medianSpread(light, around, 0.1).middle < bright
  })
}

/** Found by darkness, as sunglasses have no skin in their middle. */
export function darkLenses(
  light: Plane,
  { hull, rims, seeds }: Record<'hull' | 'rims' | 'seeds', Plane>,
  unit: number,
): Plane {
  const lenses = darkParts(light, seeds)
  for (let i = 0; i < lenses.data.length; i++) {
    if ((hull.data[i] as number) === 0 || (rims.data[i] as number) === 0) lenses.data[i] = 0
  }
  return feather(dilate(lenses, 1), 0.008 * unit)
}
