import type { MeshPoints } from '#engine/host.ts'
import type { Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import type { Face } from './faces.ts'

/** What is seen in a picture before it is coloured; all planes of one size. */
export interface Sight {
  /** 0 to 1. */
  lightness: Plane
  /** In pixels of the planes. */
  faces: readonly MeshPoints[]
  /** Probability of a person. */
  person: Plane
}

/** Whom a picture shows; planes of the picture's size. */
export interface Portrait {
  faces: readonly Face[]
  /** Probability of bare skin below the faces. */
  bare: Plane
}

/** What each pixel is like. Without faces it is far from one. */
export interface Traits {
  /** Lightness, and that around it, nearer and wider. */
  level: Float32Array
  near: Float32Array
  wide: Float32Array
  /** Logarithms of the `roughness` within one, three and eight hundredths of the longer side. */
  texture: Float32Array
  folds: Float32Array
  unrest: Float32Array
  person: Float32Array
  bare: Float32Array
  /**
   * How far beside the face it belongs to, in its widths, at most 4, and how far below, in its
   * heights, −3 to 6.
   */
  aside: Float32Array
  under: Float32Array
  /** Parts of faces, 0 to 1. */
  face: Float32Array
  lips: Float32Array
  eyes: Float32Array
  brows: Float32Array
}

/** What is likely at every pixel; planes of one size. */
export interface Likely {
  /** Red–green and yellow–blue of CIELAB. */
  a: Plane
  b: Plane
  /** How firmly a pixel holds to it. */
  weight: Plane
  /** How much of that is a mere guess about surroundings, 0 to 1. */
  around: Plane
  /** How much of whatever colour clothes or fur may have comes on top, 0 to 1. */
  worn: Plane
  /** How much of an outline bare skin has for hints: 1 for faces, less for what is only guessed. */
  skin: Plane
  /** What each pixel is like; undefined where no face is seen. */
  traits: Traits | undefined
}

export function nothingLikely({ lightness: { width, height } }: Pick<Sight, 'lightness'>): Likely {
  const plane = () => createPlane(width, height)
  return { a: plane(), b: plane(), weight: plane(), around: plane(), worn: plane(), skin: plane(), traits: undefined }
}

/** Colours stop at the outline of people too, where lightness alone shows no edge. */
export function withOutlines({ lightness, person }: Sight): Plane {
  const plane = createPlane(lightness.width, lightness.height)
  for (let i = 0; i < plane.data.length; i++)
    plane.data[i] = (lightness.data[i] as number) + 0.3 * (person.data[i] as number)
  return plane
}

/** How much chroma there is room for: it fades towards black and white. */
export const roomFor = (level: number) => Math.sqrt(Math.max(0, Math.min(1, 4 * level * (1 - level))))

/** Nothing is colourful in the deepest shade: by this share colours fade there at last. */
export const colourfulness = (level: number) => Math.min(1, Math.max(0.15, (level - 0.02) / 0.16))
