import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { clipBox, growBox, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { createPlane, resizeSmooth, share } from '#engine/image/plane.ts'
import { barrierSaliency, partingValue, relativeFocus } from './saliency.ts'
import { borderStrength, contrastLinks, type Links, segment, segmentDefaults, tidy } from './segment.ts'
import { mainObjects, type Subject } from './subject.ts'

const cutSide = 256

/**
 * The most salient thing, or the one in the box. Several cuts are tried, narrow and generous ones,
 * and a detected thing also as the middle of something larger, such as a cup on its saucer; the cut
 * whose border follows real edges best wins.
 */
export async function findObject(
  picture: Picture,
  box: Box | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Subject> {
  const size = fitWithin(picture, cutSide)
  const small = await host.resize(picture, size.width, size.height)
  const clues = await gatherClues(picture, small, host)
  const reduced = (it: Box): Box => scaleBox(it, size.width / picture.width, size.height / picture.height)
  const frame = box && reduced(box)
  const main = frame ? [] : mainObjects(await objects(), picture)
  const detected = main[0] && reduced(main[0].box)
  if (!frame && !detected && share(clues.salient, 0.5) === 0) throw new EngineError('engine.no_subject')
  const beliefs = frame
    ? [
        objectBelief(clues, undefined, [frame]),
        objectBelief(generous(clues), undefined, [frame]),
        objectBelief(generous(clues), undefined, [frame], 1),
      ]
    : detected
      ? [
          objectBelief(clues, detected),
          objectBelief(clues, detected, [growBox(detected, 0.6 * Math.max(detected.width, detected.height))]),
          objectBelief(clues, undefined, [growBox(detected, 0.6 * Math.max(detected.width, detected.height))], 1),
          objectBelief(
            clues,
            undefined,
            main.map((it) => growBox(reduced(it.box), 0.06 * Math.max(detected.width, detected.height))),
            1,
          ),
        ]
      : [objectBelief(clues), objectBelief(generous(clues))]
  const links = contrastLinks(small, segmentDefaults.smooth)
  const cuts = beliefs.map((belief) => cutObject(small, belief, links))
  const edges = contrastLinks(small, 1)
  const [labels] = cuts
    .filter((cut) => share(cut, 0.5) > 0.002 && share(cut, 0.5) < 0.985)
    .sort((a, b) => worth(b, edges, detected) - worth(a, edges, detected))
  if (!labels) throw new EngineError('engine.no_subject')
  return { mask: labels, hair: [] }
}

/**
 * How good a cut is: its border follows real edges, it covers the thing that was seen and not the
 * picture's rim; of equals the larger is the more complete.
 */
function worth(cut: Plane, links: readonly Float32Array[], detected: Box | undefined): number {
  const whole = detected ? covered(cut, detected) ** 0.3 : 1
  return borderStrength(cut, links) * share(cut, 0.5) ** 0.12 * (1 - rimShare(cut)) ** 3 * whole
}

/** How much of a box a cut covers, 0 to 1. */
function covered({ width, height, data }: Plane, box: Box): number {
  const place = clipBox(box, { width, height })
  if (!place) return 0
  let sum = 0
  for (let y = place.y; y < place.y + place.height; y++) {
    for (let x = place.x; x < place.x + place.width; x++) sum += data[y * width + x] as number
  }
  return sum / (place.width * place.height)
}

/** How much of the picture's rim a cut covers, 0 to 1. */
function rimShare({ width, height, data }: Plane): number {
  let covered = 0
  for (let x = 0; x < width; x++) covered += (data[x] as number) + (data[(height - 1) * width + x] as number)
  for (let y = 0; y < height; y++) covered += (data[y * width] as number) + (data[(y + 1) * width - 1] as number)
  return covered / (2 * (width + height))
}

/** Lets more of what hardly stands out belong to the subject. */
function generous(clues: Clues): Clues {
  return { ...clues, parting: 0.8 * clues.parting }
}

interface Clues {
  /** What stands out from the border, and the value from which it counts as standing out. */
  salient: Plane
  parting: number
  /**
   * What the person model takes for a living being, and what is in focus; only where there seems to
   * be an animal.
   */
  living?: Plane
  focus?: Plane
}

async function gatherClues(picture: Picture, small: Picture, host: EngineHost): Promise<Clues> {
  const salient = barrierSaliency(small)
  const clues = { salient, parting: Math.min(partingValue(salient), 0.5) }
  const living = resizeSmooth(await host.personMask(picture), small.width, small.height)
  return share(living, 0.8) > 0.1 ? { ...clues, living, focus: relativeFocus(small) } : clues
}

/**
 * A first belief from all clues: outside a frame nothing, inside it the more the less is left to
 * the clues; around a thing's box little.
 */
function objectBelief(clues: Clues, detected?: Box, frames?: readonly Box[], clarity = 0.5): Plane {
  const { salient, parting, living, focus } = clues
  const { width, height } = salient
  const belief = createPlane(width, height)
  for (let i = 0; i < belief.data.length; i++) {
    const x = i % width
    const y = (i - x) / width
    let odds = 5 * ((salient.data[i] as number) - parting)
    if (living && focus) odds += 2 * ((living.data[i] as number) - 0.5) + 1.5 * (focus.data[i] as number)
    if (detected) odds += 3 * nearness(detected, x, y) - 1.5
    if (frames) odds = frames.some((frame) => nearness(frame, x, y) === 1) ? clarity * odds + 1.5 - clarity : -8
    belief.data[i] = 1 / (1 + Math.exp(-odds))
  }
  return belief
}

/** Colours and edges decide in two rounds, the second learning from the first. */
function cutObject(small: Picture, belief: Plane, links: Links): Plane {
  const first = segment(small, belief, { ...segmentDefaults, belief: 0.8, sure: 0.8 }, links)
  const second = createPlane(small.width, small.height)
  for (let i = 0; i < second.data.length; i++) {
    const outside = (belief.data[i] as number) < 0.005
    second.data[i] = outside ? 0.004 : 0.6 * (first.data[i] as number) + 0.4 * (belief.data[i] as number)
  }
  return tidy(segment(small, second, { ...segmentDefaults, belief: 1, sure: 0.75 }, links), 0.02, 0.1)
}

/** 1 inside a box, falling to 0 at a quarter of its size away. */
function nearness(box: Box, x: number, y: number): number {
  const awayX = Math.max(box.x - x - 0.5, x + 0.5 - box.x - box.width, 0) / box.width
  const awayY = Math.max(box.y - y - 0.5, y + 0.5 - box.y - box.height, 0) / box.height
  return Math.max(0, 1 - 4 * Math.max(awayX, awayY))
}
