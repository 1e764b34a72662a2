import type { Picture, Plane } from '../../picture.ts'
import { createPlane } from '../../plane.ts'
import { smoothMap } from '../skin.ts'

/** Added to 8-bit values before logarithms are taken, so that noise in the dark stays small. */
export const dark = 8

/** Logarithmic factors for red, green and blue. */
export type Gains = readonly [Plane, Plane, Plane]

/** How wide the light of a face is seen, as a share of its width. */
const lightReach = 0.08
const colourReach = 0.2
const borderReach = 0.03
/** How much a part of a face may be made darker, brighter or of another colour than the whole of it, as logarithms. */
const maxLight = 0.8
const maxColour = 0.15
/** A pixel whose quotient is so far from that around it hardly counts. */
const unusual = 0.2
/** How much may still differ at the border then. */
const maxRest = 0.3
/** How far the match at the border reaches into the face, as a share of its width. */
const borderDepth = 0.22

/** What an affine map of one channel has to do: value · factor + shift, both in 8-bit values. */
export interface Levels {
  factor: number
  shift: number
}

/**
 * The maps of red, green and blue that bring a face's darkest values and the middle of its skin to those of another face, so that a veil of
 * coloured light over the dark of eyes and brows goes. `hull` and `skin` belong to the face before them.
 */
export function matchLevels(
  own: { picture: Picture; hull: Plane; skin: Plane },
  other: { picture: Picture; hull: Plane; skin: Plane },
): readonly Levels[] {
  const from = [0, 1, 2].map((channel) => levelsOf(own, channel))
  const to = [0, 1, 2].map((channel) => levelsOf(other, channel))
  const contrast = (levels: readonly [number, number][]) =>
    levels.reduce((sum, [black, middle]) => sum + Math.max(6, middle - black), 0)
  const common = within(contrast(to) / contrast(from), 0.5, 2)
  return [0, 1, 2].map((channel) => {
    const [black, middle] = from[channel] as [number, number]
    const [wantedBlack, wantedMiddle] = to[channel] as [number, number]
    // One channel alone is not stretched much: its noise would turn into blots of colour.
    const wanted = (wantedMiddle - wantedBlack) / Math.max(6, middle - black)
    const factor = within(wanted, 0.8 * common, 1.25 * common)
    return { factor, shift: wantedMiddle - factor * middle }
  })
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value))

/** The darkest values of a face and the middle of its skin, 0 to 255. */
function levelsOf(
  { picture, hull, skin }: { picture: Picture; hull: Plane; skin: Plane },
  channel: number,
): [number, number] {
  const inside = new Uint32Array(256)
  const bare = new Uint32Array(256)
  for (let i = 0; i < hull.data.length; i++) {
    if ((hull.data[i] as number) <= 0) continue
    const value = picture.data[4 * i + channel] as number
    inside[value] = (inside[value] as number) + 1
    if ((skin.data[i] as number) > 0.5) bare[value] = (bare[value] as number) + 1
  }
  return [quantile(inside, 0.01), quantile(bare, 0.5)]
}

function quantile(counts: Uint32Array, share: number): number {
  const all = counts.reduce((sum, count) => sum + count, 0)
  let seen = 0
  return Math.max(
    0,
    counts.findIndex((count) => {
      seen += count
      return seen > share * all
    }),
  )
}

/** Applies {@link matchLevels}, in place. */
export function applyLevels({ data }: Picture, levels: readonly Levels[]): void {
  for (let channel = 0; channel < 3; channel++) {
    const { factor, shift } = levels[channel] as Levels
    for (let i = channel; i < data.length; i += 4) data[i] = (data[i] as number) * factor + shift
  }
}

/**
 * Factors that give a warped face the light and skin colour of the face below it. First the quotient of both faces' smooth maps of skin
 * (quotient image, Shashua and Riklin-Raviv 2001), so that the target's shading stays; colour follows a wider map than brightness. Then what
 * still differs at the border is continued inward. The border only counts where both show skin, so that hair, collars or frames never
 * bleed into the face (mixed boundary). `skin` is where both show skin, `border` the band in which they are blended, `depth` the distance from
 * the outline; `unit` the face's width in pixels.
 */
export function lightGains(
  warped: Picture,
  target: Picture,
  { skin, border, depth, unit }: { skin: Plane; border: Plane; depth: Float32Array; unit: number },
): Gains {
  const { width, height } = target
  const [red, green, blue] = [0, 1, 2].map((channel) => quotientOf(warped, target, skin, channel)) as [
    Plane,
    Plane,
    Plane,
  ]
  const light = createPlane(width, height)
  const warm = createPlane(width, height)
  const cold = createPlane(width, height)
  for (let i = 0; i < light.data.length; i++) {
    const [r, g, b] = [red.data[i] as number, green.data[i] as number, blue.data[i] as number]
    const all = 0.3 * r + 0.59 * g + 0.11 * b
    light.data[i] = all
    warm.data[i] = r - all
    cold.data[i] = b - all
  }
  const settle = (plane: Plane, reach: number, limit: number) =>
    continueBorder(plane, { skin, border, depth, unit, reach: reach * unit, limit })
  const bright = settle(light, lightReach, maxLight)
  const reds = settle(warm, colourReach, maxColour)
  const blues = settle(cold, colourReach, maxColour)
  const out = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let i = 0; i < light.data.length; i++) {
    const [all, r, b] = [bright.data[i] as number, reds.data[i] as number, blues.data[i] as number]
    out[0].data[i] = all + r
    // Brightness as a whole stays as it is.
    out[1].data[i] = all - (0.3 * r + 0.11 * b) / 0.59
    out[2].data[i] = all + b
  }
  return out
}

function quotientOf(warped: Picture, target: Picture, skin: Plane, channel: number): Plane {
  const quotient = createPlane(target.width, target.height)
  for (let i = 0; i < quotient.data.length; i++) {
    if ((skin.data[i] as number) <= 0) continue
    const [below, above] = [target.data[4 * i + channel] as number, warped.data[4 * i + channel] as number]
    quotient.data[i] = Math.log((below + dark) / (above + dark))
  }
  return quotient
}

/** The smooth map of a quotient, which meets the quotient itself at the border. */
function continueBorder(
  quotient: Plane,
  options: { skin: Plane; border: Plane; depth: Float32Array; unit: number; reach: number; limit: number },
): Plane {
  const { skin, border, depth, unit, reach, limit } = options
  const smooth = smoothMap(quotient, skin, reach)
  // Edges in shadow and shine are no light that the whole region has.
  const usual = createPlane(quotient.width, quotient.height)
  for (let i = 0; i < usual.data.length; i++) {
    const weight = skin.data[i] as number
    if (weight <= 0) continue
    const off = ((quotient.data[i] as number) - (smooth.data[i] as number)) / unusual
    usual.data[i] = weight * Math.exp(-off * off)
  }
  smooth.data.set(smoothMap(quotient, usual, reach).data)
  const rest = createPlane(quotient.width, quotient.height)
  for (let i = 0; i < rest.data.length; i++) {
    const value = within(smooth.data[i] as number, -limit, limit)
    smooth.data[i] = value
    if ((border.data[i] as number) > 0) {
      rest.data[i] = within((quotient.data[i] as number) - value, -maxRest, maxRest)
    }
  }
  const membrane = smoothMap(rest, border, borderReach * unit)
  for (let i = 0; i < smooth.data.length; i++) {
    const fade = Math.exp(-((depth[i] as number) / (borderDepth * unit)))
    smooth.data[i] = (smooth.data[i] as number) + fade * (membrane.data[i] as number)
  }
  return smooth
}
