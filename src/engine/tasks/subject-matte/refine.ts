import { clipBox, connectedRegions } from '#engine/image/geometry.ts'
import { filterGuided, guidedCoefficients } from '#engine/image/guided-filter.ts'
import { applyGuided, channelsOf } from '#engine/image/guided-upsampling.ts'
import { borderDistance, dilate, dilateMask, erode } from '#engine/image/morphology.ts'
import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { type BackgroundKey, blendKeyModels, keyBackground, markKeyPixels, sureBelief } from './background-key.ts'
import { pixelZone } from './colour-lines.ts'

interface RefineOptions {
  /** Half width of the unknown band around the mask's edge, as a share of the picture's size. */
  band: number
  /** Boxes with expected hair, in pixels of the guide; the band is `hairBand` wide there. */
  hair?: readonly Box[]
  hairBand?: number
}

/**
 * Guided filter: window radii in pixels of the guide, regularisation in squared colours (0 to 1).
 */
const guided = { edge: 5, detail: 2, epsilon: 1e-5 }
/** Half width, in pixels of the guide, up to which partial alpha is believed. */
const finestDetail = 2
/** Alpha up to `noise` becomes 0, and up to `certain` after enlarging; the same below 1. */
const noise = 0.08
const certain = 0.03
/** Pixels inside the mask's edge up to which a plain wall may show anywhere in hair. */
const rim = 2
/** Depth at which a wall may show between curls, as a share of the hair box's width. */
const maxCurlDepth = 0.06
/** Thickness in pixels of the `core` zone below that depth. */
const coreDepth = 4

/**
 * Turns a rough mask (any size, 0 to 1) into a matte: the edge is solved at the size of `guide`,
 * the same picture, and upsampled. In a band around the edge, alpha follows the guide's colours
 * (guided filter; He, Sun and Tang 2010); the rest becomes 0 or 1. Hair before a plain wall is
 * separated by colour alone, see {@link keyBackground}.
 */
export function refineMatte(picture: Picture, guide: Picture, mask: Plane, options: RefineOptions): Matte {
  const { matte, key } = solveEdge(guide, mask, options)
  return enlarge(matte, guide, picture, key)
}

/** Enlarges a finished matte; `small` is the same picture at the matte's size. */
export function enlargeMatte(matte: Plane, small: Picture, picture: Picture): Matte {
  return enlarge(roundNearCertain(matte), small, picture, undefined)
}

/** Rounds near-certain values to 0 or 1, so that these areas need no filtering. */
function roundNearCertain(matte: Plane): Plane {
  const out = copyPlane(matte)
  for (let i = 0; i < out.data.length; i++) {
    const alpha = out.data[i] as number
    if (alpha <= certain) out.data[i] = 0
    else if (alpha >= 1 - certain) out.data[i] = 1
  }
  return out
}

function solveEdge(
  guide: Picture,
  mask: Plane,
  options: RefineOptions,
): { matte: Plane; key: BackgroundKey | undefined } {
  const { width, height } = guide
  const guess = copyPlane(resizeSmooth(mask, width, height))
  const radius = bandRadius(guess, options)
  const edgeDistance = borderDistance(guess)
  const unknown = new Uint8Array(width * height)
  for (let i = 0; i < unknown.length; i++) {
    const limit = radius.data[i] as number
    if ((edgeDistance[i] as number) <= limit) unknown[i] = 1
    else guess.data[i] = (guess.data[i] as number) > 0.5 ? 1 : 0
  }
  const key = options.hair?.length
    ? keyBackground(guide, guess, zonesOf(guess, unknown, edgeDistance, options.hair))
    : undefined
  filterGuided(guide, guess, guided.edge, guided.epsilon, unknown)
  dropVeils(guess, unknown)
  return { matte: guess, key }
}

function zonesOf(guess: Plane, unknown: Uint8Array, edgeDistance: Float32Array, hair: readonly Box[]): Uint8Array {
  const { width } = guess
  const zones = new Uint8Array(unknown.length)
  for (let i = 0; i < zones.length; i++) if (unknown[i] === 0 && guess.data[i] === 0) zones[i] = pixelZone.wall
  for (const box of hair) {
    const zone = clipBox(box, guess)
    if (!zone) continue
    const depth = maxCurlDepth * box.width
    for (let y = zone.y; y < zone.y + zone.height; y++) {
      for (let i = y * width + zone.x; i < y * width + zone.x + zone.width; i++) {
        if (zones[i] === pixelZone.wall) continue
        const beyond = (edgeDistance[i] as number) - depth
        const inside = (guess.data[i] as number) > 0.5
        if (!inside || (edgeDistance[i] as number) <= rim) zones[i] = pixelZone.rim
        else
          zones[i] =
            unknown[i] === 1 || beyond < 0 ? pixelZone.deep : beyond < coreDepth ? pixelZone.core : pixelZone.inside
      }
    }
  }
  return zones
}

function enlarge(matte: Plane, small: Picture, picture: Picture, key: BackgroundKey | undefined): Matte {
  const low = erode(matte, 1)
  const high = dilate(matte, 1)
  const uneven = new Uint8Array(matte.data.length)
  for (let i = 0; i < uneven.length; i++) if (low.data[i] !== high.data[i]) uneven[i] = 1
  if (key) markKeyPixels(key, 0, uneven, 1)
  const wanted = dilateMask(uneven, matte.width, matte.height, 1)
  if (key) markKeyPixels(key, sureBelief, wanted, 0)
  const coefficients = guidedCoefficients(small, matte, guided.detail, guided.epsilon, wanted)
  if (key) blendKeyModels(key, coefficients, low, high)
  return applyGuided(coefficients, channelsOf(picture), low, high, certain)
}

/** Half width in pixels of the band away from hair; `band` is relative to the mean side. */
function minBandRadius(band: number, { width, height }: Plane): number {
  return Math.max(2, band * Math.sqrt(width * height))
}

function bandRadius(mask: Plane, { band, hair, hairBand }: RefineOptions): Plane {
  const { width, height } = mask
  const radius = createPlane(width, height, minBandRadius(band, mask))
  for (const box of hair ?? []) {
    const clipped = clipBox(box, mask)
    if (!clipped) continue
    const wide = Math.max(3, minBandRadius(hairBand ?? band, mask))
    for (let y = clipped.y; y < clipped.y + clipped.height; y++) {
      radius.data.fill(wide, y * width + clipped.x, y * width + clipped.x + clipped.width)
    }
  }
  return radius
}

/** Removes broad faint veils, noise, and regions not connected to certain pixels. */
function dropVeils({ width, height, data }: Plane, unknown: Uint8Array): void {
  const broad = dilate(erode({ width, height, data }, finestDetail), finestDetail)
  for (let i = 0; i < data.length; i++) {
    if (unknown[i] === 0) continue
    const veil = broad.data[i] as number
    const value = (data[i] as number) - veil + smoothstep(0.25, 0.75, veil)
    data[i] = ramp(noise, 1 - noise, value)
  }
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0)
  const connected = new Uint8Array(regions.length + 1)
  for (let i = 0; i < data.length; i++) if ((data[i] as number) > 0.95) connected[labels[i] as number] = 1
  for (let i = 0; i < data.length; i++) if (connected[labels[i] as number] === 0) data[i] = 0
}
