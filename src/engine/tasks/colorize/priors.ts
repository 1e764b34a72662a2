import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, share } from '#engine/image/plane.ts'
import { ramp } from '#engine/image/ramp.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { type ColourEstimate, emptyEstimate, type Observations, roomFor } from './colour-estimate.ts'
import { paintPeople } from './people.ts'
import type { Belief } from './solve.ts'
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

/**
 * Sky, plants and ground by place, lightness and texture; behind people, plain walls; everything
 * else a little warm, as most scenes are.
 */
function paintSurroundings({ lightness, person, faces }: Observations, estimate: ColourEstimate): void {
  const { width, height, data } = lightness
  const reach = Math.max(2, Math.round(0.012 * Math.max(width, height)))
  const texture = roughness(lightness, reach)
  const lines = layingLines(lightness, 3 * reach)
  const crowded = faces.length > 0
  const night = crowded ? 0 : ramp(0.4, 0.25, middleOf(lightness))
  for (let y = 0, i = 0; y < height; y++) {
    const down = (y + 0.5) / height
    for (let x = 0; x < width; x++, i++) {
      const level = data[i] as number
      const grain = texture.data[i] as number
      const behind = 1 - (person.data[i] as number)
      const even = 1 - ramp(0.006, 0.03, grain)
      const sky = (crowded ? 0.4 : 1) * even * ramp(0.5, 0.72, level) * ramp(0.62, 0.2, down)
      // Behind people a plain wall or backdrop is mostly grey to blue.
      const wall = crowded ? even * ramp(0.72, 0.5, level) * ramp(0.08, 0.2, level) : 0
      const plant =
        (crowded ? 0.3 : 1) *
        ramp(0.02, 0.05, grain) *
        ramp(0.75, 0.5, level) *
        ramp(0.08, 0.22, level) *
        // Boards, walls and other work of hands have lines that run one way.
        ramp(0.6, 0.35, lines.data[i] as number)
      const ground = ramp(0.6, 0.9, down) * (1 - plant)
      // Indoors, where most people are, the ground is a floor of any colour.
      const floor = (crowded ? 0.5 : 1) * ground
      const rest = Math.max(0, 1 - sky - plant - ground - wall) * (crowded ? 1 - 0.75 * even : 1)
      // At night what is dark is blue, and what is lit is lit warmly.
      const dusk = night * even * ramp(0.45, 0.3, level)
      const red = (1 - dusk) * (sky * -2 + plant * -5 + floor * 4 + rest * 3 + wall) + dusk * 2
      const yellow = (1 - dusk) * (sky * -8 + plant * 15 + floor * 11 + rest * 6 + wall * -13) - dusk * 14
      const room = roomFor(level) * behind
      estimate.a.data[i] = room * red
      estimate.b.data[i] = room * yellow
      // An even wall keeps the glow of skin off; rough places beside outlines may still be part of
      // somebody.
      estimate.weight.data[i] = 0.004 + 0.012 * behind * Math.max(sky, plant, 0.4 * even)
      estimate.around.data[i] = behind
    }
  }
}

/**
 * How much the lines around each pixel run one way that is not upwards, as plants do: 0 to 1, by
 * the structure tensor's eigenvalues.
 */
function layingLines({ width, height, data }: Plane, reach: number): Plane {
  const tensor = [createPlane(width, height), createPlane(width, height), createPlane(width, height)] as const
  for (let y = 1; y < height - 1; y++) {
    for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
      const dx = (data[i + 1] as number) - (data[i - 1] as number)
      const dy = (data[i + width] as number) - (data[i - width] as number)
      tensor[0].data[i] = dx * dx
      tensor[1].data[i] = dx * dy
      tensor[2].data[i] = dy * dy
    }
  }
  const [xx, xy, yy] = tensor.map((plane) => boxBlur(plane, reach)) as [Plane, Plane, Plane]
  for (let i = 0; i < data.length; i++) {
    const [a, b, c] = [xx.data[i] as number, xy.data[i] as number, yy.data[i] as number]
    const one = Math.hypot(a - c, 2 * b)
    xx.data[i] = (one - Math.max(0, a - c)) / (a + c + 1e-6)
  }
  return xx
}

/** The lightness that half of the picture is below, in hundredths. */
function middleOf({ data }: Plane): number {
  const counts = new Uint32Array(101)
  for (const level of data) {
    const at = Math.min(100, Math.max(0, Math.round(100 * level)))
    counts[at] = (counts[at] as number) + 1
  }
  let [at, below] = [0, 0]
  while (at < 100 && below + (counts[at] as number) <= data.length / 2) below += counts[at++] as number
  return at / 100
}
