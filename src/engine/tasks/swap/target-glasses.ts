import type { MeshPoints } from '#engine/host.ts'
import { connectedRegions } from '#engine/image/geometry.ts'
import { dilate, pixelwiseMax } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'
import { belowEyes, type FaceAxes, faceAxes } from '#engine/tasks/faces/mesh-geometry.ts'
import type { FaceSurface } from '#engine/tasks/faces/skin.ts'
import { transferredGlasses } from './transferred-glasses.ts'

/** Face widths around the eyes, from `depth`, in which only glasses are in front of a face. */
const band = { above: 0.13, below: 0.3, depth: 0.08 } as const
/**
 * A region between these heights is glasses or their shadow; hair in the middle starts above `top`.
 */
const detachedRange = { above: 0.1, top: 0.2, below: 0.36 } as const
/** Maximum height of a rim above or below the zone. */
const maxRimHeight = 0.06
/** Depth from which the source always replaces the glasses' area, even in shadow. */
const rimDepth = 0.16

/** Planes of the picture's size from 0 to 1. */
export interface TargetGlasses {
  /** Area in which every foreign pixel belongs to glasses. */
  zone: Plane
  /** Rims, arms and dark lenses near the outline, where part of the target stays visible. */
  rims: Plane
  /** Rims, arms and dark lenses in the middle of the face. */
  middle: Plane
}

export function targetGlasses(picture: Picture, surface: FaceSurface, mesh: MeshPoints): TargetGlasses {
  const { foreign, depth } = surface
  const axes = faceAxes(mesh)
  const glasses = glassesZone(picture, surface, mesh, axes)
  const zone = pixelwiseMax([glasses, detachedParts(surface, glasses, axes)])
  const [rims, middle] = [createPlane(zone.width, zone.height), createPlane(zone.width, zone.height)]
  for (let i = 0; i < zone.data.length; i++) {
    if ((foreign.data[i] as number) < 0.1) continue
    const near = (depth[i] as number) < rimDepth * axes.unit
    if (near && (glasses.data[i] as number) > 0) rims.data[i] = foreign.data[i] as number
    if (!near && (zone.data[i] as number) > 0) middle.data[i] = foreign.data[i] as number
  }
  return {
    zone: feather(dilate(zone, 1), 0.006 * axes.unit),
    rims,
    middle: feather(dilate(middle, 1), 0.02 * axes.unit),
  }
}

export function surfaceWithoutGlasses(
  { lenses: _, frames: __, rimless: ___, ...surface }: FaceSurface,
  { zone }: TargetGlasses,
): FaceSurface {
  const data = surface.foreign.data.map((value, i) => value * (1 - (zone.data[i] as number)))
  return { ...surface, foreign: { ...surface.foreign, data } }
}

/** The middle of the face, and frames and arms up to the outline, including their edges. */
function glassesZone(picture: Picture, surface: FaceSurface, mesh: MeshPoints, axes: FaceAxes): Plane {
  const { hull, depth, foreign } = surface
  const { unit } = axes
  const { frame } = transferredGlasses(picture, surface, mesh)
  const { width, height } = frame
  const zone = createPlane(width, height)
  for (let i = 0; i < zone.data.length; i++) {
    if ((hull.data[i] as number) === 0) continue
    const low = belowEyes(axes, i % width, Math.floor(i / width)) / unit
    const inBand = low > -band.above && low < band.below && (depth[i] as number) > band.depth * unit
    if ((frame.data[i] as number) > 0 || inBand) zone.data[i] = 1
  }
  const near = dilate(zone, edgeOf(unit))
  for (let i = 0; i < zone.data.length; i++) {
    if ((near.data[i] as number) > 0 && (foreign.data[i] as number) > 0) zone.data[i] = 1
  }
  addFringes(zone, foreign, maxRimHeight * unit)
  return zone
}

/** In place, up to `most` pixels high. */
function addFringes({ width, height, data }: Plane, foreign: Plane, most: number): void {
  for (let x = 0; x < width; x++) {
    for (let y = 0, start = -1; y <= height; y++) {
      const i = y * width + x
      const open = y < height && data[i] === 0 && (foreign.data[i] as number) > 0.05
      if (open && start < 0) start = y
      if (open || start < 0) continue
      const touches = (y < height && data[i] === 1) || (start > 0 && data[(start - 1) * width + x] === 1)
      if (touches && y - start <= most) for (let row = start; row < y; row++) data[row * width + x] = 1
      start = -1
    }
  }
}

const edgeOf = (unit: number) => Math.max(1, Math.round(0.015 * unit))

/** Foreign regions beside the glasses that are not connected to hair or beard. */
function detachedParts({ foreign, depth }: FaceSurface, glasses: Plane, axes: FaceAxes): Plane {
  const { width, height } = foreign
  const { unit } = axes
  const near = dilate(glasses, edgeOf(unit))
  const beside = (i: number) => (foreign.data[i] as number) > 0.15 && (near.data[i] as number) === 0
  const { labels, regions } = connectedRegions(width, height, beside)
  const seen = regions.map(() => ({ top: Infinity, bottom: -Infinity, depth: 0 }))
  for (let i = 0; i < labels.length; i++) {
    const part = seen[(labels[i] as number) - 1]
    if (!part) continue
    const low = belowEyes(axes, i % width, Math.floor(i / width)) / unit
    part.top = Math.min(part.top, low)
    part.bottom = Math.max(part.bottom, low)
    part.depth = Math.max(part.depth, depth[i] as number)
  }
  const belongs = seen.map(({ top, bottom, depth }) => {
    return bottom < detachedRange.below && top > -(depth > band.depth * unit ? detachedRange.top : detachedRange.above)
  })
  const out = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) if (belongs[(labels[i] as number) - 1]) out.data[i] = 1
  return out
}
