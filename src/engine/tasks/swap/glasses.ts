import type { MeshPoints } from '#engine/host.ts'
import { connectedRegions } from '#engine/image/geometry.ts'
import { dilate, pixelwiseMax } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'
import { lensZone, rimZone } from '#engine/tasks/faces/glasses.ts'
import { belowEyes, type FaceAxes, faceAxes, meshBox } from '#engine/tasks/faces/mesh-geometry.ts'
import { outlines } from '#engine/tasks/faces/regions.ts'
import type { FaceSurface } from '#engine/tasks/faces/skin.ts'
import { medianStretch, type WarpMap, warpPlane } from '#engine/tasks/faces/warp.ts'

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

/**
 * Height of an arm in face widths (anything higher is hair), and its reach above and below the
 * eyes.
 */
const maxArmHeight = 0.11
const armReach = 0.13
/** Largest logarithmic difference in brightness between an arm and the rims. */
const sameDark = 0.7

/** Planes of the picture's size from 0 to 1. */
export interface TransferredGlasses {
  /**
   * Rims, bridge, arms, the view through the lenses and the skin around, without hair before it.
   */
  piece: Plane
  frame: Plane
  /** Mesh points that keep their positions relative to each other. */
  points: number[]
}

/** Without hair at the temples. */
export function transferredGlasses(picture: Picture, surface: FaceSurface, mesh: MeshPoints): TransferredGlasses {
  const { foreign, frames } = surface
  const { width, height } = foreign
  const unit = meshBox(mesh).width
  const around = lensZone(mesh, foreign, unit)
  const lenses = frames ? dilate(frames.inside, Math.max(1, Math.round(0.03 * unit))) : rimZone(mesh, foreign, unit)
  const slim = armsOf(picture, { foreign, lenses }, mesh, unit)
  const [piece, frame] = [createPlane(width, height), createPlane(width, height)]
  for (let i = 0; i < piece.data.length; i++) {
    const inside = (lenses.data[i] as number) > 0 || (frames?.between.data[i] ?? 0) > 0 || (slim.data[i] as number) > 0
    const bare = (around.data[i] as number) > 0 && (foreign.data[i] as number) < 0.1
    if (inside || bare) piece.data[i] = 1
    if (inside) frame.data[i] = foreign.data[i] as number
  }
  return { piece: feather(piece, 0.006 * unit), frame, points: pointsAround(mesh, pixelwiseMax([around, lenses])) }
}

/** Limit of the stretch's 90th percentile: more distorted glasses extend beyond a turned face. */
const maxStretch = 2.75

export function isOverstretched({ frame }: TransferredGlasses, map: WarpMap): boolean {
  const worn = warpPlane(frame, map)
  const drawn = map.stretch.filter((_, i) => (worn.data[i] as number) > 0.5).sort()
  return (drawn[Math.floor(0.9 * drawn.length)] ?? 0) > maxStretch * medianStretch(map)
}

/** Arms of glasses: flat foreign areas beside the lenses, about as dark as the frame. */
function armsOf(
  picture: Picture,
  { foreign, lenses }: Record<'foreign' | 'lenses', Plane>,
  mesh: MeshPoints,
  unit: number,
): Plane {
  const { width, height } = foreign
  const out = createPlane(width, height)
  const usual = usualLight(picture, foreign, lenses)
  const axes = faceAxes(mesh)
  const { down } = axes
  const most = maxArmHeight * unit
  const alike = (x: number, y: number) => {
    const [column, row] = [Math.round(x), Math.round(y)]
    if (column < 0 || row < 0 || column >= width || row >= height) return false
    const i = row * width + column
    return (foreign.data[i] as number) > 0.1 && Math.abs(lightAt(picture, i) - usual) < sameDark
  }
  const run = (x: number, y: number, sign: number) => {
    let count = 0
    while (count <= most && alike(x + sign * (count + 1) * down.x, y + sign * (count + 1) * down.y)) count++
    return count
  }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (Math.abs(belowEyes(axes, x, y)) > armReach * unit || !alike(x, y)) continue
      if (run(x, y, 1) + run(x, y, -1) + 1 <= most) out.data[y * width + x] = 1
    }
  }
  return dilate(out, 1)
}

function usualLight(picture: Picture, foreign: Plane, lenses: Plane): number {
  const found: number[] = []
  for (let i = 0; i < foreign.data.length; i++) {
    if ((lenses.data[i] as number) > 0 && (foreign.data[i] as number) > 0.9) found.push(lightAt(picture, i))
  }
  return found.sort((a, b) => a - b)[found.length >> 1] ?? 0
}

const lightAt = ({ data }: Picture, i: number) => Math.log((data[4 * i + 1] as number) + 12)

function pointsAround(mesh: MeshPoints, { width, height, data }: Plane): number[] {
  const fixed = new Set<number>(outlines.face)
  const features = new Set<number>(featureNames.flatMap((name) => outlines[name] as readonly number[]))
  return mesh.flatMap(([x, y], index) => {
    const [column, row] = [Math.floor(x), Math.floor(y)]
    const inside =
      column >= 0 && row >= 0 && column < width && row < height && (data[row * width + column] as number) > 0
    return features.has(index) || (inside && !fixed.has(index)) ? [index] : []
  })
}

const featureNames = ['leftEye', 'rightEye', 'leftBrow', 'rightBrow'] as const
