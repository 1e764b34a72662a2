import type { MeshPoints } from '#engine/host.ts'
import { connectedTo } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import { type HeadFrame, headCoordinates } from '#engine/tasks/faces/head.ts'
import { meshArea } from '#engine/tasks/faces/regions.ts'

/** Lower limit of hair below the eyes, in distances from the eyes to the chin. */
export const hairLowerLimit = 1.75
/**
 * Rows of hair and of clothes, probability above which hair continues, distance from the middle.
 */
const locks = { from: -0.7, to: 0.35, clothes: [1.5, 3], blur: 0.06, sure: 0.55, aside: 0.5 } as const
/** Rows beside the chin, and the area there (in squared distances) of falling hair. */
const falling = { rows: [0.85, 1.1], aside: 1.2, area: 0.05 } as const
/** Limits for a scarf, which has one colour beside the cheeks and under the chin. */
const scarf = { beside: [0, 0.6, 1.1], under: [1.12, 1.4, 0.35], least: 0.1, similarity: 0.68, bareSkin: 0.3 } as const

/**
 * `long` (0 to 1) is hair below the cheeks: connected to hair beside the face and of its colours
 * (histograms and Bayes' rule). `falls` is true if it passes the chin, `covered` if a scarf covers
 * hair and neck. `isOther` tells pixels of other people.
 */
export function detectLongHair(
  picture: Picture,
  matte: Plane,
  points: MeshPoints,
  frame: HeadFrame,
  isOther: (i: number) => boolean = () => false,
) {
  const { width, height } = matte
  const unit = frame.eyesToChin
  const face = meshArea(matte, points, 'face')
  const place = headCoordinates(width, frame)
  const counts = {
    hair: colourHistogram(),
    skin: colourHistogram(),
    clothes: colourHistogram(),
    beside: colourHistogram(),
    under: colourHistogram(),
  }
  const lower: number[] = []
  for (let i = 0; i < matte.data.length; i++) {
    if ((matte.data[i] as number) < 0.5) continue
    const { below, beside } = place(i)
    if (below < locks.from || below > locks.clothes[1]) continue
    if (below > locks.to - 0.1 && below < hairLowerLimit + 0.3) lower.push(i)
    if ((matte.data[i] as number) < 0.95) continue
    const bin = binOf(picture, i)
    if (face.data[i] === 1) countColour(counts.skin, bin)
    else if (below < locks.to) countColour(counts.hair, bin)
    else if (below > locks.clothes[0]) countColour(counts.clothes, bin)
    if (face.data[i] === 0 && below > scarf.beside[0] && below < scarf.beside[1] && beside < scarf.beside[2]) {
      countColour(counts.beside, bin)
    }
    if (below > scarf.under[0] && below < scarf.under[1] && beside < scarf.under[2]) countColour(counts.under, bin)
  }
  const hair = smoothHistogram(counts.hair)
  const skin = smoothHistogram(counts.skin)
  const others = smoothHistogram(counts.skin.map((skin, bin) => skin + (counts.clothes[bin] as number)))
  const hairAgainst = (other: Float32Array): Plane => {
    const chance = createPlane(width, height)
    for (const i of lower) {
      const bin = binOf(picture, i)
      if (face.data[i] === 0) chance.data[i] = (hair[bin] as number) / sumOf(hair[bin], 1.5 * (other[bin] as number))
    }
    const smooth = boxBlur(chance, Math.max(1, Math.round(locks.blur * unit)))
    return connectedHair(smooth, lower, place, frame)
  }
  const long = hairAgainst(others)
  // Clothes may have the hair's colours, but a gap parts them from hair that ends above the chin.
  const falls = hairAgainst(skin)
  const passing = lower.filter((i) => {
    const { below, beside } = place(i)
    const isThere = below > falling.rows[0] && below < falling.rows[1] && beside < falling.aside
    return isThere && falls.data[i] === 1 && !isOther(i)
  })
  return {
    long: feather(long, 0.04 * unit),
    falls: passing.length > falling.area * unit * unit,
    covered: isScarf(counts.beside, counts.under, counts.skin, unit),
  }
}

/**
 * Compares both histograms (Bhattacharyya coefficient); with a scarf hardly any bare skin shows.
 */
function isScarf(beside: Float32Array, under: Float32Array, skin: Float32Array, unit: number): boolean {
  const cloth = beside.reduce((sum, value) => sum + value, 0)
  if (cloth < scarf.least * unit * unit) return false
  const [above, below, bare] = [beside, under, skin].map(smoothHistogram) as [Float32Array, Float32Array, Float32Array]
  let similarity = 0
  let bareSkin = 0
  for (let bin = 0; bin < bare.length; bin++) {
    const [own, other, face] = [above[bin] as number, below[bin] as number, bare[bin] as number]
    similarity += Math.sqrt(own * other)
    bareSkin += (other * face) / sumOf(face, own)
  }
  return similarity > scarf.similarity && bareSkin < scarf.bareSkin
}

/** 1 for certain hair connected to hair beside the cheeks, on either side of the neck. */
function connectedHair(
  chance: Plane,
  lower: readonly number[],
  place: (i: number) => { below: number; beside: number },
  { width: faceWidth, eyesToChin: unit }: HeadFrame,
): Plane {
  const open = new Uint8Array(chance.data.length)
  const seeds: number[] = []
  const aside = (locks.aside * faceWidth) / unit
  for (const i of lower) {
    const { below, beside } = place(i)
    if ((chance.data[i] as number) < locks.sure || beside < 0.7 * aside) continue
    open[i] = 1
    if (below < locks.to && beside > aside) seeds.push(i)
  }
  const grown = connectedTo(chance, seeds, (i) => open[i] === 1)
  return { ...chance, data: Float32Array.from(grown) }
}

const sumOf = (a: number | undefined, b: number) => (a ?? 0) + b + 1e-5

const bins = 12

const colourHistogram = (): Float32Array => new Float32Array(bins ** 3)

function countColour(counts: Float32Array, bin: number): void {
  counts[bin] = (counts[bin] as number) + 1
}

function binOf({ data }: Picture, index: number): number {
  const scale = bins / 256
  const red = Math.floor((data[4 * index] as number) * scale)
  const green = Math.floor((data[4 * index + 1] as number) * scale)
  const blue = Math.floor((data[4 * index + 2] as number) * scale)
  return (red * bins + green) * bins + blue
}

function smoothHistogram(counts: Float32Array): Float32Array {
  const sum = counts.reduce((total, one) => total + one, 0) || 1
  let now = counts.map((one) => one / sum)
  for (const step of [1, bins, bins * bins]) {
    const next = now.slice()
    for (let i = 0; i < now.length; i++) {
      const place = Math.floor(i / step) % bins
      const before = place > 0 ? (now[i - step] as number) : 0
      const after = place < bins - 1 ? (now[i + step] as number) : 0
      next[i] = 0.6 * (now[i] as number) + 0.2 * before + 0.2 * after
    }
    now = next
  }
  return now
}
