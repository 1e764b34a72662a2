import sharp from 'sharp'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { cropPicture, pastePlane } from '#engine/image/pixels.ts'
import { resizePlane } from '#engine/image/plane.ts'
import { randomSequence } from '#engine/image/random.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { keyedRandomness } from '#engine/node/watermark-randomness.ts'
import { workArea } from '#engine/watermark/colour-shift.ts'
import { drawLetters } from '#engine/watermark/watermark-letters.ts'
import type { WatermarkRandomness } from '#engine/watermark/watermark-randomness.ts'
import { makeSample } from '#engine/watermark/watermark-sample.ts'
import {
  type Channels,
  channelsOf,
  combined,
  decibels,
  denoised,
  displaced,
  extrapolated,
  flattened,
  type KnownPair,
  learnShifts,
  mixed,
  recut,
  refitted,
  register,
  resized,
  sharpened,
  withLightOf,
  withoutLetters,
} from './watermark-attacks.ts'

/** The unmarked preview, its input, and the paid result at the same size. */
export interface Attacked {
  plain: Picture
  input: Picture
  paid: Picture
}

export interface Attack {
  /** Used only for the letters. */
  key: Uint8Array
  /** Previews of the picture and its crops. */
  crops: number
  /** Defaults to the program's own. */
  make?: Sampler
  /** Samples of other pictures with paid results. */
  bought?: readonly KnownPair[]
}

export interface Best {
  name: string
  decibels: number
}

export interface Report {
  blind: Best
  blindWork: Best
  knownWork: Best
  known: Best
  alpha: Best
  /** With paid results of other pictures. */
  bought: Best
  /** Of the input itself and the unmarked result. */
  inputWork: number
  plainWork: number
  share: number
}

/** Share of work in each pixel. */
function workOf(plain: Picture, input: Picture): Plane | undefined {
  const work = workArea(plain, input)
  return work && resizePlane(work.share, plain)
}

export type Sampler = (plain: Picture, input: Picture, draws: WatermarkRandomness) => Picture

const current: Sampler = (plain, input, draws) => makeSample(plain, draws, workArea(plain, input))

/** Lossy WebP. */
export async function visitorSample(plain: Picture, input: Picture, key: Uint8Array, make = current): Promise<Picture> {
  const sample = make(plain, input, keyedRandomness(key, plain.data))
  const { width, height } = sample
  const encoded = await sharp(sample.data, { raw: { width, height, channels: 4 } })
    .webp({ quality: 80 })
    .toBuffer()
  const data = await sharp(encoded).ensureAlpha().raw().toBuffer()
  return { width, height, data: new Uint8ClampedArray(data) }
}

/** The letters are removed by their true coverage, more than any search can reach. */
async function preview(plain: Picture, input: Picture, { key, make }: Attack): Promise<Channels> {
  const letters = drawLetters(plain, keyedRandomness(key, plain.data))
  return channelsOf(withoutLetters(await visitorSample(plain, input, key, make), letters))
}

/** A buyer has both. */
export async function boughtPair({ plain, input, paid }: Attacked, key: Uint8Array): Promise<KnownPair> {
  const weight = workOf(plain, input)
  return { sample: await preview(plain, input, { key, crops: 1 }), result: channelsOf(paid), ...(weight && { weight }) }
}

/**
 * Previews of shifted, enlarged crops. Assumes that the engine treats a crop like the whole, which
 * helps the attacker.
 */
async function stitched({ plain, input }: Attacked, attack: Attack) {
  const { crops: count } = attack
  const { width, height } = plain
  const random = randomSequence(count)
  const samples = [await preview(plain, input, attack)]
  const weights = [createPlane(width, height, 1)]
  for (let n = 1; n < count; n++) {
    const share = n % 3 === 0 ? 1 : 0.55 + 0.45 * random()
    const size = { width: Math.round(width * share) - (n % 5), height: Math.round(height * share) - (n % 3) }
    const [x, y] = [Math.floor(random() * (width - size.width)), Math.floor(random() * (height - size.height))]
    const larger = Math.max(1, Math.max(width, height) / Math.max(size.width, size.height))
    const cut = (picture: Picture) => {
      const part = cropPicture(picture, { x, y, ...size })
      const [across, down] = [Math.round(size.width * larger), Math.round(size.height * larger)]
      return resamplePart(part, { x: 0, y: 0, ...size }, across, down)
    }
    const made = resized(await preview(cut(plain), cut(input), attack), size)
    const place = (plane: Plane) => pastePlane(createPlane(width, height), plane, { x, y })
    samples.push(made.map(place))
    weights.push(place(createPlane(size.width, size.height, 1)))
  }
  return { samples, weights }
}

export async function removeWatermark(attacked: Attacked, attack: Attack): Promise<Report> {
  const { plain, input, paid } = attacked
  const [truth, given] = [channelsOf(paid), channelsOf(input)]
  const { width, height } = plain
  const work = workOf(plain, input) ?? createPlane(width, height, 1)
  const share = work.data.reduce((sum, value) => sum + value, 0) / work.data.length
  const known = share > 0.9 ? undefined : { ...work, data: work.data.map((value) => (value > 0.02 ? 0 : 1)) }
  const { samples, weights } = await stitched(attacked, attack)
  const bases: Record<string, Channels> = { one: samples[0] as Channels }
  if (attack.crops > 1) {
    bases.mean = combined(samples, weights, false)
    bases.median = combined(samples, weights, true)
    const mean = bases.mean
    bases.aligned = combined(
      samples.map((sample) => displaced(sample, register(mean, sample))),
      weights,
      false,
    )
  }
  const none: Best = { name: '', decibels: Number.NEGATIVE_INFINITY }
  const best = { blind: none, blindWork: none, knownWork: none, known: none, alpha: none, bought: none }
  const keep = (kind: keyof typeof best, name: string, value: number) => {
    if (value > best[kind].decibels) best[kind] = { name, decibels: value }
  }
  const judge = (name: string, recovered: Channels, usesInput: boolean) => {
    const [whole, inWork] = [decibels(recovered, truth), decibels(recovered, truth, work)]
    keep('known', name, whole)
    keep('knownWork', name, inWork)
    keep('alpha', name, decibels(recovered, truth, undefined, [3]))
    if (usesInput) return
    keep('blind', name, whole)
    keep('blindWork', name, inWork)
  }
  for (const [name, base] of Object.entries(bases)) {
    judge(name, base, false)
    judge(`${name}, denoised`, denoised(base), false)
    judge(`${name}, sharpened`, sharpened(base, 1), false)
    judge(`${name}, flattened`, flattened(base, 40), false)
    const placed = displaced(base, register(given, base, known))
    judge(`${name}, registered`, placed, true)
    judge(`${name}, registered, sharpened`, sharpened(placed, 1), true)
    for (const reach of [6, 20, 60]) {
      judge(`${name}, extrapolated over ${reach}`, extrapolated(placed, given, work, reach), true)
    }
    const around = { sample: placed, result: given, ...(known && { weight: known }) }
    judge(`${name}, learned around the work`, learnShifts([around])(placed), true)
    if (attack.bought) keep('bought', name, decibels(learnShifts(attack.bought)(placed), truth, work))
    judge(`${name}, tones fitted`, refitted(placed, given), true)
    judge(`${name}, light of the input`, withLightOf(placed, given), true)
    judge(`${name}, mixed with the input`, mixed(placed, given, 0.5), true)
    judge(`${name}, tones fitted, mixed`, mixed(refitted(placed, given), given, 0.5), true)
    for (const steepness of [1, 2, 5]) judge(`${name}, cut anew ${steepness}`, recut(placed, given, steepness), true)
  }
  return {
    ...best,
    inputWork: decibels(given, truth, work),
    plainWork: decibels(channelsOf(plain), truth, work),
    share,
  }
}
