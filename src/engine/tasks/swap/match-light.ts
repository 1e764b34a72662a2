import { clamp, countedQuantile } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { smoothMap, smoothMapWithin } from '#engine/image/smooth-map.ts'
import type { FaceSurface } from '#engine/tasks/faces/skin.ts'

/** Added to 8-bit values before the logarithm, to limit noise in dark areas. */
export const lightOffset = 8

/** Logarithmic factors for red, green and blue. */
export type LightGains = readonly [Plane, Plane, Plane]

/**
 * Radii, as shares of the face's width, of the maps of a face's light: for the whole face, and for
 * shadows. Narrower structures are the form of eye sockets, cheeks and nose; so is a difference
 * between both maps of up to `form` (a logarithm). Form identifies a person and must not change.
 */
const wholeReach = 0.6
const lightReach = 0.12
const form = 0.3
const colourReach = 0.2
const borderReach = 0.03
/** Largest local change of brightness and of colour relative to the whole face, as logarithms. */
const maxLight = 0.8
const maxColour = 0.15
/** Deviation from the surroundings that reduces a pixel's weight to 1/e. */
const usualDeviation = 0.2
const maxBorderDifference = 0.2
/** Depth of the border correction inside the face, as a share of its width. */
const borderDepth = 0.05

/** One channel, 8-bit: skin's median becomes `wanted`; darker and brighter have own factors. */
interface ToneMapping {
  middle: number
  wanted: number
  below: number
  above: number
  /** Values below this are scaled linearly to black. */
  black: number
}

interface Seen extends Pick<FaceSurface, 'hull' | 'skin' | 'features' | 'foreign' | 'shade'> {
  picture: Picture
}

/**
 * Limits of contrast: towards the dark of eyes and brows, highlights, and of one channel to all.
 */
const contrasts = { below: [0.6, 1.2], above: [0.5, 1.1], channel: 1.25 } as const

/**
 * Mappings of red, green and blue that match skin's median and highlights and the dark of eyes and
 * brows to another face. They remove haze over eyes and prevent overexposure by harder light. With
 * `glasses` black and grey stay, because frames and lenses are no evidence of haze.
 */
export function matchLevels(own: Seen, other: Seen, { glasses = false } = {}): readonly ToneMapping[] {
  const from = [0, 1, 2].map((channel) => levelsOf(own, channel))
  const to = [0, 1, 2].map((channel) => levelsOf(other, channel))
  const factor = (
    part: (tone: Tone) => number,
    [least, most]: readonly [number, number],
    channelLimit: number = contrasts.channel,
  ) => {
    // Contrast is relative to brightness; otherwise shadows on skin would change colour.
    const contrast = (tones: readonly Tone[]) => contrastOf(tones, part)
    const common = clamp(contrast(to) / contrast(from), least, most)
    // Limit the stretch of a single channel, because its noise would turn into blots of colour.
    return (channel: number) => {
      const [own, other] = [from[channel], to[channel]] as [Tone, Tone]
      const wanted = contrast([other]) / contrast([own])
      const share = clamp(wanted, common / channelLimit, common * channelLimit)
      return (share * Math.max(6, other.middle)) / Math.max(6, own.middle)
    }
  }
  const below = factor(({ black, middle }) => middle - black, contrasts.below, glasses ? 1 : undefined)
  const above = factor(({ light, middle }) => light - middle, contrasts.above)
  return [0, 1, 2].map((channel) => {
    const { middle } = from[channel] as Tone
    const wanted = (to[channel] as Tone).middle
    return { middle, wanted, below: below(channel), above: above(channel), black: glasses ? blackShare * middle : 0 }
  })
}

/** Share of the skin's brightness below which pixels belong to frames of glasses. */
const blackShare = 0.35

/** Largest 8-bit difference from the mean of equal brightness, and share of other pixels. */
const tintLimits = { difference: 12, share: 0.05, steps: 32 } as const

/** Black and white or sepia: skin, lips and eyes have one tint. */
export function isMonochrome({ data }: Picture, hull: Plane): boolean {
  const sums = new Float64Array(3 * tintLimits.steps)
  const each = (visit: (red: number, blue: number, at: number) => void) => {
    for (let i = 0; i < hull.data.length; i++) {
      if ((hull.data[i] as number) <= 0) continue
      const [red, green, blue] = [data[4 * i] as number, data[4 * i + 1] as number, data[4 * i + 2] as number]
      visit(red - green, blue - green, 3 * Math.floor((green * tintLimits.steps) / 256))
    }
  }
  each((red, blue, at) => {
    sums[at] = (sums[at] as number) + 1
    sums[at + 1] = (sums[at + 1] as number) + red
    sums[at + 2] = (sums[at + 2] as number) + blue
  })
  let [all, coloured] = [0, 0]
  each((red, blue, at) => {
    const count = sums[at] as number
    const away = [red - (sums[at + 1] as number) / count, blue - (sums[at + 2] as number) / count]
    all++
    if (Math.max(...away, 0) - Math.min(...away, 0) > tintLimits.difference) coloured++
  })
  return coloured <= tintLimits.share * all
}

/** Dark of eyes and brows, and median and highlights of a face's skin, 0 to 255. */
interface Tone {
  black: number
  middle: number
  light: number
}

/** Darkness of eyes and brows relative to the skin's brightness, 0 to 1. */
export function featureContrast(face: Seen): number {
  return contrastOf(
    [0, 1, 2].map((channel) => levelsOf(face, channel)),
    ({ black, middle }) => middle - black,
  )
}

function contrastOf(tones: readonly Tone[], part: (tone: Tone) => number): number {
  const sum = (part: (tone: Tone) => number) => tones.reduce((total, tone) => total + Math.max(6, part(tone)), 0)
  return sum(part) / sum(({ middle }) => middle)
}

function levelsOf({ picture, hull, skin, features, foreign, shade }: Seen, channel: number): Tone {
  const dark = new Uint32Array(256)
  const bare = new Uint32Array(256)
  for (let i = 0; i < hull.data.length; i++) {
    if ((hull.data[i] as number) <= 0) continue
    const value = picture.data[4 * i + channel] as number
    const open = (foreign.data[i] as number) < 0.5 && (shade.data[i] as number) < 0.5
    // Exclude hair and deep shadow in front of the face, which are darker than any part of it.
    if (open && (features.data[i] as number) > 0) dark[value] = (dark[value] as number) + 1
    if ((skin.data[i] as number) > 0.5) bare[value] = (bare[value] as number) + 1
  }
  return { black: countedQuantile(dark, 0.05), middle: countedQuantile(bare, 0.5), light: countedQuantile(bare, 0.95) }
}

/** Brightness above which lit skin is compressed towards white instead of clipped. */
const shoulder = 205

/** Compresses an 8-bit value `lit`, which may exceed 255, towards white, but not below `kept`. */
export function compressHighlights(lit: number, kept: number): number {
  const knee = Math.max(kept, shoulder)
  const rest = 256 - knee
  return lit > knee ? knee + rest * (1 - Math.exp((knee - lit) / rest)) : lit
}

export function applyLevels({ data }: Picture, levels: readonly ToneMapping[]): void {
  for (let channel = 0; channel < 3; channel++) {
    const { middle, wanted, below, above, black } = levels[channel] as ToneMapping
    const dark = wanted + below * (black - middle)
    const table = Uint8ClampedArray.from({ length: 256 }, (_, value) => {
      const mapped = compressHighlights(
        wanted + (value < middle ? below : above) * (value - middle),
        Math.max(value, wanted),
      )
      return value < black ? Math.min(mapped, (dark * value) / black) : mapped
    })
    for (let i = channel; i < data.length; i += 4) data[i] = table[data[i] as number] as number
  }
}

/**
 * Factors that give a warped face the light and skin colour of the face below: the quotient of both
 * faces' smooth skin maps (quotient image, Shashua and Riklin-Raviv 2001), locally only beyond
 * `form`, so that the target's shadows and the source's features stay; then the difference at the
 * border, continued inwards. The border only counts where both show skin, so that hair, collars or
 * frames never bleed in (mixed boundary). `skin` is where both show skin, `border` the blend band,
 * `depth` the distance from it, `unit` the face's width in pixels.
 */
export function lightGains(
  warped: Picture,
  target: Picture,
  { skin, border, depth, unit }: { skin: Plane; border: Plane; depth: Float32Array; unit: number },
): LightGains {
  const { width, height } = target
  const quotients = [0, 1, 2].map((channel) => quotientOf(warped, target, skin, channel))
  const [red, green, blue] = quotients as unknown as LightGains
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
  const adjust = (quotient: Plane, smooth: Plane, limit: number) =>
    meetBorder(quotient, smooth, { border, depth, unit, limit })
  const bright = adjust(light, lightOf(light, skin, unit), maxLight)
  const reds = adjust(warm, usualMap(warm, skin, colourReach * unit), maxColour)
  const blues = adjust(cold, usualMap(cold, skin, colourReach * unit), maxColour)
  const out = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let i = 0; i < light.data.length; i++) {
    const [all, r, b] = [bright.data[i] as number, reds.data[i] as number, blues.data[i] as number]
    out[0].data[i] = all + r
    // Preserves the total brightness.
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
    quotient.data[i] = Math.log((below + lightOffset) / (above + lightOffset))
  }
  return quotient
}

function lightOf(quotient: Plane, skin: Plane, unit: number): Plane {
  const whole = usualMap(quotient, skin, wholeReach * unit)
  const parts = usualMap(quotient, skin, lightReach * unit)
  const data = parts.data.map((value, i) => {
    const all = whole.data[i] as number
    return value - clamp(value - all, -form, form)
  })
  return { ...parts, data }
}

function usualMap(quotient: Plane, skin: Plane, reach: number): Plane {
  const smooth = smoothMapWithin(quotient, skin, reach)
  // Edges of shadow and shine do not represent the light of the whole region.
  const usual = createPlane(quotient.width, quotient.height)
  for (let i = 0; i < usual.data.length; i++) {
    const weight = skin.data[i] as number
    if (weight <= 0) continue
    const off = ((quotient.data[i] as number) - (smooth.data[i] as number)) / usualDeviation
    usual.data[i] = weight * Math.exp(-off * off)
  }
  return smoothMap(quotient, usual, reach)
}

function meetBorder(
  quotient: Plane,
  smooth: Plane,
  { border, depth, unit, limit }: { border: Plane; depth: Float32Array; unit: number; limit: number },
): Plane {
  const rest = createPlane(quotient.width, quotient.height)
  for (let i = 0; i < smooth.data.length; i++) {
    const value = clamp(smooth.data[i] as number, -limit, limit)
    smooth.data[i] = value
    if ((border.data[i] as number) > 0) {
      rest.data[i] = clamp((quotient.data[i] as number) - value, -maxBorderDifference, maxBorderDifference)
    }
  }
  const membrane = smoothMap(rest, border, borderReach * unit)
  for (let i = 0; i < smooth.data.length; i++) {
    const fade = Math.exp(-((depth[i] as number) / (borderDepth * unit)))
    smooth.data[i] = (smooth.data[i] as number) + fade * (membrane.data[i] as number)
  }
  return smooth
}
