import { countedQuantile, quantile } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { labOf } from './lab.ts'

/** L* limits; faded if both ends lie inside. Unfaded photographs may lack either black or white. */
const darkest = 16
const lightest = 90
/** L* limits, each of which alone is proof of fading: darkest level, and range. */
const sureDarkest = 24
const narrowest = 60

/** Lightness of an old or grey photograph, 0 to 1, without its toning; `repair` stretches it. */
export function readFadedLightness({ width, height, data }: Picture, repair = true): Plane {
  const lightness = createPlane(width, height)
  const counts = new Uint32Array(101)
  const known = new Map<number, number>()
  for (let i = 0, j = 0; j < lightness.data.length; i += 4, j++) {
    const [r, g, b] = [data[i] as number, data[i + 1] as number, data[i + 2] as number]
    const key = (r << 16) | (g << 8) | b
    const level = known.get(key) ?? labOf(r, g, b)[0]
    if (known.size < 200_000) known.set(key, level)
    lightness.data[j] = level / 100
    counts[Math.round(level)] = (counts[Math.round(level)] as number) + 1
  }
  const [low, high] = [countedQuantile(counts, 0.004), countedQuantile(counts, 0.996)]
  const faded =
    repair && high - low > 8 && (low > sureDarkest || (low > darkest && high < lightest) || high - low < narrowest)
  if (faded) {
    const [from, to] = [Math.min(low, darkest + 4) + 0.75 * Math.max(0, low - darkest - 4), high]
    const [black, bright] = [Math.min(from, 4), Math.max(to, 94)]
    for (let j = 0; j < lightness.data.length; j++) {
      const level = black + ((100 * (lightness.data[j] as number) - from) * (bright - black)) / (to - from)
      lightness.data[j] = Math.min(1, Math.max(0, level / 100))
    }
  }
  return lightness
}

const bands = 20
/**
 * Distances from the toning's colour: above a mean `mean` all is coloured, above a 99th percentile
 * `most` some. Stains and scans stay below the first, and the thirty grey and toned among 1,000
 * photographs below the second.
 */
const coloured = { mean: 7.5, most: 12 } as const

/** A toning gives each lightness one colour. `some` may be stains or muted colours. */
export function classifyPhotoColours({ data }: Picture): 'none' | 'some' | 'all' {
  const sums = new Float64Array(3 * bands)
  const seen: { band: number; a: number; b: number }[] = []
  const step = 4 * Math.max(1, Math.floor(data.length / 4 / 20_000))
  for (let i = 0; i < data.length; i += step) {
    const [l, a, b] = labOf(data[i] as number, data[i + 1] as number, data[i + 2] as number)
    const band = Math.min(bands - 1, Math.floor((l / 100) * bands))
    seen.push({ band, a, b })
    sums[3 * band] = (sums[3 * band] as number) + 1
    sums[3 * band + 1] = (sums[3 * band + 1] as number) + a
    sums[3 * band + 2] = (sums[3 * band + 2] as number) + b
  }
  const deviations = Float32Array.from(seen, ({ band, a, b }) => {
    const count = sums[3 * band] as number
    return Math.hypot(a - (sums[3 * band + 1] as number) / count, b - (sums[3 * band + 2] as number) / count)
  })
  if (deviations.reduce((sum, distance) => sum + distance, 0) / deviations.length > coloured.mean) return 'all'
  return quantile(deviations, 0.99) > coloured.most ? 'some' : 'none'
}
