import type { Picture, Plane } from '#engine/image/picture.ts'
import { channelPlane } from '#engine/image/pixels.ts'
import { boxBlur, smoothRows } from '#engine/image/plane.ts'
import { randomSequence } from '#engine/image/random.ts'
import { smoothMaps } from '#engine/image/smooth-map.ts'
import { lumaOf } from '#engine/image/tones.ts'
import { estimateNoise } from '#engine/tasks/enhance/denoise.ts'
import { logTable, logTones, toneOffset } from '#engine/tasks/faces/tones.ts'

/** Radius of the map of skin's usual colour, as a share of the face's width. */
const reach = 0.2
const maxSpread = 1.4
/** Minimum spread of any skin, as a logarithm. */
const minSpread = 0.02
/** Weight of red in the preserved brightness, without blue, which is mostly noise here. */
const redShare = 0.3 / (0.3 + 0.59)

/** Relative to green, both logarithmic. */
type Chroma<Value> = readonly [red: Value, blue: Value]

interface ChromaMatch {
  usual: Chroma<Plane>
  /** Share of the deviation that stays, 0 to 1. */
  shares: Chroma<number>
}

/**
 * Narrows colours to the target's spread (colour statistics, Reinhard and others 2001): in
 * candlelight one channel is nearly empty, and raising it turns its noise into blots. `skin` is
 * where both show skin; `unit` is the face's width in pixels. Undefined if nothing needs narrowing.
 */
export function matchChroma(lit: Picture, target: Picture, skin: Plane, unit: number): ChromaMatch | undefined {
  const [, ownRed, ownBlue] = logTones(lit)
  const [, red, blue] = logTones(target)
  const usual = smoothMaps([red, blue], skin, reach * unit) as unknown as Chroma<Plane>
  const shareOf = (own: Plane, other: Plane, middle: Plane) => {
    const wanted = maxSpread * Math.max(minSpread, spreadOf(other, middle, skin))
    return Math.min(1, wanted / Math.max(minSpread, spreadOf(own, middle, skin)))
  }
  const shares = [shareOf(ownRed, red, usual[0]), shareOf(ownBlue, blue, usual[1])] as const
  return Math.min(...shares) < 1 ? { usual, shares } : undefined
}

function spreadOf(values: Plane, usual: Plane, weight: Plane): number {
  let [sum, all] = [0, 0]
  for (let i = 0; i < weight.data.length; i++) {
    const share = weight.data[i] as number
    sum += share * Math.abs((values.data[i] as number) - (usual.data[i] as number))
    all += share
  }
  return all > 0 ? sum / all : 0
}

/** Applies {@link matchChroma} to the same face at any size, in place. */
export function applyChroma({ width, height, data }: Picture, { usual, shares }: ChromaMatch): void {
  const rows = usual.map((plane) => smoothRows(plane, width, height))
  for (let y = 0; y < height; y++) {
    const [reds, blues] = rows.map((row) => row(y)) as [Float32Array, Float32Array]
    for (let x = 0, at = 4 * y * width; x < width; x++, at += 4) {
      if (data[at + 3] === 0) continue
      const [red, green, blue] = [0, 1, 2].map((c) => logTable[data[at + c] as number]) as [number, number, number]
      const light = redShare * red + (1 - redShare) * green
      const overGreen = mix(reds[x] as number, red - green, shares[0])
      const dimmed = light - redShare * overGreen
      data[at] = Math.exp(dimmed + overGreen) - toneOffset
      data[at + 1] = Math.exp(dimmed) - toneOffset
      data[at + 2] = Math.exp(dimmed + mix(blues[x] as number, blue - green, shares[1])) - toneOffset
    }
  }
}

const mix = (usual: number, own: number, share: number) => usual + share * (own - usual)

const minDetail = 0.25
const maxDetail = 1.4

interface TextureMatch {
  /** Factor for detail finer than about two pixels. */
  detail: number
  /** Standard deviation of the grain to add, 0 to 1. */
  grain: number
}

/** Pictures of one size, compared where `where` is above 0.5. */
export function matchTexture(picture: Picture, like: Picture, where: Plane): TextureMatch {
  const own = fineDetail(picture, where)
  const wanted = fineDetail(like, where)
  if (own.count < 200 || own.level === 0) return { detail: 1, grain: 0 }
  const detail = Math.min(maxDetail, Math.max(minDetail, wanted.level / own.level))
  const grain = Math.sqrt(Math.max(0, wanted.noise ** 2 - (detail * own.noise) ** 2))
  return { detail, grain: Math.min(0.05, grain) }
}

const enoughPixels = 12_000

function fineDetail(picture: Picture, where: Plane): { level: number; noise: number; count: number } {
  const luma = lumaOf(picture, 1)
  const soft = boxBlur(luma, 1)
  const inside = where.data.reduce((sum, value) => sum + (value > 0.5 ? 1 : 0), 0)
  const step = Math.ceil(inside / enoughPixels)
  const found = new Float32Array(enoughPixels)
  let seen = 0
  let count = 0
  for (let i = 0; i < luma.data.length; i++) {
    if ((where.data[i] as number) <= 0.5 || seen++ % step !== 0) continue
    found[count++] = Math.abs((luma.data[i] as number) - (soft.data[i] as number))
  }
  const sorted = found.subarray(0, count).sort()
  // The 60th percentile reflects skin and its grain, not the few edges of eyes and mouth.
  return { level: sorted[Math.floor(0.6 * count)] ?? 0, noise: estimateNoise(luma), count }
}

/** Scales the finest detail and adds grain, in place; ignores transparent pixels. */
export function applyTexture(picture: Picture, { detail, grain }: TextureMatch): void {
  const { width, height, data } = picture
  if (Math.abs(detail - 1) > 0.03) {
    for (let channel = 0; channel < 3; channel++) {
      const values = channelPlane(picture, channel)
      const soft = boxBlur(values, 1)
      for (let y = 1; y < height - 1; y++) {
        for (let i = y * width + 1; i < (y + 1) * width - 1; i++) {
          if (!isInterior(data, i, width)) continue
          const base = soft.data[i] as number
          data[4 * i + channel] = base + detail * ((values.data[i] as number) - base)
        }
      }
    }
  }
  if (grain < 0.002) return
  const random = randomSequence(7)
  for (let i = 0; i < width * height; i++) {
    // The sum of three uniform numbers is nearly normal with a standard deviation of 0.5.
    const noise = 255 * 2 * grain * (random() + random() + random() - 1.5)
    if (data[4 * i + 3] === 0) continue
    for (let c = 0; c < 3; c++) data[4 * i + c] = (data[4 * i + c] as number) + noise
  }
}

function isInterior(data: Uint8ClampedArray, i: number, width: number): boolean {
  return (
    data[4 * (i - 1) + 3] === 255 &&
    data[4 * (i + 1) + 3] === 255 &&
    data[4 * (i - width) + 3] === 255 &&
    data[4 * (i + width) + 3] === 255 &&
    data[4 * i + 3] === 255
  )
}
