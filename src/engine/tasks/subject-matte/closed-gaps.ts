import type { EngineHost } from '#engine/host.ts'
import { clusterColours } from '#engine/image/colour-clusters.ts'
import { clipBox, connectedRegions, connectedTo, growBox, type Region, scaleBox } from '#engine/image/geometry.ts'
import { borderDistance, dilateMask } from '#engine/image/morphology.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resizePlane, shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { findSalience } from './find-object.ts'
import { averageView, greyMirroredVariant, modelInput, plainVariant } from './person-views.ts'

/**
 * Wall between an arm and a body, or floor between legs, that the cut of people closed: the person
 * network doubts it, and denies it in a closer view, salience is much lower than around it, its
 * colours are those of the nearby background, and the body around it differs. Limits were chosen on
 * photographs not used for judging.
 */
const gap = { probability: 0.85, salience: 0.45, salienceStep: 0.3, colourStep: 60 } as const
/** Side of a gap's closer view: in those of its box, and at least this share of the mask's. */
const closerView = { gaps: 3.5, least: 0.18 } as const
/** Least number of doubted pixels from which a gap is grown, and the most places to try. */
const seed = { area: 8, most: 12 } as const
/** Pixels from the mask's edge at which colours are not mixed with those across it. */
const pure = 2
/** Distance in pixels of the background whose colours a gap may have, and their number. */
const nearby = { reach: 40, colours: 8, least: 20, step: 2 } as const
/** Largest distance of a pixel from one of these colours, of 255 a channel. */
const sameColour = 20
/** Least pixels of a gap, and its least and largest share of the people's area. */
const area = { pixels: 24, least: 0.0008, most: 0.05 } as const

/**
 * Pixels (1) of the closed gaps in a mask of people; undefined if there are none. `probability` has
 * the mask's size, and so has `known`, the salience if it was found already.
 */
export async function findClosedGaps(
  mask: Plane,
  probability: Plane,
  picture: Picture,
  host: EngineHost,
  known?: Plane,
): Promise<Uint8Array | undefined> {
  const { width, height, data } = mask
  const edge = borderDistance(mask)
  const isDeep = (i: number) => (data[i] as number) > 0.5 && (edge[i] as number) >= pure
  const isSeed = (i: number) => isDeep(i) && (probability.data[i] as number) < gap.probability
  const { labels, regions } = connectedRegions(width, height, isSeed)
  const seeds = regions.filter((region) => region.area >= seed.area).toSorted((a, b) => b.area - a.area)
  if (seeds.length === 0) return undefined
  const small = await host.resize(picture, width, height)
  const people = shareAbove(mask, 0.5) * data.length
  const least = Math.max(area.pixels, area.least * people)
  const found = new Uint8Array(data.length)
  let salience = known
  for (const region of seeds.slice(0, seed.most)) {
    const from = pixelsOf(region, labels, width)
    if (from.some((i) => found[i] === 1)) continue
    const colours = backgroundColours(mask, edge, small, region.box)
    const pixels = connectedTo(
      mask,
      from,
      (i) => isDeep(i) && colours.some((colour) => colourStep(small, i, colour) < sameColour ** 2),
    )
    const inside = indices(pixels)
    if (inside.length < least || inside.length > area.most * people) continue
    const around = ringAround(pixels, mask)
    const differs = colourDistance(small, around, meanColour(small, inside)) > gap.colourStep
    if (!differs || meanOf(probability, inside) > gap.probability) continue
    salience ??= resizePlane(await findSalience(picture, host), mask)
    const seen = meanOf(salience, inside)
    if (seen > gap.salience || meanOf(salience, around) - seen < gap.salienceStep) continue
    if ((await closerOdds(inside, mask, picture, host)) < 0) for (const i of inside) found[i] = 1
  }
  // The edge of a gap is mixed with the body, and found anew by the matte.
  return found.includes(1) ? dilateMask(found, width, height, 1) : undefined
}

/** Mean log odds of a person at pixels of the mask, in a closer view of them. */
async function closerOdds(
  pixels: readonly number[],
  { width, height }: Plane,
  picture: Picture,
  host: EngineHost,
): Promise<number> {
  const [across, down] = [pixels.map((i) => i % width), pixels.map((i) => Math.floor(i / width))]
  const [left, top] = [Math.min(...across), Math.min(...down)]
  const box = { x: left, y: top, width: Math.max(...across) - left + 1, height: Math.max(...down) - top + 1 }
  const least = closerView.least * Math.sqrt(width * height)
  const side = Math.max(closerView.gaps * Math.max(box.width, box.height), least)
  const [x, y] = [left + (box.width - side) / 2, top + (box.height - side) / 2]
  const factor = picture.width / width
  const view = clipBox(scaleBox({ x, y, width: side, height: side }, factor, picture.height / height), picture)
  if (!view) return 0
  const { odds } = await averageView(
    view,
    await modelInput(picture, host, view),
    [plainVariant, greyMirroredVariant],
    host,
  )
  const at = (i: number) => {
    const [u, v] = [
      ((i % width) + 0.5) * factor - view.x,
      (Math.floor(i / width) + 0.5) * (picture.height / height) - view.y,
    ]
    const [column, row] = [Math.floor((u / view.width) * odds.width), Math.floor((v / view.height) * odds.height)]
    return odds.data[row * odds.width + column] as number
  }
  return pixels.reduce((sum, i) => sum + at(i), 0) / pixels.length
}

type Colour = readonly [number, number, number]

/** Squared distance of a pixel's colour from another one. */
function colourStep({ data }: Picture, i: number, [red, green, blue]: Colour): number {
  const r = (data[4 * i] as number) - red
  const g = (data[4 * i + 1] as number) - green
  const b = (data[4 * i + 2] as number) - blue
  return r * r + g * g + b * b
}

/** Main colours of the background around a box, away from the mask's edge. */
function backgroundColours(mask: Plane, edge: Float32Array, picture: Picture, box: Box): Colour[] {
  const around = clipBox(growBox(box, nearby.reach), mask)
  const points: number[] = []
  for (let y = around?.y ?? 0; around && y < around.y + around.height; y += nearby.step) {
    for (let x = around.x; x < around.x + around.width; x += nearby.step) {
      const i = y * mask.width + x
      if ((mask.data[i] as number) > 0.5 || (edge[i] as number) < pure) continue
      for (let c = 0; c < 3; c++) points.push((picture.data[4 * i + c] as number) / 255)
    }
  }
  if (points.length < 3 * nearby.least) return []
  const { mean } = clusterColours(Float32Array.from(points), nearby.colours)
  return Array.from({ length: nearby.colours }, (_, c) => [
    255 * (mean[3 * c] as number),
    255 * (mean[3 * c + 1] as number),
    255 * (mean[3 * c + 2] as number),
  ])
}

function pixelsOf({ label, box }: Region, labels: Int32Array, width: number): number[] {
  const found: number[] = []
  for (let y = box.y; y < box.y + box.height; y++) {
    for (let i = y * width + box.x; i < y * width + box.x + box.width; i++) if (labels[i] === label) found.push(i)
  }
  return found
}

function indices(pixels: Uint8Array): number[] {
  const found: number[] = []
  for (let i = pixels.indexOf(1); i >= 0; i = pixels.indexOf(1, i + 1)) found.push(i)
  return found
}

/** Pixels of the mask two and three pixels away from a region. */
function ringAround(pixels: Uint8Array, { width, height, data }: Plane): number[] {
  const [near, far] = [dilateMask(pixels, width, height, 1), dilateMask(pixels, width, height, 3)]
  return indices(far).filter((i) => near[i] === 0 && (data[i] as number) > 0.5)
}

const meanOf = ({ data }: Plane, pixels: readonly number[]) =>
  pixels.reduce((sum, i) => sum + (data[i] as number), 0) / Math.max(1, pixels.length)

function meanColour({ data }: Picture, pixels: readonly number[]): Colour {
  const mean = (c: number) => pixels.reduce((sum, i) => sum + (data[4 * i + c] as number), 0) / pixels.length
  return [mean(0), mean(1), mean(2)]
}

/** Mean distance of pixels from a colour. */
const colourDistance = (picture: Picture, pixels: readonly number[], colour: Colour): number =>
  pixels.reduce((sum, i) => sum + Math.sqrt(colourStep(picture, i, colour)), 0) / Math.max(1, pixels.length)
