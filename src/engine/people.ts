import type { Box } from '#contract/media.ts'
import { boxOverlap, clipBox, growBox } from './geometry.ts'
import type { EngineHost } from './host.ts'
import type { Picture, Plane } from './picture.ts'
import { cropPicture, mirrorPicture, mirrorPlane } from './pixels.ts'
import { createPlane, resizeSmooth } from './plane.ts'

const modelSide = 256
/** Sides of the crops around a face, in face sizes: left and right of its centre, above, below. */
const framings = [
  { aside: 2, above: 1.5, below: 2.5 },
  { aside: 2.5, above: 1.6, below: 3.4 },
  { aside: 3.5, above: 2, below: 5 },
]
/** Beyond this many people each gets one framing only, so that a crowd does not take for ever. */
const fewPeople = 3
const mostPeople = 12

interface View {
  box: Box
  /** Log odds of a person. */
  odds: Plane
}

/** Where a person is: a face's box, or the whole figure's where no face was found; in pixels of the picture. */
export interface Sighting {
  box: Box
  part: 'face' | 'figure'
}

/**
 * Probability of a person for every pixel of `width`×`height`, from several views of the selfie model: the whole picture and crops around
 * every person, each also mirrored. Their log odds are averaged; a view counts less towards edges that cut the picture, and a person's
 * views count most around that person.
 */
export async function personProbability(
  picture: Picture,
  people: readonly Sighting[],
  host: EngineHost,
  width: number,
  height: number,
): Promise<Plane> {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  const sum = createPlane(width, height)
  const weights = createPlane(width, height)
  const known = people.slice(0, mostPeople)
  const views = known.flatMap((person) =>
    framesOf(person, picture, known.length > fewPeople)
      .filter((box) => boxOverlap(box, whole) < 0.9)
      .map((box) => ({ person: person.box, reach: person.part === 'face' ? 2.2 : 0.7, box })),
  )
  addView(sum, weights, await view(picture, whole, host), picture, undefined, views.length > 0 ? 0.15 : 1)
  for (const { person, reach, box } of views) {
    addView(sum, weights, await view(picture, box, host), picture, { box: person, reach }, 1)
  }
  for (let i = 0; i < sum.data.length; i++) {
    sum.data[i] = 1 / (1 + Math.exp(-(sum.data[i] as number) / (weights.data[i] as number)))
  }
  return sum
}

function framesOf(person: Sighting, picture: Picture, single: boolean): Box[] {
  const { box, part } = person
  if (part === 'figure') {
    const boxes = [0.1, 0.25].map((share) => clipBox(growBox(box, share * Math.max(box.width, box.height)), picture))
    return boxes.slice(single ? 1 : 0).filter((frame) => frame !== undefined)
  }
  const size = (box.width + box.height) / 2
  return (single ? framings.slice(1, 2) : framings)
    .map(({ aside, above, below }) => {
      const x = box.x + box.width / 2 - aside * size
      const y = box.y + box.height / 2 - above * size
      return clipBox({ x, y, width: 2 * aside * size, height: (above + below) * size }, picture)
    })
    .filter((frame) => frame !== undefined)
}

async function view(picture: Picture, box: Box, host: EngineHost): Promise<View> {
  const small = await host.resize(cropPicture(picture, box), modelSide, modelSide)
  const straight = await host.personMask(small)
  const mirrored = mirrorPlane(await host.personMask(mirrorPicture(small)))
  const odds = createPlane(straight.width, straight.height)
  for (let i = 0; i < odds.data.length; i++) {
    odds.data[i] = (logOdds(straight.data[i] as number) + logOdds(mirrored.data[i] as number)) / 2
  }
  return { box, odds }
}

function logOdds(probability: number): number {
  const p = Math.min(Math.max(probability, 0.005), 0.995)
  return Math.log(p / (1 - p))
}

/** Adds a view to the sums; `focus` makes it count most around that person, `reach` widths to either side. */
function addView(
  sum: Plane,
  weights: Plane,
  view: View,
  picture: Picture,
  focus: { box: Box; reach: number } | undefined,
  weight: number,
): void {
  const scaleX = sum.width / picture.width
  const scaleY = sum.height / picture.height
  const { box } = view
  const place = clipBox(
    { x: box.x * scaleX, y: box.y * scaleY, width: box.width * scaleX, height: box.height * scaleY },
    sum,
  )
  if (!place) return
  const odds = resizeSmooth(view.odds, place.width, place.height)
  const cut = {
    left: box.x > 0,
    right: box.x + box.width < picture.width,
    top: box.y > 0,
    bottom: box.y + box.height < picture.height,
  }
  const feather = 0.12
  const across = edgeWeights(place.width, cut.left, cut.right, feather)
  const down = edgeWeights(place.height, cut.top, cut.bottom, feather)
  const size = focus ? focus.reach * focus.box.width * scaleX : 1
  const centreX = focus ? (focus.box.x + focus.box.width / 2) * scaleX - place.x : 0
  for (let y = 0; y < place.height; y++) {
    for (let x = 0; x < place.width; x++) {
      const away = focus ? (x - centreX) / size : 0
      const share = weight * (across[x] as number) * (down[y] as number) * (focus ? Math.exp(-away * away) : 1) + 1e-4
      const target = (place.y + y) * sum.width + place.x + x
      sum.data[target] = (sum.data[target] as number) + share * (odds.data[y * place.width + x] as number)
      weights.data[target] = (weights.data[target] as number) + share
    }
  }
}

/** 1 inside, falling to 0 towards edges that cut the picture. */
function edgeWeights(length: number, first: boolean, last: boolean, feather: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => {
    const start = first ? (i + 0.5) / (length * feather) : 1
    const end = last ? (length - i - 0.5) / (length * feather) : 1
    return Math.min(1, start, end)
  })
}
