import { connectedTo } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { shareAbove } from '#engine/image/plane.ts'
import {
  borderStrength,
  contrastLinks,
  fillHolesAndDropIslands,
  type Links,
  rimShare,
  segment,
  segmentDefaults,
} from './segment.ts'

/** Longer side of the picture that {@link segmentAtTap} expects. */
export const tapPictureSide = 192
/** Expected radii of the tapped object, as shares of the picture's longer side. */
const sizes = [0.06, 0.12, 0.22, 0.38]
/**
 * Cuts of a smaller share of the picture are often a part, such as a light spot; larger ones win by
 * their border alone, since they may take a neighbour.
 */
const partArea = 0.08

/**
 * Object below a tap, 0 or 1 a pixel; `x` and `y` are in pixels. For several sizes, belief falls
 * off from the tap and a minimum cut follows colours and edges (after Rother, Kolmogorov and Blake
 * 2004); the cut whose border follows edges best wins. `pause` is awaited between cuts, so that the
 * page stays responsive.
 */
export async function segmentAtTap(
  picture: Picture,
  x: number,
  y: number,
  pause: () => Promise<unknown> = async () => {},
): Promise<Plane> {
  const { width, height } = picture
  const tap = clampTo(y, height) * width + clampTo(x, width)
  const links = contrastLinks(picture, segmentDefaults.smooth)
  const edges = contrastLinks(picture, 1)
  let best = createPlane(width, height)
  let most = -1
  for (const size of sizes) {
    await pause()
    const { data } = cutAround(picture, tap, size * Math.max(width, height), links)
    const held = connectedTo(picture, [tap], (i) => (data[i] as number) >= 0.5)
    const cut = { width, height, data: Float32Array.from(held) }
    const area = shareAbove(cut, 0.5)
    if (area === 0 || area > 0.75) continue
    const worth = borderStrength(cut, edges) * Math.min(area, partArea) ** 0.15 * (1 - rimShare(cut, 0.3)) ** 2
    if (worth > most) [best, most] = [cut, worth]
  }
  if (most < 0) best.data[tap] = 1
  return best
}

const clampTo = (position: number, count: number) => Math.min(count - 1, Math.max(0, Math.floor(position)))

function cutAround(picture: Picture, tap: number, radius: number, links: Links): Plane {
  const { width, height } = picture
  const belief = createPlane(width, height)
  const [x, y] = [tap % width, Math.floor(tap / width)]
  for (let i = 0; i < belief.data.length; i++) {
    const away = Math.hypot((i % width) - x, Math.floor(i / width) - y) / radius
    belief.data[i] = 1 / (1 + Math.exp(4 * (away - 1)))
  }
  const first = segment(picture, belief, { ...segmentDefaults, belief: 0.8, sure: 0.9, clusters: 5 }, links)
  const second = createPlane(width, height)
  for (let i = 0; i < second.data.length; i++) {
    second.data[i] = 0.6 * (first.data[i] as number) + 0.4 * (belief.data[i] as number)
  }
  return fillHolesAndDropIslands(
    segment(picture, second, { ...segmentDefaults, belief: 0.9, sure: 0.75, clusters: 6 }, links),
    0.1,
    0.02,
  )
}

export { findPersonAt } from './detect-people.ts'
export { findObjects, findSalience, isAnimal, mainObjects } from './find-object.ts'
export { blurredBackground, cutOut, lensBackground } from './foreground.ts'
export { assessSubject, matteUncertainty, maxMatteUncertainty } from './matte-quality.ts'
export { averageView, greyMirroredVariant, modelInput, plainVariant } from './person-views.ts'
export { enlargeMatte, refineMatte } from './refine.ts'
export { segment } from './segment.ts'
export { findEveryone, selectObject } from './select-object.ts'
export { applyStrokes, correctCutOut, softenEdges } from './strokes.ts'
export {
  explainUnclearSubject,
  findMatte,
  keepTransparency,
  reduceForSearch,
  subjectMatte,
  subjectMatteInput,
} from './subject-matte.ts'
