import type { MeshPoints } from '#engine/host.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import { countedQuantile, quantile } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { applyHints, type ColourHint } from './colour-hints.ts'
import { labOf, labToRgb } from './lab.ts'
import { chromaHeadroom, type LikelyColours, likelyColours } from './likely-colours.ts'
import { jointBilateralUpsample, type KnownColours, spreadColours } from './spread-colours.ts'

interface ColorizeOptions {
  /** In pixels of the picture. */
  faces: readonly MeshPoints[]
  /** Probability of a person, of any size. */
  person: Plane
  hints: readonly ColourHint[]
  /** Guesses for unknown colours: any of 0, 1 and 2. */
  variants: readonly number[]
  /** Colours from another provider instead of guesses, for a result with one variant. */
  base?: Chroma
}

/** CIELAB colours of a reduced picture, with its lightness. */
export interface Chroma {
  /** Red–green and yellow–blue planes alternately, two for each variant. */
  planes: readonly Plane[]
  lightness: Plane
}

/**
 * Colours need less detail than lightness; at this area no difference from full size is visible.
 */
const solveArea = 110_000

/** Neutral, warm and cool CIELAB red–green and yellow–blue at medium lightness. */
const guesses = [
  { clothes: [0, 0], rest: [0, 0] },
  { clothes: [8, 10], rest: [2, 3] },
  { clothes: [-2, -10], rest: [0, -3] },
] as const

/** Extra edge at a person's outline, which keeps hints on one side from the other. */
const outline = 0.3

/**
 * Known colours of skin, hair and sky (`likelyColours`) and the hints, spread up to the edges.
 * Lightness is 0 to 1.
 */
export function estimateColours(lightness: Plane, options: ColorizeOptions): Chroma {
  const { width, height } = fitArea(lightness, solveArea)
  const small = shrink(lightness, width, height)
  const scale = width / lightness.width
  const person = sharpenMask(resizeSmooth(options.person, width, height))
  const observed = {
    lightness: small,
    faces: options.faces.map((points) => points.map(([x, y, z]) => [x * scale, y * scale, z * scale] as const)),
    person,
  }
  const likely = likelyColours(observed)
  const belief = options.base ? beliefFrom(options.base, small) : withGuesses(small, likely, options.variants)
  if (options.hints.length > 0) applyHints(observed, likely, options.hints, scale, belief, visibleChroma)
  const outlined = createPlane(width, height)
  for (let i = 0; i < outlined.data.length; i++)
    outlined.data[i] = (small.data[i] as number) + outline * (person.data[i] as number)
  return { planes: spreadColours(outlined, belief), lightness: small }
}

/** Weight of another provider's colours beside hints. */
const baseWeight = 0.5

function beliefFrom({ planes }: Chroma, { width, height }: Plane): KnownColours {
  const weight = createPlane(width, height, baseWeight)
  return { values: planes.map((plane) => resizeSmooth(plane, width, height)), weight }
}

/** The colours of a picture that another provider has coloured. */
export function chromaOf(picture: Picture): Chroma {
  const size = fitArea(picture, solveArea)
  const { width, height, data } = resamplePart(picture, wholeOf(picture), size.width, size.height)
  const planes = [createPlane(width, height), createPlane(width, height)] as const
  const lightness = createPlane(width, height)
  for (let i = 0; i < lightness.data.length; i++) {
    const [level, a, b] = labOf(data[4 * i] as number, data[4 * i + 1] as number, data[4 * i + 2] as number)
    lightness.data[i] = level / 100
    // `applyColours` multiplies by this factor again.
    const shown = visibleChroma(level / 100)
    planes[0].data[i] = a / shown
    planes[1].data[i] = b / shown
  }
  return { planes, lightness }
}

/** Least chroma of another provider's colours relative to the engine's own. */
const leastChroma = 0.5

/** Mean chroma below which a picture is still black and white. */
const leastMeanChroma = 1

export const isGrey = (chroma: Chroma): boolean => meanChroma(chroma) < leastMeanChroma

/** Least visible distance from grey in CIELAB, and the lightness that can show it, 0 to 1. */
const visibleColour = { chroma: 4, dark: 0.2, light: 0.9 }

/** Share of the pixels that could show a colour and stay grey, 0 to 1; of the first variant. */
export function greyShare({ planes: [a, b], lightness }: Chroma): number {
  const { chroma, dark, light } = visibleColour
  let [able, grey] = [0, 0]
  for (const [i, level] of lightness.data.entries()) {
    if (level < dark || level > light) continue
    able++
    if (Math.hypot(a?.data[i] ?? 0, b?.data[i] ?? 0) < chroma) grey++
  }
  return able === 0 ? 0 : grey / able
}

/**
 * False if a provider leaves a picture grey, or greyer than the engine, which colours only sure
 * things.
 */
export function isUsableColouring(made: Chroma, own: Chroma): boolean {
  return !isGrey(made) && meanChroma(made) >= leastChroma * meanChroma(own)
}

/** Mean distance from grey in CIELAB, of the first variant. */
function meanChroma({ planes: [a, b] }: Chroma): number {
  if (!a || !b) return 0
  let sum = 0
  for (let i = 0; i < a.data.length; i++) sum += Math.hypot(a.data[i] as number, b.data[i] as number)
  return sum / a.data.length
}

export function greyPicture({ width, height, data }: Plane): Picture {
  const picture = { width, height, data: new Uint8ClampedArray(4 * width * height) }
  const level: [number, number, number] = [0, 0, 0]
  for (let i = 0; i < data.length; i++) {
    labToRgb(100 * (data[i] as number), 0, 0, level)
    picture.data.set(level, 4 * i)
    picture.data[4 * i + 3] = 255
  }
  return picture
}

/** The colours of some variants before they are spread, red–green and yellow–blue alternately. */
function withGuesses(
  lightness: Plane,
  { a, b, weight, skin, clothes }: LikelyColours,
  wanted: readonly number[],
): KnownColours {
  const values = wanted.flatMap((variant) => {
    const { clothes: worn, rest } = guesses[variant] as (typeof guesses)[number]
    return [a, b].map((plane, k) => ({
      ...plane,
      data: plane.data.map((value, i) => {
        const cloth = clothes.data[i] as number
        const other = (1 - cloth) * (1 - (skin.data[i] as number))
        return (
          value +
          chromaHeadroom(lightness.data[i] as number) * (cloth * (worn[k] as number) + other * (rest[k] as number))
        )
      }),
    }))
  })
  return { values, weight }
}

/** Share of chroma that is visible at a lightness: colours fade in deep shade. */
const visibleChroma = (level: number) => Math.min(1, Math.max(0.15, (level - 0.02) / 0.16))

/** Narrows the probability's soft border, because colours must not mix across it. */
function sharpenMask(person: Plane): Plane {
  return { ...person, data: person.data.map((share) => Math.min(1, Math.max(0, (share - 0.35) / 0.3))) }
}

/** One picture a variant; `saturation` 0 is grey, 1 as estimated, up to 2. */
export function applyColours(lightness: Plane, chroma: Chroma, saturation: number): Picture[] {
  const { width, height } = lightness
  const pictures = Array.from({ length: chroma.planes.length / 2 }, () => ({
    width,
    height,
    data: new Uint8ClampedArray(width * height * 4),
  }))
  const out: [number, number, number] = [0, 0, 0]
  jointBilateralUpsample(chroma.planes, chroma.lightness, lightness, (i, values) => {
    const level = lightness.data[i] as number
    const share = saturation * visibleChroma(level)
    for (let k = 0; k < pictures.length; k++) {
      labToRgb(100 * level, share * (values[2 * k] as number), share * (values[2 * k + 1] as number), out)
      const { data } = pictures[k] as Picture
      data[4 * i] = out[0]
      data[4 * i + 1] = out[1]
      data[4 * i + 2] = out[2]
      data[4 * i + 3] = 255
    }
  })
  return pictures
}

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
 * photographs below the second. Up to `clear`, pale places of a toned print reach that as well, so
 * another hue than the toning's has to be there.
 */
const coloured = { mean: 7.5, most: 12, clear: 15, otherHue: 7.5 } as const

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
  const most = quantile(deviations, 0.99)
  const isColoured =
    most > coloured.clear || (most > coloured.most && quantile(deviationsFromHue(seen), 0.99) > coloured.otherHue)
  return isColoured ? 'some' : 'none'
}

/** Mean chroma from which a photograph is toned. */
const toned = 4

/** Distances from the tone's hue, as a toning bleaches unevenly and not at all outside a print. */
function deviationsFromHue(seen: readonly { a: number; b: number }[]): Float32Array {
  const [a, b] = [0, 0].map((_, c) => seen.reduce((sum, own) => sum + (c ? own.b : own.a), 0) / seen.length) as [
    number,
    number,
  ]
  const length = Math.hypot(a, b)
  const [x, y] = length > toned ? [a / length, b / length] : [0, 0]
  return Float32Array.from(seen, (own) => {
    const along = Math.max(0, own.a * x + own.b * y)
    return Math.hypot(own.a - along * x, own.b - along * y)
  })
}

export { labOf, labToRgb } from './lab.ts'
