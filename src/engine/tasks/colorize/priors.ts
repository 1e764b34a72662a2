import { createPlane, share } from '#engine/image/plane.ts'
import { type ColourEstimate, emptyEstimate, type Observations, roomFor } from './colour-estimate.ts'
import { paintPeople } from './people.ts'
import type { Belief } from './solve.ts'
import { paintSurroundings } from './surroundings.ts'
import { shown } from './tint.ts'

/** Guesses of one of the variants: how warm the whole is, and which colour clothes may have. */
interface Mood {
  warmth: number
  /** How colourful what is not sure is around people, who are looked at first: 1 fully. */
  surroundings: number
  vividness: number
  clothes: readonly [a: number, b: number]
  /** What is alive where no face is seen is mostly an animal. */
  fur: readonly [a: number, b: number]
}

/** Closest to what is mostly true; warm and rich; cool. */
const moods: readonly Mood[] = [
  { warmth: 0, surroundings: shown, vividness: 1, clothes: [0, 0], fur: [9, 12] },
  { warmth: 3, surroundings: 1, vividness: 1.2, clothes: [11, 13], fur: [12, 17] },
  { warmth: -3, surroundings: 1, vividness: 1.05, clothes: [-2, -13], fur: [6, 8] },
]

/** Likely colours of everything that is seen, whatever the variant. */
export function estimateColours(observed: Observations): ColourEstimate {
  const estimate = emptyEstimate(observed)
  paintSurroundings(observed, estimate)
  paintPeople(observed, estimate)
  return estimate
}

/** The colours of some variants, red–green and yellow–blue by turns, before they are spread. */
export function guessColours(observed: Observations, estimate: ColourEstimate, variants: readonly number[]): Belief {
  const { width, height } = estimate.weight
  const crowded = observed.faces.length > 0
  // Whoever is seen without a face may be anybody or anything.
  const looked = crowded || share(observed.person, 0.5) > 0.02
  const values = variants.flatMap((variant) => {
    const mood = moods[variant] as Mood
    const surroundings = looked ? mood.surroundings : 1
    const [red, yellow] = crowded ? mood.clothes : mood.fur
    const [a, b] = [createPlane(width, height), createPlane(width, height)]
    for (let i = 0; i < a.data.length; i++) {
      const calm = mood.vividness * (1 - (estimate.around.data[i] as number) * (1 - surroundings))
      const worn = mood.vividness * (estimate.worn.data[i] as number)
      a.data[i] = calm * (estimate.a.data[i] as number) + worn * red
      b.data[i] =
        calm * (estimate.b.data[i] as number) +
        worn * yellow +
        mood.warmth * roomFor(observed.lightness.data[i] as number)
    }
    return [a, b]
  })
  return { values, weight: estimate.weight }
}
