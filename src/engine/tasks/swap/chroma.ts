import type { Picture, Plane } from '#engine/image/picture.ts'
import { smoothRows } from '#engine/image/plane.ts'
import { smoothMaps } from '#engine/image/smooth-map.ts'
import { logs, logTones, toneOffset } from '#engine/tasks/faces/tones.ts'

/** How wide the usual colour of skin is seen, as a share of the face's width. */
const reach = 0.2
/** How many times as widely as the target's the colours of the new skin may be spread. */
const mostSpread = 1.4
/** No skin is taken to be more even than this, as a logarithm. */
const leastSpread = 0.02
/** What red counts for the brightness that is kept: blue is mostly noise where colours spread. */
const redShare = 0.3 / (0.3 + 0.59)

/** A value for red against green and one for blue against green, both logarithmic. */
type Chroma<Value> = readonly [red: Value, blue: Value]

/** How far the colours of a face lie from those that skin has there, and how much of that stays. */
export interface ChromaMatch {
  /** The usual chroma of the target's skin at each pixel. */
  usual: Chroma<Plane>
  /** Which share of the distance from it stays, 0 to 1. */
  shares: Chroma<number>
}

/**
 * Narrows the colours of a face that was lit like the target to the spread of the target's, where
 * they spread more widely (statistics of colour, Reinhard and others 2001): by candlelight or in
 * coloured light a channel is nearly empty, and what brings it to the target's brightness makes
 * blots of colour of its noise. Colours are compared where `skin` says that both show skin; `unit`
 * is the face's width in pixels. Undefined where nothing is to be narrowed.
 */
export function matchChroma(lit: Picture, target: Picture, skin: Plane, unit: number): ChromaMatch | undefined {
  const [, ownRed, ownBlue] = logTones(lit)
  const [, red, blue] = logTones(target)
  const usual = smoothMaps([red, blue], skin, reach * unit) as unknown as Chroma<Plane>
  const shareOf = (own: Plane, other: Plane, middle: Plane) => {
    const wanted = mostSpread * Math.max(leastSpread, spreadOf(other, middle, skin))
    return Math.min(1, wanted / Math.max(leastSpread, spreadOf(own, middle, skin)))
  }
  const shares = [shareOf(ownRed, red, usual[0]), shareOf(ownBlue, blue, usual[1])] as const
  return Math.min(...shares) < 1 ? { usual, shares } : undefined
}

/** The mean distance of values from the usual ones. */
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
      const [red, green, blue] = [0, 1, 2].map((c) => logs[data[at + c] as number]) as [number, number, number]
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
