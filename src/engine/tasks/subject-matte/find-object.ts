import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { DetectedObject, EngineHost } from '#engine/host.ts'
import { clipBox, growBox, scaleBox } from '#engine/image/geometry.ts'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import { createPlane, share } from '#engine/image/plane.ts'
import { barrierSaliency, partingValue } from './saliency.ts'
import { borderStrength, contrastLinks, type Links, segment, segmentDefaults, tidy } from './segment.ts'
import { mainObjects, type Subject } from './subject.ts'

const cutSide = 256
/**
 * How far around a thing's box its parts are looked for, and what it may be the middle of, such as
 * a cup of its saucer; as shares of the box's longer side.
 */
const around = { parts: 0.06, larger: 0.6 }

/**
 * The most salient thing, or the one in the box: narrow and generous beliefs are each cut along
 * colours and edges, and the cut whose border follows real edges best wins.
 */
export async function findObject(
  picture: Picture,
  box: Box | undefined,
  objects: () => Promise<DetectedObject[]>,
  host: EngineHost,
): Promise<Subject> {
  const size = fitWithin(picture, cutSide)
  const small = await host.resize(picture, size.width, size.height)
  const salient = barrierSaliency(small)
  const reduced = (it: Box): Box => scaleBox(it, size.width / picture.width, size.height / picture.height)
  const frame = box && reduced(box)
  const main = frame ? [] : mainObjects(await objects(), picture).map((it) => reduced(it.box))
  const [detected] = main
  if (!frame && !detected && share(salient, 0.5) === 0) throw new EngineError('engine.no_subject')
  const parting = Math.min(partingValue(salient), 0.5)
  const narrow = { salient, parting }
  // More of what hardly stands out may belong to the subject.
  const generous = { salient, parting: 0.8 * parting }
  const longer = detected ? Math.max(detected.width, detected.height) : 0
  const larger = detected && [growBox(detected, around.larger * longer)]
  const parts = main.map((it) => growBox(it, around.parts * longer))
  const beliefs = frame
    ? [
        objectBelief(narrow, { frames: [frame] }),
        objectBelief(generous, { frames: [frame] }),
        objectBelief(generous, { frames: [frame], clarity: 1 }),
      ]
    : larger
      ? [
          objectBelief(narrow, { detected }),
          objectBelief(narrow, { frames: larger, clarity: 1 }),
          objectBelief(narrow, { frames: parts, clarity: 1 }),
        ]
      : [objectBelief(narrow), objectBelief(generous)]
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
 * How good a cut is: its border follows real edges, it does not cover the picture's rim; of equals
 * the larger is the more complete.
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

/** What stands out from the border, and the value from which it counts as standing out. */
interface Clues {
  salient: Plane
  parting: number
}

/**
 * A first belief: outside all frames nothing, inside the more the clearer it stands out, by
 * `clarity`; around a thing's box little.
 */
function objectBelief(
  { salient, parting }: Clues,
  { detected, frames, clarity = 0.5 }: { detected?: Box | undefined; frames?: readonly Box[]; clarity?: number } = {},
): Plane {
  const { width, height } = salient
  const belief = createPlane(width, height)
  for (let i = 0; i < belief.data.length; i++) {
    const x = i % width
    const y = (i - x) / width
    let odds = 5 * ((salient.data[i] as number) - parting)
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
  return tidy(first, 0.02, 0.1)
}

/** 1 inside a box, falling to 0 at a quarter of its size away. */
function nearness(box: Box, x: number, y: number): number {
  const awayX = Math.max(box.x - x - 0.5, x + 0.5 - box.x - box.width, 0) / box.width
  const awayY = Math.max(box.y - y - 0.5, y + 0.5 - box.y - box.height, 0) / box.height
  return Math.max(0, 1 - 4 * Math.max(awayX, awayY))
}
