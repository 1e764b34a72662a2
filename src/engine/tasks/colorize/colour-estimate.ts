import type { MeshPoints } from '#engine/host.ts'
import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { feather, fillPolygon, outlineOf, type outlines } from '#engine/tasks/faces/regions.ts'
import { type Face, nearestFace } from './faces.ts'

/** What is seen in a picture before it is coloured; all planes of one size. */
export interface Observations {
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
export interface ColourEstimate {
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

export function emptyEstimate({ lightness: { width, height } }: Pick<Observations, 'lightness'>): ColourEstimate {
  const plane = () => createPlane(width, height)
  return { a: plane(), b: plane(), weight: plane(), around: plane(), worn: plane(), skin: plane(), traits: undefined }
}

/** Colours stop at the outline of people too, where lightness alone shows no edge. */
export function withOutlines({ lightness, person }: Observations): Plane {
  const plane = createPlane(lightness.width, lightness.height)
  for (let i = 0; i < plane.data.length; i++)
    plane.data[i] = (lightness.data[i] as number) + 0.3 * (person.data[i] as number)
  return plane
}

/** How much chroma there is room for: it fades towards black and white. */
export const roomFor = (level: number) => Math.sqrt(Math.max(0, Math.min(1, 4 * level * (1 - level))))

/** Nothing is colourful in the deepest shade: by this share colours fade there at last. */
export const colourfulness = (level: number) => Math.min(1, Math.max(0.15, (level - 0.02) / 0.16))

/** The longer side's share that `roughness` looks at for finer and coarser texture, in pixels. */
export const reachOf = (share: number, { width, height }: Pick<Plane, 'width' | 'height'>) =>
  Math.max(2, Math.round(share * Math.max(width, height)))

export function traitsOf({ lightness, person }: Observations, portrait: Portrait | undefined): Traits {
  const { width, height } = lightness
  const faces = portrait?.faces ?? []
  const within = (share: number) => reachOf(share, lightness)
  const rough = (share: number) => roughness(lightness, within(share)).data.map((value) => Math.log(value + 0.002))
  const part = (names: readonly (keyof typeof outlines)[], softness: number) => {
    const plane = createPlane(width, height)
    for (const { mesh } of faces) for (const name of names) fillPolygon(plane, outlineOf(mesh, name))
    return (softness > 0 ? feather(plane, softness) : plane).data
  }
  const soft = (faces[0]?.wide ?? 0) / 100
  return {
    level: lightness.data,
    near: boxBlur(lightness, within(0.02)).data,
    wide: boxBlur(boxBlur(lightness, within(0.08)), within(0.05)).data,
    texture: rough(0.01),
    folds: rough(0.03),
    unrest: rough(0.08),
    person: person.data,
    bare: portrait?.bare.data ?? new Float32Array(width * height),
    ...besideFaces(faces, width, height),
    face: part(['face'], 0),
    lips: part(['lips'], soft),
    eyes: part(['leftEye', 'rightEye'], 0),
    brows: part(['leftBrow', 'rightBrow'], soft),
  }
}

function besideFaces(faces: readonly Face[], width: number, height: number): Pick<Traits, 'aside' | 'under'> {
  const aside = new Float32Array(width * height)
  const under = new Float32Array(width * height)
  if (faces.length === 0) return { aside, under }
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const face = nearestFace(faces, x, y)
      aside[i] = Math.min(4, Math.abs(x - face.centre) / face.wide)
      under[i] = Math.max(-3, Math.min(6, (y - face.bottom) / face.tall))
    }
  }
  return { aside, under }
}
