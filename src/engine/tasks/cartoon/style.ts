import { smoothKeepingEdges } from '#engine/image/domain-transform.ts'
import { countedQuantile } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { structureTensor } from '#engine/image/structure.ts'
import type { Tones } from '#engine/image/tones.ts'
import type { Eye } from './eyes.ts'

/** What every style draws from; all planes have the picture's size. */
export interface StyleInput {
  /** The picture as it is. */
  tones: Tones
  /** Lightness without grain, red a little darker than it is, from which lines are drawn. */
  drawing: Plane
  flow: EdgeFlow
  /** Where faces are, 0 to 1: lines are finer there and skin is smoother. */
  face: Plane
  /** Eyes, brows and mouths, 0 to 1: they stay sharp. */
  features: Plane
  eyes: readonly Eye[]
  /** How far it goes from the photograph, 0 to 1. */
  strength: number
  lines: boolean
  /** Whether the paper may show around the picture; not where somebody is cut out of it. */
  rim: boolean
  /** Pixels that make up a thousandth of the longer side: sizes of strokes and dots follow it. */
  unit: number
}

/** Draws an opaque picture of the input's size; the input stays as it is. */
export type Style = (input: StyleInput) => Picture

/** Where edges run: a unit tangent for every pixel. */
export interface EdgeFlow {
  x: Plane
  y: Plane
}

/** Squared contrast of grain. */
const grain = 0.0003

/**
 * Directions of edges: the eigenvector of the smaller eigenvalue of the structure tensor, averaged
 * over about `radius` pixels (used for line drawing by Kyprianidis & Kang 2011). Where no squared
 * contrast is above `faint`, strokes run down to the right, as a hand would hatch.
 */
export function edgeFlow(luma: Plane, radius: number, faint = grain): EdgeFlow {
  const { xx: sxx, xy: sxy, yy: syy } = structureTensor(luma, radius, 2)
  const [x, y] = [createPlane(luma.width, luma.height), createPlane(luma.width, luma.height)]
  for (let i = 0; i < x.data.length; i++) {
    const p = (sxx.data[i] as number) + faint / 2
    const q = (sxy.data[i] as number) - faint / 2
    const r = (syy.data[i] as number) + faint / 2
    const half = Math.sqrt((p - r) * (p - r) + 4 * q * q) / 2
    const mean = (p + r) / 2
    // The eigenvector of the larger eigenvalue points across the edge; the tangent is perpendicular
    // to it.
    const ex = q
    const ey = mean + half - p
    const length = Math.sqrt(ex * ex + ey * ey)
    x.data[i] = length > 1e-9 ? -ey / length : p >= r ? 0 : 1
    y.data[i] = length > 1e-9 ? ex / length : p >= r ? 1 : 0
  }
  return { x, y }
}

/** A copy whose planes may be changed. */
function copyTones({ luma, blue, red }: Tones): Tones {
  return { luma: copyPlane(luma), blue: copyPlane(blue), red: copyPlane(red) }
}

/**
 * The picture without fine texture; eyes, brows and mouths keep more of theirs. `reach` is in
 * thousandths of the longer side, `contrast` the weakest step between tones that stays (0 to 1).
 * Two passes, the second guided by the first (rolling guidance, Zhang et al. 2014): what one pass
 * needs to even out an area would bleed over its border.
 */
export function simplified({ tones, features, unit }: StyleInput, reach: number, contrast: number): Tones {
  const out = copyTones(tones)
  const channels = [out.luma, out.blue, out.red]
  const sigmaSpace = Math.max(2, reach * unit)
  smoothKeepingEdges(channels, [tones.luma, tones.blue, tones.red], { sigmaSpace, sigmaRange: contrast, rounds: 2 })
  const guides = copyTones(out)
  smoothKeepingEdges(channels, [guides.luma, guides.blue, guides.red], {
    sigmaSpace,
    sigmaRange: 0.5 * contrast,
    rounds: 2,
  })
  for (let i = 0; i < features.data.length; i++) {
    const keep = 0.7 * (features.data[i] as number)
    if (keep === 0) continue
    for (const name of ['luma', 'blue', 'red'] as const) {
      const smooth = out[name].data[i] as number
      out[name].data[i] = smooth + keep * ((tones[name].data[i] as number) - smooth)
    }
  }
  return out
}

/**
 * Lightness in soft steps (Winnemöller et al. 2006): `bins` levels with edges whose sharpness is
 * `sharpness`, in place. Soft steps do not flicker along gradients as hard ones do.
 */
export function quantise(luma: Plane, bins: number, sharpness: number): void {
  const width = 1 / bins
  for (let i = 0; i < luma.data.length; i++) {
    const value = luma.data[i] as number
    const nearest = width * (Math.floor(value * bins) + 0.5)
    luma.data[i] = nearest + (width / 2) * Math.tanh(sharpness * (value - nearest) * bins)
  }
}

/** Stronger or weaker colours, in place. */
export function saturate({ blue, red }: Tones, factor: number): void {
  for (let i = 0; i < blue.data.length; i++) {
    blue.data[i] = (blue.data[i] as number) * factor
    red.data[i] = (red.data[i] as number) * factor
  }
}

/**
 * Stretches lightness so that the darkest and lightest hundredth become 0 and 1, by at most half of
 * it, in place; gives pale photographs their contrast back.
 */
export function stretch(luma: Plane): void {
  const counts = new Uint32Array(256)
  for (let i = 0; i < luma.data.length; i++) {
    const bin = Math.max(0, Math.min(255, Math.round((luma.data[i] as number) * 255)))
    counts[bin] = (counts[bin] as number) + 1
  }
  const bottom = Math.min(0.25, countedQuantile(counts, 0.01) / 255)
  const top = Math.max(0.75, countedQuantile(counts, 0.99) / 255)
  const scale = 1 / (top - bottom)
  for (let i = 0; i < luma.data.length; i++) luma.data[i] = ((luma.data[i] as number) - bottom) * scale
}

/**
 * Lays ink over tones: towards black, or towards the colour's own dark shade with `tint` above 0.
 * In place.
 */
export function applyInk({ luma, blue, red }: Tones, ink: Plane, amount: number, tint = 0): void {
  for (let i = 0; i < ink.data.length; i++) {
    const cover = amount * (ink.data[i] as number)
    if (cover === 0) continue
    luma.data[i] = (luma.data[i] as number) * (1 - cover * (1 - 0.3 * tint))
    const colour = 1 - cover * (1 - tint)
    blue.data[i] = (blue.data[i] as number) * colour
    red.data[i] = (red.data[i] as number) * colour
  }
}
