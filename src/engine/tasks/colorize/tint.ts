import { type ColourEstimate, colourfulness, type Portrait, type Traits } from './colour-estimate.ts'
import { commonIn, nearestFace } from './faces.ts'
import { inputs, nodes, outputs } from './tint-network.ts'

/**
 * How much of the guesses about surroundings the network was shown, and gives for the first of
 * `moods`.
 */
export const shown = 0.6
/** Colours fade in the dark when they are applied; down to this share it is made up for. */
const faintest = 0.4
/** The tables' share in the end: they and the network err differently. */
const tables = { around: 0.65, face: 0.8 } as const
/** What is expected is paler than what is true; this makes up for a part. */
const rich = 1.3

/**
 * Replaces the likely colours of a picture with faces, in place, by those with the least expected
 * CIEDE2000: a small network reads them together with lightness and texture around each pixel, its
 * place, the parts of faces and how it compares with the face that it belongs to. What may have any
 * colour comes out nearly grey by that, what is sure keeps its colour.
 */
export function tint({ faces }: Pick<Portrait, 'faces'>, seen: Traits, estimate: ColourEstimate): void {
  const { width, height } = estimate.a
  const { level: levels, aside, under, bare, ...traits } = seen
  const before = [levels, traits.near, traits.wide, traits.texture, traits.folds, traits.unrest, traits.person]
  const parts = [aside, under, traits.face, traits.lips, traits.eyes, traits.brows]
  const given = new Float32Array(inputs.mean.length)
  const out = new Float32Array(2)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const level = levels[i] as number
      const face = nearestFace(faces, x, y)
      const calm = 1 - (estimate.around.data[i] as number) * (1 - shown)
      let k = 0
      for (const plane of before) given[k++] = plane[i] as number
      given[k++] = (y + 0.5) / height
      given[k++] = Math.abs((2 * x + 1) / width - 1)
      for (const plane of parts) given[k++] = plane[i] as number
      given[k++] = level - face.level
      given[k++] = bare[i] as number
      given[k++] = 0.1 * calm * (estimate.a.data[i] as number)
      given[k++] = 0.1 * calm * (estimate.b.data[i] as number)
      given[k++] = Math.log((estimate.weight.data[i] as number) + 0.002)
      given[k++] = commonIn(face, level)
      given[k++] = estimate.skin.data[i] as number
      answer(given, out)
      const fade = calm * Math.max(faintest, colourfulness(level))
      const room = (rich * Math.sqrt(Math.max(0.02, 4 * level * (1 - level)))) / fade
      const table = tables.around + (tables.face - tables.around) * (estimate.skin.data[i] as number)
      estimate.a.data[i] = (1 - table) * room * (out[0] as number) + table * (estimate.a.data[i] as number)
      estimate.b.data[i] = (1 - table) * room * (out[1] as number) + table * (estimate.b.data[i] as number)
    }
  }
}

/** What the network makes of `given`, which it changes: red–green and yellow–blue. */
function answer(given: Float32Array, out: Float32Array): void {
  for (let k = 0; k < given.length; k++) {
    const away = ((given[k] as number) - (inputs.mean[k] as number)) / (inputs.spread[k] as number)
    given[k] = Math.min(3, Math.max(-3, away))
  }
  let [red, yellow]: readonly [number, number] = outputs
  for (const { base, weights, a, b } of nodes) {
    let sum = base
    for (let k = 0; k < given.length; k++) sum += (weights[k] as number) * (given[k] as number)
    const answer = Math.tanh(sum)
    red += a * answer
    yellow += b * answer
  }
  out[0] = red
  out[1] = yellow
}
