import type { MeshPoints } from '#engine/host.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import { colourfulness, withOutlines } from './colour-estimate.ts'
import { type ColourHint, placeHints } from './hints.ts'
import { levelsOf } from './lab.ts'
import { estimateColours, guessColours } from './priors.ts'
import { enlargeAlong, spreadColours } from './solve.ts'

export interface ColorizeOptions {
  /** Meshes of the faces in pixels of the picture. */
  faces: readonly MeshPoints[]
  /** Probability of a person, of any size. */
  person: Plane
  hints: readonly ColourHint[]
  /** Which guesses of what is not known: any of 0, 1 and 2. */
  variants: readonly number[]
}

/**
 * Red–green and yellow–blue of CIELAB for every pixel of a reduced picture, and the lightness they
 * belong to.
 */
export interface Chroma {
  /** Red–green and yellow–blue by turns, two for each variant. */
  planes: readonly Plane[]
  lightness: Plane
}

/**
 * Colours need less detail than lightness (Levin et al. solve at full size; this is the area that
 * people still see).
 */
const solveArea = 110_000

/**
 * Colours for a lightness plane (0 to 1): likely ones by what is seen, and those of the hints,
 * spread to the edges.
 */
export function findColours(lightness: Plane, { faces, person, hints, variants }: ColorizeOptions): Chroma {
  const { width, height } = fitArea(lightness, solveArea)
  const small = shrink(lightness, width, height)
  const scale = width / lightness.width
  const observed = {
    lightness: small,
    faces: faces.map((points) => points.map(([x, y, z]) => [x * scale, y * scale, z * scale] as const)),
    person: decided(resizeSmooth(person, width, height)),
  }
  const estimate = estimateColours(observed)
  const belief = guessColours(observed, estimate, variants)
  placeHints(observed, estimate, hints, scale, belief)
  return { planes: spreadColours(withOutlines(observed), belief), lightness: small }
}

/**
 * The model's probability falls off over a wide border; colours need to know on which side they
 * are.
 */
function decided(person: Plane): Plane {
  return { ...person, data: person.data.map((share) => Math.min(1, Math.max(0, (share - 0.35) / 0.3))) }
}

/** The coloured pictures, one for each variant; `saturation` 0 grey, 1 as found, up to 2. */
export function applyColours(lightness: Plane, chroma: Chroma, saturation: number): Picture[] {
  const { width, height } = lightness
  const pictures = Array.from({ length: chroma.planes.length / 2 }, () => ({
    width,
    height,
    data: new Uint8ClampedArray(width * height * 4),
  }))
  const out: [number, number, number] = [0, 0, 0]
  enlargeAlong(chroma.planes, chroma.lightness, lightness, (i, values) => {
    const level = lightness.data[i] as number
    const share = saturation * colourfulness(level)
    for (let k = 0; k < pictures.length; k++) {
      levelsOf(100 * level, share * (values[2 * k] as number), share * (values[2 * k + 1] as number), out)
      const { data } = pictures[k] as Picture
      data[4 * i] = out[0]
      data[4 * i + 1] = out[1]
      data[4 * i + 2] = out[2]
      data[4 * i + 3] = 255
    }
  })
  return pictures
}
