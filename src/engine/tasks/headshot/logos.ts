import type { EngineHost } from '#engine/host.ts'
import { connectedRegions } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'
import type { Head } from '#engine/tasks/faces/head.ts'
import { doubtfulArea } from '#engine/tasks/subject-matte/remnants.ts'

/**
 * Largest area that a closer view doubts in a clean cut-out, see {@link doubtfulArea}; ears and
 * fine hair take up to 0.018.
 */
const mostDoubt = 0.0185

/** True if a matte of the picture's size may show parts of the background beside the head. */
export async function mayKeepBackground(
  picture: Picture,
  matte: Plane,
  { eyes, chin, height }: Head,
  host: EngineHost,
): Promise<boolean> {
  const doubt = await doubtfulArea(picture, matte, { eyes, chin: chin.y, head: height }, host)
  return doubt > mostDoubt || isBeforeLogos(picture, matte, height)
}

// The built-in matte keeps parts of a wall of logos that touch the outline of a head: users are
// warned before they pay. Such a wall repeats a few flat colours that differ much.

/** Height of the head in the reduced picture, in pixels. */
const workHead = 110
/** Colours per channel. */
const levels = 8
/** Smallest share of the background for a colour of the pattern. */
const leastShare = 0.012
/** Smallest distance of two colours of the pattern, and largest within one; white is at √3. */
const apart = 0.28
const alike = 0.16
/** A colour is repeated in so many parts of so many pixels. */
const leastParts = 6
const leastArea = 8
const leastColours = 3
/** Smallest share of the background in these colours. */
const leastFlat = 0.68

/**
 * True before a wall of logos, which the matte may keep parts of. The matte has any size; `head` is
 * the height of the head in pixels of the picture.
 */
function isBeforeLogos(picture: Picture, matte: Plane, head: number): boolean {
  const scale = Math.min(1, workHead / head)
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
  const alpha = shrink(matte, width, height)
  const channels = [0, 1, 2].map((c) => shrink(channelOf(picture, c), width, height).data)
  const isBehind = (i: number) => (alpha.data[i] as number) < 0.03
  const distance = (i: number, colour: Colour) =>
    Math.hypot(...channels.map((values, c) => (values[i] as number) - (colour[c] as number)))
  const [ground, ...marks] = frequentColours(channels, isBehind)
  if (!ground) return false
  const repeated = marks.filter((colour) => {
    const { regions } = connectedRegions(width, height, (i) => isBehind(i) && distance(i, colour) < alike)
    return regions.filter(({ area }) => area >= leastArea).length >= leastParts
  })
  if (repeated.length < leastColours) return false
  const colours = [ground, ...repeated]
  let [all, flat] = [0, 0]
  for (let i = 0; i < alpha.data.length; i++) {
    if (!isBehind(i)) continue
    all += 1
    if (colours.some((colour) => distance(i, colour) < alike / 2)) flat += 1
  }
  return flat > leastFlat * all
}

type Colour = readonly number[]

function channelOf({ width, height, data }: Picture, channel: number) {
  const values = new Uint8Array(width * height)
  for (let i = 0; i < values.length; i++) values[i] = data[4 * i + channel] as number
  return { width, height, data: values }
}

/** The most frequent one first; each differs from those before. */
function frequentColours(channels: readonly Float32Array[], counts: (index: number) => boolean): Colour[] {
  const found = new Map<number, { count: number; sum: number[] }>()
  let all = 0
  for (let i = 0; i < (channels[0]?.length ?? 0); i++) {
    if (!counts(i)) continue
    const colour = channels.map((values) => values[i] as number)
    const bin = colour.reduce((number, value) => number * levels + Math.min(levels - 1, Math.floor(value * levels)), 0)
    const one = found.get(bin) ?? { count: 0, sum: [0, 0, 0] }
    found.set(bin, { count: one.count + 1, sum: one.sum.map((value, c) => value + (colour[c] as number)) })
    all += 1
  }
  const frequent = [...found.values()].filter(({ count }) => count > leastShare * all)
  frequent.sort((a, b) => b.count - a.count)
  const chosen: Colour[] = []
  for (const { count, sum } of frequent) {
    const colour = sum.map((value) => value / count)
    const differs = (other: Colour) => Math.hypot(...colour.map((value, c) => value - (other[c] as number))) > apart
    if (chosen.every(differs)) chosen.push(colour)
  }
  return chosen
}
