import { connectedRegions } from '../../geometry.ts'
import type { MeshPoints } from '../../host.ts'
import { dilate, largest } from '../../morphology.ts'
import type { Picture, Plane } from '../../picture.ts'
import { createPlane } from '../../plane.ts'
import { rimZone } from '../glasses.ts'
import { feather } from '../regions.ts'
import type { FaceSurface } from '../skin.ts'
import { carriedGlasses } from './carried-glasses.ts'
import { type UprightAxes, uprightAxes } from './upright-axes.ts'

/**
 * Heights above and below the eyes between which nothing but glasses lies before the middle of a
 * face, and how deep inside the outline that middle begins; all lengths are shares of its width.
 */
const band = { above: 0.13, below: 0.3, depth: 0.08 } as const
/** What lies before a face wholly between these heights is a part of glasses or their shadow. */
const scrap = { above: 0.1, below: 0.36 } as const
/** Further inside than this the source always shows where glasses were, be it in shadow there. */
const rimDepth = 0.16

/** Glasses that are to be taken off a face; planes of its picture's size from 0 to 1. */
export interface WornGlasses {
  /** Where nothing that lies before the face is anything but glasses. */
  zone: Plane
  /** Rims, arms and dark lenses near the outline, where some of the target still shows. */
  rims: Plane
  /** The same in the middle of the face. */
  middle: Plane
  /** Inside both lenses' rims. */
  lenses: Plane
}

/** The glasses that a face wears, apart from hair that lies before it. */
export function wornGlasses(picture: Picture, surface: FaceSurface, mesh: MeshPoints): WornGlasses {
  const { foreign, depth } = surface
  const axes = uprightAxes(mesh)
  const glasses = glassesZone(picture, surface, mesh, axes)
  const zone = largest([glasses, scraps(surface, glasses, axes)])
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
    lenses: surface.frames?.inside ?? darkLensesOf(surface, mesh, axes),
  }
}

/** What is seen of a face without the glasses before it. */
export function bareSurface({ lenses: _, frames: __, ...surface }: FaceSurface, { zone }: WornGlasses): FaceSurface {
  const data = surface.foreign.data.map((value, i) => value * (1 - (zone.data[i] as number)))
  return { ...surface, foreign: { ...surface.foreign, data } }
}

/** The middle of the face, and frames and arms up to the outline, with the edges of both. */
function glassesZone(picture: Picture, surface: FaceSurface, mesh: MeshPoints, { unit, down }: UprightAxes): Plane {
  const { hull, depth, foreign } = surface
  const { frame } = carriedGlasses(picture, surface, mesh)
  const { width, height } = frame
  const zone = createPlane(width, height)
  for (let i = 0; i < zone.data.length; i++) {
    if ((hull.data[i] as number) === 0) continue
    const low = down(i % width, Math.floor(i / width))
    const inBand = low > -band.above && low < band.below && (depth[i] as number) > band.depth * unit
    if ((frame.data[i] as number) > 0 || inBand) zone.data[i] = 1
  }
  const near = dilate(zone, edgeOf(unit))
  for (let i = 0; i < zone.data.length; i++) {
    if ((near.data[i] as number) > 0 && (foreign.data[i] as number) > 0) zone.data[i] = 1
  }
  return zone
}

const edgeOf = (unit: number) => Math.max(1, Math.round(0.015 * unit))

/** What lies before the face beside its glasses and is joined to no hair or beard. */
function scraps({ foreign }: FaceSurface, glasses: Plane, { unit, down }: UprightAxes): Plane {
  const { width, height } = foreign
  const near = dilate(glasses, edgeOf(unit))
  const beside = (i: number) => (foreign.data[i] as number) > 0.15 && (near.data[i] as number) === 0
  const { labels, regions } = connectedRegions(width, height, beside)
  const leaves = regions.map(() => false)
  for (let i = 0; i < labels.length; i++) {
    const low = down(i % width, Math.floor(i / width))
    if (low < -scrap.above || low > scrap.below) leaves[(labels[i] as number) - 1] = true
  }
  const out = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) if (leaves[(labels[i] as number) - 1] === false) out.data[i] = 1
  return out
}

/** Where rims were not found: what hides skin where they usually run. */
function darkLensesOf({ foreign }: FaceSurface, mesh: MeshPoints, { unit }: UprightAxes): Plane {
  const usual = rimZone(mesh, foreign, unit)
  return { ...usual, data: usual.data.map((value, i) => value * (foreign.data[i] as number)) }
}
