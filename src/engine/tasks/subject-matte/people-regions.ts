import { boundsOf, boxOverlap, clipBox, connectedRegions, scaleBox, unionBox } from '#engine/image/geometry.ts'
import type { Plane, Size } from '#engine/image/picture.ts'
import { cropPlane } from '#engine/image/pixels.ts'
import { shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import type { DetectedPerson } from './people.ts'

/** A region of this share of the largest detected person is a person too. */
const personSize = 0.25

/** Overlap of a region's box and that of a suspected person. */
const suspectedOverlap = 0.3

/**
 * Removes regions without a detected person if another region has one, unless they are as large as
 * a person and the detector suspects one there (`possible`): faces may be turned away or covered.
 * In place.
 */
export function dropUndetected(labels: Plane, people: readonly Box[], possible: readonly Box[] = []): void {
  const { width, height, data } = labels
  const { labels: owner, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.5)
  const known = new Uint8Array(regions.length + 1)
  for (const person of people) {
    const box = clipBox(person, labels)
    if (!box) continue
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) known[owner[y * width + x] as number] = 1
    }
  }
  const largest = Math.max(0, ...regions.filter(({ label }) => known[label] === 1).map(({ area }) => area))
  if (largest === 0) return
  for (const { label, area, box } of regions) {
    const isPossible = possible.some((figure) => boxOverlap(figure, box) > suspectedOverlap)
    if (isPossible && area >= personSize * largest) known[label] = 1
  }
  for (let i = 0; i < data.length; i++) if (known[owner[i] as number] === 0) data[i] = 0
}

/** Figures of people none of whose faces was found. */
export function withoutFace<Figure extends { box: Box }>(figures: readonly Figure[], faces: readonly Box[]): Figure[] {
  const kept: Figure[] = []
  for (const figure of figures) {
    const { box } = figure
    const hasFace = faces.some(({ x, y, width, height }) => {
      const [centreX, centreY] = [x + width / 2 - box.x, y + height / 2 - box.y]
      return centreX > 0 && centreY > 0 && centreX < box.width && centreY < box.height
    })
    if (!hasFace && !kept.some((other) => boxOverlap(other.box, box) > sameFigure)) kept.push(figure)
  }
  return kept
}

/** Overlap of two detections of one person. */
const sameFigure = 0.5
/** A mask covers at least this share of the box around a person, however thin. */
const leastCoverage = 0.15

/**
 * Box around everyone, in shares of the picture, if the mask lacks a figure as large as a person.
 * Boxes are in pixels of the picture.
 */
export function boxWithMissedPeople(mask: Plane, people: readonly DetectedPerson[], picture: Size): Box | undefined {
  const largest = Math.max(...people.map(bodyArea))
  const missed = people.filter((person) => {
    if (bodyArea(person) < personSize * largest) return false
    const box = clipBox(scaleBox(person.box, mask.width / picture.width, mask.height / picture.height), mask)
    return box && shareAbove(cropPlane(mask, box.x, box.y, box.width, box.height), 0.5) < leastCoverage
  })
  if (missed.length === 0) return undefined
  const found = boundsOf(mask, 0.5)
  const boxes = people.map(({ box }) => box)
  const all = [...boxes, ...(found ? [scaleBox(found, picture.width / mask.width, picture.height / mask.height)] : [])]
  const around = clipBox(all.reduce(unionBox), picture)
  return around && scaleBox(around, 1 / picture.width, 1 / picture.height)
}

/** A body is at least four faces large, also where it is cut off. */
const facesInBody = 4

function bodyArea({ box, part }: DetectedPerson): number {
  return box.width * box.height * (part === 'face' ? facesInBody : 1)
}
