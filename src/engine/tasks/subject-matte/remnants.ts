import type { EngineHost } from '#engine/host.ts'
import { clipBox, connectedRegions, type Point, type Region } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { resizePlane } from '#engine/image/plane.ts'
import { averageView, greyMirroredVariant, modelInput, paleMirroredVariant, plainVariant } from './person-views.ts'
import type { PortraitHead } from './portrait-head.ts'

// The person model keeps parts of flowers, walls of logos, shelves and cars beside a person. The
// network of salience, which sees the person as one thing, keeps few of them. What both keep cannot
// be told: neither colours nor the rest of the disagreement pointed it out on 30 composites.

/**
 * Salience of a remnant's core and of all of it, alpha of both, and least area of the core in
 * squares of the head's height: chosen on 30 composites of known alpha.
 */
const remnant = { core: 0.1, most: 0.2, coreAlpha: 0.3, alpha: 0.1, area: 0.0005 } as const
/** Larger parts are likelier a shoulder, and stay. */
const largestRemnant = 0.15
/** Mean probability of a part, and of a pixel, from which the person model is sure of them. */
const surePerson = { part: 0.95, pixel: 0.97 } as const

/**
 * Removes parts of the old background from a matte of people, in place, but no region with a point
 * of a face, and nothing of which the person model is sure in `probability`. Returns true if a
 * part stays that may be background. `head` is the height of a head in pixels of the matte.
 */
export function removeRemnants(
  matte: Plane,
  seen: Plane,
  head: number,
  faces: Iterable<Point>,
  probability?: Plane,
): boolean {
  const salience = resizePlane(seen, matte)
  const { width, height } = matte
  const isRemnant = (i: number) =>
    (matte.data[i] as number) > remnant.alpha && (salience.data[i] as number) < remnant.most
  const { labels, regions } = connectedRegions(width, height, isRemnant)
  const [cores, person] = [new Float64Array(regions.length + 1), new Float64Array(regions.length + 1)]
  for (let i = 0; i < labels.length; i++) {
    const isCore = (salience.data[i] as number) < remnant.core && (matte.data[i] as number) > remnant.coreAlpha
    if (isCore) cores[labels[i] as number]!++
    if (probability) person[labels[i] as number]! += probability.data[i] as number
  }
  const inFace = new Set(Array.from(faces, ({ x, y }) => labels[Math.floor(y) * width + Math.floor(x)]))
  const unit = head * head
  const found = regions.filter(({ label }) => label > 0 && (cores[label] as number) > remnant.area * unit)
  const mayGo = ({ label, area }: Region) =>
    area < largestRemnant * unit && (person[label] as number) < surePerson.part * area && !inFace.has(label)
  const removed = new Set(found.filter(mayGo).map(({ label }) => label))
  for (let i = 0; i < labels.length; i++) {
    if (removed.has(labels[i] as number) && (probability?.data[i] ?? 0) < surePerson.pixel) matte.data[i] = 0
  }
  return removed.size < found.length
}

/**
 * Part of the matte beside a head that the person model takes for background in a closer view, in
 * squares of the head's height. `eyes` and `head` (height) are in pixels of the picture, which has
 * the matte's size; the view ends at the chin, since shoulders need their body.
 */
export async function doubtfulArea(
  picture: Picture,
  matte: Plane,
  { eyes, chin, head }: { eyes: Point; chin: number; head: number },
  host: EngineHost,
): Promise<number> {
  const view = clipBox({ x: eyes.x - head, y: eyes.y - head, width: 2 * head, height: 2 * head }, picture)
  if (!view) return 0
  const versions = [plainVariant, greyMirroredVariant, paleMirroredVariant]
  const { odds } = await averageView(view, await modelInput(picture, host, view), versions, host)
  const { width, height, data } = resizePlane(odds, view)
  let doubted = 0
  for (let y = 0; y < Math.min(height, chin - view.y); y++) {
    const row = (view.y + y) * matte.width + view.x
    for (let x = 0; x < width; x++) {
      if ((matte.data[row + x] as number) > 0.5 && (data[y * width + x] as number) < 0) doubted++
    }
  }
  return doubted / (head * head)
}

/** Alpha from which pixels hang together. */
const visible = 0.05

/** Removes bits apart from the person, such as sparks and lamps, from a matte in place. */
export function removeIslands(matte: Plane, head: number): void {
  const { width, height, data } = matte
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > visible)
  const small = new Set(regions.filter(({ area }) => area < largestRemnant * head * head).map(({ label }) => label))
  for (let i = 0; i < data.length; i++) if (small.has(labels[i] as number)) data[i] = 0
}

/** Height of a head in those of its face's box. */
const headHeight = 1.5

/** Removes remnants of the background from the mask of one person with a face, in place. */
export function removeRemnantsBeside(mask: Plane, probability: Plane, { face, salience }: PortraitHead): void {
  const { x, y, width, height } = face
  removeRemnants(mask, salience, headHeight * height, [{ x: x + width / 2, y: y + height / 2 }], probability)
}
