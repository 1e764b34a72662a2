import type { Box } from '#contract/media.ts'
import { clipBox, connectedRegions } from '#engine/image/geometry.ts'
import { filterGuided, guidedCoefficients } from '#engine/image/guided-filter.ts'
import { applyGuided, channelsOf } from '#engine/image/guided-upsampling.ts'
import { borderDistance, dilate, erode, widen } from '#engine/image/morphology.ts'
import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { type BackgroundKey, keyBackground, markKeyed, settleByKey, sure, trustKey } from './background-key.ts'
import { place } from './colour-lines.ts'

export interface RefineOptions {
  /** Half width of the unknown band around the mask's edge, as a share of the picture's size. */
  band: number
  /** Where hair is to be expected, in pixels of the guide: the band is `hairBand` wide there. */
  hair?: readonly Box[]
  hairBand?: number
}

/**
 * Window and regularisation of the guided filter: of that which finds the edge, and of that which
 * brings it to the picture's size; in pixels of the guide, and squared colours from 0 to 1.
 */
const guided = { edge: 5, detail: 2, epsilon: 1e-5 }
/**
 * Half the width, in pixels of the guide, below which partial alpha is believed; broader veils
 * become the one or the other.
 */
const finest = 2
/** Alpha up to here is noise, and after enlarging; the same below 1. */
const noise = 0.08
const certain = 0.03
/** Pixels off the mask's edge up to which a plain wall may show anywhere in hair. */
const rim = 2
/** How deep between curls it may show, as a share of the width of the hair's box. */
const deepest = 0.06
/** Pixels from there on in which it shows what belongs to the subject's inside. */
const coreDepth = 4

/**
 * Turns a rough soft mask (any size, 0 to 1) into an alpha matte of the picture's size. `guide` is
 * the same picture at the size at which the edge is solved; the full picture follows by guided
 * upsampling. In a band around the mask's edge (the unknown part of a trimap) alpha follows the
 * guide's colours (guided filter, He, Sun and Tang 2010); everything else becomes 0 or 1. Hair
 * before a plain wall is told from it by its colour alone.
 */
export function refineMatte(picture: Picture, guide: Picture, mask: Plane, options: RefineOptions): Matte {
  const { matte, key } = solveEdge(guide, mask, options)
  return enlarge(matte, guide, picture, key)
}

/**
 * Brings a matte that is good already to the size of the picture; `small` is the same picture at
 * the matte's size.
 */
export function enlargeMatte(matte: Plane, small: Picture, picture: Picture): Matte {
  return enlarge(settled(matte), small, picture, undefined)
}

/** Near-certain values as 0 or 1: networks hardly give these, and all between is solved anew. */
function settled(matte: Plane): Plane {
  const out = copyPlane(matte)
  for (let i = 0; i < out.data.length; i++) {
    const alpha = out.data[i] as number
    if (alpha <= certain) out.data[i] = 0
    else if (alpha >= 1 - certain) out.data[i] = 1
  }
  return out
}

/** The matte at the size of the guide, and what a plain wall tells of it. */
function solveEdge(
  guide: Picture,
  mask: Plane,
  options: RefineOptions,
): { matte: Plane; key: BackgroundKey | undefined } {
  const { width, height } = guide
  const guess = copyPlane(resizeSmooth(mask, width, height))
  const radius = bandRadius(guess, options)
  const away = borderDistance(guess)
  const unknown = new Uint8Array(width * height)
  for (let i = 0; i < unknown.length; i++) {
    const limit = radius.data[i] as number
    if ((away[i] as number) <= limit) unknown[i] = 1
    else guess.data[i] = (guess.data[i] as number) > 0.5 ? 1 : 0
  }
  const key = options.hair?.length
    ? keyBackground(guide, guess, placesOf(guess, unknown, away, options.hair))
    : undefined
  if (key) trustKey(key, guide, guess, unknown)
  filterGuided(guide, guess, guided.edge, guided.epsilon, unknown)
  dropVeils(guess, unknown)
  return { matte: guess, key }
}

/** What is known of each pixel before the wall's colour is looked for. */
function placesOf(guess: Plane, unknown: Uint8Array, away: Float32Array, hair: readonly Box[]): Uint8Array {
  const { width } = guess
  const places = new Uint8Array(unknown.length)
  for (let i = 0; i < places.length; i++) if (unknown[i] === 0 && guess.data[i] === 0) places[i] = place.wall
  for (const box of hair) {
    const zone = clipBox(box, guess)
    if (!zone) continue
    const depth = deepest * box.width
    for (let y = zone.y; y < zone.y + zone.height; y++) {
      for (let i = y * width + zone.x; i < y * width + zone.x + zone.width; i++) {
        if (places[i] === place.wall) continue
        const beyond = (away[i] as number) - depth
        const inside = (guess.data[i] as number) > 0.5
        if (!inside || (away[i] as number) <= rim) places[i] = place.rim
        else places[i] = unknown[i] === 1 || beyond < 0 ? place.deep : beyond < coreDepth ? place.core : place.inside
      }
    }
  }
  return places
}

/**
 * Brings a matte to the size of the picture along its colours; near-certain values become exactly 0
 * or 1.
 */
function enlarge(matte: Plane, small: Picture, picture: Picture, key: BackgroundKey | undefined): Matte {
  const low = erode(matte, 1)
  const high = dilate(matte, 1)
  const uneven = new Uint8Array(matte.data.length)
  for (let i = 0; i < uneven.length; i++) if (low.data[i] !== high.data[i]) uneven[i] = 1
  if (key) markKeyed(key, 0, uneven, 1)
  const wanted = widen(uneven, matte.width, matte.height, 1)
  if (key) markKeyed(key, sure, wanted, 0)
  const coefficients = guidedCoefficients(small, matte, guided.detail, guided.epsilon, wanted)
  if (key) settleByKey(key, coefficients, low, high)
  return applyGuided(coefficients, channelsOf(picture), low, high, certain)
}

/**
 * Half width of the unknown band away from hair, in pixels; shares are of the geometric mean of
 * both sides.
 */
function narrowest(band: number, { width, height }: Plane): number {
  return Math.max(2, band * Math.sqrt(width * height))
}

/** Half width of the unknown band for every pixel, wider where hair is to be expected. */
function bandRadius(mask: Plane, { band, hair, hairBand }: RefineOptions): Plane {
  const { width, height } = mask
  const radius = createPlane(width, height, narrowest(band, mask))
  for (const box of hair ?? []) {
    const place = clipBox(box, mask)
    if (!place) continue
    const wide = Math.max(3, narrowest(hairBand ?? band, mask))
    for (let y = place.y; y < place.y + place.height; y++) {
      radius.data.fill(wide, y * width + place.x, y * width + place.x + place.width)
    }
  }
  return radius
}

/** Takes back what no subject is: broad faint veils, noise, and what hangs on nothing certain. */
function dropVeils({ width, height, data }: Plane, unknown: Uint8Array): void {
  const broad = dilate(erode({ width, height, data }, finest), finest)
  for (let i = 0; i < data.length; i++) {
    if (unknown[i] === 0) continue
    const veil = broad.data[i] as number
    const value = (data[i] as number) - veil + smoothstep(0.25, 0.75, veil)
    data[i] = ramp(noise, 1 - noise, value)
  }
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0)
  const held = new Uint8Array(regions.length + 1)
  for (let i = 0; i < data.length; i++) if ((data[i] as number) > 0.95) held[labels[i] as number] = 1
  for (let i = 0; i < data.length; i++) if (held[labels[i] as number] === 0) data[i] = 0
}
