import type { Size } from '#engine/image/picture.ts'
import type { SeededRandom } from '#engine/image/random.ts'
import type { Canvas, LinearRgb } from './canvas.ts'

/** 0 is neutral. */
export interface Wishes {
  /** Most important first. */
  colours: readonly LinearRgb[]
  refused: readonly LinearRgb[]
  without: readonly ('flowers' | 'plants' | 'shadow')[]
  /** −1 cold to 1 warm. */
  warmth: number
  /** −1 dark to 1 bright. */
  brightness: number
  /** −1 soft to 1 dramatic. */
  drama: number
  /** −1 sharper to 1 softer backgrounds. */
  blur: number
  /** 1 if the sky is to be seen. */
  sky: number
}

export const neutralWishes = (): Wishes & Record<'warmth' | 'brightness' | 'drama' | 'blur' | 'sky', number> => ({
  colours: [],
  refused: [],
  without: [],
  warmth: 0,
  brightness: 0,
  drama: 0,
  blur: 0,
  sky: 0,
})

export interface SceneBrief extends Size {
  chance: SeededRandom
  wishes: Wishes
  /** Direction of the light, −1 (left) to 1 (right). */
  side: number
}

/** Renders a scene in linear light. The same brief gives the same picture. */
export type Scene = (brief: SceneBrief) => Canvas

/** The requested colour or the scene's own; grey if the scene's own colour is to be avoided. */
export function colourOf({ wishes }: Pick<SceneBrief, 'wishes'>, own: LinearRgb): LinearRgb {
  const asked = wishes.colours[0]
  if (asked) return asked
  const level = luminance(own)
  return wishes.refused.some((colour) => hasSimilarHue(colour, own)) ? [level, level, level] : own
}

export function hasSimilarHue(a: LinearRgb, b: LinearRgb): boolean {
  const chroma = (light: LinearRgb) => light.map((value) => value / (luminance(light) + 0.01) - 1)
  const [one, other] = [chroma(a), chroma(b)]
  const dot = one.reduce((sum, value, c) => sum + value * (other[c] as number), 0)
  return dot > 0.8 * Math.hypot(...one) * Math.hypot(...other)
}

/** Linear light of an sRGB colour such as `#c08a5a` (IEC 61966-2-1). */
export function lightOf(colour: string): LinearRgb {
  const value = Number.parseInt(colour.slice(1), 16)
  return [linearOf((value >> 16) / 255), linearOf(((value >> 8) & 255) / 255), linearOf((value & 255) / 255)]
}

/** Linear light of an sRGB level, both from 0 to 1. */
export function linearOf(level: number): number {
  return level <= 0.04045 ? level / 12.92 : ((level + 0.055) / 1.055) ** 2.4
}

/** sRGB, 0 to 1, of linear light from 0 to 1. */
export function srgbOf(light: number): number {
  return light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055
}

/** Relative luminance (ITU-R BT.709). */
export const luminance = ([red, green, blue]: LinearRgb): number => 0.2126 * red + 0.7152 * green + 0.0722 * blue

export const scaleColour = ([red, green, blue]: LinearRgb, factor: number): LinearRgb => [
  red * factor,
  green * factor,
  blue * factor,
]

export const mixColours = (a: LinearRgb, b: LinearRgb, share: number): LinearRgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
]

/** Gaussian falloff of a lamp's light, 1 in its middle. */
export function lampFalloff(x: number, y: number, wide: number, high: number): number {
  return Math.exp(-((x / wide) ** 2) - (y / high) ** 2)
}
