import type { Canvas, Light } from './canvas.ts'
import type { Chance } from './noise.ts'

/** What the words of a prompt ask of a scene; 0 means nothing in particular. */
export interface Wishes {
  /** Colours that were named, the first one the most important. */
  colours: readonly Light[]
  /** −1 cold to 1 warm. */
  warmth: number
  /** −1 dark to 1 bright. */
  brightness: number
  /** −1 soft to 1 dramatic. */
  drama: number
  /** −1 sharper to 1 softer backgrounds. */
  blur: number
  time: 'day' | 'dawn' | 'dusk' | 'night' | undefined
}

/** What a scene is made from. */
export interface SceneBrief {
  width: number
  height: number
  chance: Chance
  wishes: Wishes
  /** Where light comes from: −1 from the left to 1 from the right. */
  side: number
}

/** A scene in linear light. The same brief gives the same picture. */
export type Scene = (brief: SceneBrief) => Canvas

/** The colour that was asked for, or the scene's own. */
export function colourOf({ wishes }: Pick<SceneBrief, 'wishes'>, own: Light, rank = 0): Light {
  return wishes.colours[rank] ?? own
}
