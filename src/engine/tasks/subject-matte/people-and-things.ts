import { connectedRegions, connectedTo } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import type { Plane, Size } from '#engine/image/picture.ts'
import { resizePlane, shareAbove } from '#engine/image/plane.ts'
import type { Box } from '#shared/media.ts'
import { faintSalience } from './find-object.ts'
import { crowd, distinctBodies, isMissed, personSize, softEdge } from './people-regions.ts'
import { blendedProbability } from './segment.ts'

/** People below this share are bystanders of an object this many times larger. */
const bystander = { share: 0.06, times: 4 }

/** True if people are only next to or on a much larger object, such as a car or a boat. */
export function areBystanders(people: Plane, thing: Plane): boolean {
  const area = shareAbove(people, 0.5)
  return area < bystander.share && shareAbove(thing, 0.5) > bystander.times * area
}

/**
 * True if the thing in the mask is part of a crowd: the mask leaves out as many of the `possible`
 * people, too large for bystanders.
 */
export function isAmongCrowd(thing: Plane, possible: readonly Box[], picture: Size): boolean {
  const area = shareAbove(thing, 0.5) * picture.width * picture.height
  const people = distinctBodies(possible).filter((box) => isMissed(thing, { box, part: 'figure' }, picture))
  return people.filter(({ width, height }) => bystander.times * width * height > area).length >= crowd.people
}

/** Share of a thing in a person's cut from which both networks mean the same. */
const agreement = 0.5

/** True if the thing is in the cut of a person that shows much more than the thing. */
export function isPartOf(thing: Plane, person: Plane): boolean {
  const { data } = resizePlane(thing, person)
  const count = { thing: 0, both: 0, more: 0 }
  for (let i = 0; i < data.length; i++) {
    const [isThing, isPerson] = [(data[i] as number) > 0.5, (person.data[i] as number) > 0.5]
    if (isThing) count.thing += 1
    if (isPerson) count[isThing ? 'both' : 'more'] += 1
  }
  return count.both > agreement * count.thing && count.more > personSize * count.thing
}

/** Smallest share of an object's area covered by people for the object to belong to them. */
const ownedShare = 0.15

/** The mask of people with the objects that belong to them, and {@link addLinkedPart}. */
export function addOwnedObjects(people: Plane, things: Plane): Plane {
  const { width, height } = people
  const thing = resizePlane(things, people)
  const { data } = thing
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0.5)
  const held = new Float64Array(regions.length + 1)
  for (let i = 0; i < labels.length; i++) {
    if ((people.data[i] as number) > 0.5) held[labels[i] as number]!++
  }
  const owned = new Set(
    regions.filter(({ label, area }) => (held[label] as number) > ownedShare * area).map(({ label }) => label),
  )
  const joined = people.data.map((value, i) =>
    owned.has(labels[i] as number) ? Math.max(value, data[i] as number) : value,
  )
  const mask = { width, height, data: joined }
  for (const part of partsApart(mask, thing)) addLinkedPart(mask, thing, part)
  return mask
}

/** Area of a linked part as a share of the people's: less is noise, more is a thing of its own. */
const linkedPart = { least: 0.03, most: personSize }

/** Pixels of each part of a thing, as large as a linked one or larger, apart from the people. */
function partsApart(people: Plane, thing: Plane): number[][] {
  const { labels, regions } = connectedRegions(people.width, people.height, (i) => (thing.data[i] as number) > 0.5)
  const parts = new Map<number, number[]>(regions.map(({ label }) => [label, []]))
  for (let i = 0; i < labels.length; i++) parts.get(labels[i] as number)?.push(i)
  const least = linkedPart.least * shareAbove(people, 0.5) * labels.length
  return [...parts.values()].filter(
    (part) => part.length > least && !part.some((i) => (people.data[i] as number) > 0.5),
  )
}

/** True if a part of the thing, as large as a linked one, is apart from the people. */
export function leavesOutPart(people: Plane, thing: Plane): boolean {
  const most = linkedPart.most * shareAbove(people, 0.5) * people.data.length
  return partsApart(people, resizePlane(thing, people)).some((part) => part.length <= most)
}

/**
 * Adds a part of a thing `from` its pixels on, apart from the people, if faint salience links
 * both: a foot below a leg that no network is sure of. In place; the thing is from
 * {@link blendLabels}.
 */
function addLinkedPart(people: Plane, thing: Plane, from: readonly number[]): void {
  const { width, height, data } = people
  const near = dilate(people, softEdge).data
  const isFaint = (i: number) => (thing.data[i] as number) > blendedProbability * faintSalience
  // The soft edge of the people is faint, too, and no part of the link.
  const apart = connectedTo(people, from, (i) => isFaint(i) && (near[i] as number) <= 0.5)
  const reach = dilate({ width, height, data: Float32Array.from(apart) }, softEdge + 1).data
  const part = connectedTo(people, from, (i) => isFaint(i) && (reach[i] as number) > 0.5)
  const isIn = (i: number) => (data[i] as number) > 0.5
  const sure = apart.reduce((sum, is, i) => sum + (is === 1 && (thing.data[i] as number) > 0.5 ? 1 : 0), 0)
  const isOwn = sure > linkedPart.most * shareAbove(people, 0.5) * data.length
  if (isOwn || !part.some((is, i) => is === 1 && isIn(i))) return
  for (let i = 0; i < data.length; i++) if (part[i] === 1 && !isIn(i)) data[i] = 1
}
