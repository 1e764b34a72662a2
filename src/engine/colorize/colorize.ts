import type { MeshPoints } from '../host.ts'
import type { Picture, Plane } from '../picture.ts'
import { fitArea } from '../pixels.ts'
import { createPlane, resizeSmooth, shrink } from '../plane.ts'
import { type ColourHint, placeHints } from './hints.ts'
import { levelsOf } from './lab.ts'
import { likelyColours, moods, type Sight } from './priors.ts'
import { enlargeAlong, spreadColours } from './solve.ts'

export interface ColorizeOptions {
  /** Meshes of the faces in pixels of the picture. */
  faces: readonly MeshPoints[]
  /** Probability of a person, of any size. */
  person: Plane
  hints: readonly ColourHint[]
  /** Which guess of what is not known: 0, 1 or 2. */
  variant: number
}

/** Red–green and yellow–blue of CIELAB for every pixel of a reduced picture, and the lightness they belong to. */
export interface Chroma {
  a: Plane
  b: Plane
  lightness: Plane
}

/** Colours need less detail than lightness (Levin et al. solve at full size; this is the area that people still see). */
const solveArea = 110_000
/** Colours for a lightness plane (0 to 1): likely ones by what is seen, and those of the hints, spread to the edges. */
export function findColours(lightness: Plane, { faces, person, hints, variant }: ColorizeOptions): Chroma {
  const { width, height } = fitArea(lightness, solveArea)
  const small = shrink(lightness, width, height)
  const scale = width / lightness.width
  const sight = {
    lightness: small,
    faces: faces.map((points) => points.map(([x, y, z]) => [x * scale, y * scale, z * scale] as const)),
    person: decided(resizeSmooth(person, width, height)),
  }
  const { a, b } = likelyColours(sight, moods[variant] ?? (moods[0] as (typeof moods)[number]))
  placeHints(sight, hints, scale, a, b)
  const [red, yellow] = spreadColours(withOutlines(sight), [a, b])
  return { a: red as Plane, b: yellow as Plane, lightness: small }
}

/** The model's probability falls off over a wide border; colours need to know on which side they are. */
function decided(person: Plane): Plane {
  return { ...person, data: person.data.map((share) => Math.min(1, Math.max(0, (share - 0.35) / 0.3))) }
}

/** Colours stop at the outline of people too, where lightness alone shows no edge. */
function withOutlines({ lightness, person }: Sight): Plane {
  const plane = createPlane(lightness.width, lightness.height)
  for (let i = 0; i < plane.data.length; i++)
    plane.data[i] = (lightness.data[i] as number) + 0.3 * (person.data[i] as number)
  return plane
}

/** Nothing is colourful in the deepest shade. */
const colourfulness = (level: number) => Math.min(1, Math.max(0.15, (level - 0.02) / 0.16))

/** The coloured picture; `saturation` 0 grey, 1 as found, up to 2. */
export function applyColours(lightness: Plane, chroma: Chroma, saturation: number): Picture {
  const { width, height } = lightness
  const [a, b] = enlargeAlong([chroma.a, chroma.b], chroma.lightness, lightness)
  const data = new Uint8ClampedArray(width * height * 4)
  const out: [number, number, number] = [0, 0, 0]
  for (let i = 0, j = 0; i < lightness.data.length; i++, j += 4) {
    const level = lightness.data[i] as number
    const share = saturation * colourfulness(level)
    levelsOf(100 * level, share * (a.data[i] as number), share * (b.data[i] as number), out)
    data[j] = out[0]
    data[j + 1] = out[1]
    data[j + 2] = out[2]
    data[j + 3] = 255
  }
  return { width, height, data }
}
