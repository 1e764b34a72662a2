import type { Box } from '#contract/media.ts'
import { boxOverlap, clipBox, growBox, scaleBox } from './geometry.ts'
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
 * every person, each also mirrored. The model knows portraits of one person best, so crops leave neighbours' faces out, the log odds of one
 * person's views are averaged, and of several people the likeliest counts.
 */
export async function personProbability(
  picture: Picture,
  people: readonly Sighting[],
  host: EngineHost,
  width: number,
  height: number,
): Promise<Plane> {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  const known = people.slice(0, mostPeople)
  const views = known.map((person) => framesOf(person, known, picture).filter((box) => boxOverlap(box, whole) < 0.97))
  const sum = createPlane(width, height)
  const weights = createPlane(width, height)
  const cropped = views.some((boxes) => boxes.length > 0)
  const inputs = new Map([whole, ...views.flat()].map((box) => [box, modelInput(picture, box, host)]))
  const viewOf = async (box: Box) => view(box, await (inputs.get(box) as Promise<Picture>), host)
  // The model looks at the whole while the crops are still being made.
  const [seen] = await Promise.all([viewOf(whole), ...inputs.values()])
  addView(sum, weights, seen, picture, cropped ? 0.12 : 1)
  const best = createPlane(width, height, -Infinity)
  const share = createPlane(width, height)
  for (const [index, boxes] of views.entries()) {
    const person = known[index] as Sighting
    const own = createPlane(width, height)
    const ownWeights = createPlane(width, height)
    for (const [rank, box] of boxes.entries()) {
      addView(own, ownWeights, await viewOf(box), picture, 1 / (1 + rank) ** 2)
    }
    takeLikeliest(best, share, own, ownWeights, person, picture)
  }
  for (let i = 0; i < sum.data.length; i++) {
    const weight = share.data[i] as number
    const personal = weight > 0 ? weight * (best.data[i] as number) : 0
    const odds = ((sum.data[i] as number) + personal) / ((weights.data[i] as number) + weight)
    sum.data[i] = 1 / (1 + Math.exp(-odds))
  }
  return sum
}

/** Keeps a person's own log odds where they are the highest so far; with the distance from that person they lose in weight. */
function takeLikeliest(
  best: Plane,
  share: Plane,
  own: Plane,
  weights: Plane,
  { box, part }: Sighting,
  picture: Picture,
): void {
  const reach = ((part === 'face' ? 2.2 : 0.7) * box.width * best.width) / picture.width
  const centre = ((box.x + box.width / 2) * best.width) / picture.width
  for (let i = 0, y = 0; y < best.height; y++) {
    for (let x = 0; x < best.width; x++, i++) {
      const away = (x - centre) / reach
      const weight = Math.min(1, weights.data[i] as number) * Math.exp(-away * away)
      if (weight < 0.01) continue
      const odds = (own.data[i] as number) / (weights.data[i] as number)
      const worth = odds > 0 ? odds * weight : odds
      if (worth <= (best.data[i] as number) * (share.data[i] as number)) continue
      best.data[i] = odds
      share.data[i] = weight
    }
  }
}

/** Crops around a person, narrowed so that no neighbour's face is in them. */
function framesOf(person: Sighting, people: readonly Sighting[], picture: Picture): Box[] {
  const { box, part } = person
  const single = people.length > fewPeople
  if (part === 'figure') {
    const boxes = [0.1, 0.25].map((share) => clipBox(growBox(box, share * Math.max(box.width, box.height)), picture))
    return boxes.slice(single ? 1 : 0).filter((frame) => frame !== undefined)
  }
  const size = (box.width + box.height) / 2
  const centre = box.x + box.width / 2
  let left = 0
  let right = picture.width
  for (const { box: other } of people) {
    const away = other.x + other.width / 2 - centre
    if (Math.abs(away) < box.width) continue
    if (away < 0) left = Math.max(left, other.x + 0.9 * other.width)
    else right = Math.min(right, other.x + 0.1 * other.width)
  }
  return (single ? framings.slice(1, 2) : framings)
    .map(({ aside, above, below }) => {
      const x = Math.max(left, centre - aside * size)
      const y = box.y + box.height / 2 - above * size
      const width = Math.min(right, centre + aside * size) - x
      return clipBox({ x, y, width, height: (above + below) * size }, picture)
    })
    .filter((frame) => frame !== undefined)
}

/** A part of the picture at the size the model wants. */
function modelInput(picture: Picture, box: Box, host: EngineHost): Promise<Picture> {
  const whole = box.width === picture.width && box.height === picture.height
  return host.resize(whole ? picture : cropPicture(picture, box), modelSide, modelSide)
}

/** What the model sees there, straight and mirrored. */
async function view(box: Box, small: Picture, host: EngineHost): Promise<View> {
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

/** Adds a view to the sums; towards edges that cut the picture it counts less. */
function addView(sum: Plane, weights: Plane, view: View, picture: Picture, weight: number): void {
  const { box } = view
  const place = clipBox(scaleBox(box, sum.width / picture.width, sum.height / picture.height), sum)
  if (!place) return
  const odds = resizeSmooth(view.odds, place.width, place.height)
  const feather = 0.12
  const across = edgeWeights(place.width, box.x > 0, box.x + box.width < picture.width, feather)
  const down = edgeWeights(place.height, box.y > 0, box.y + box.height < picture.height, feather)
  for (let y = 0; y < place.height; y++) {
    for (let x = 0; x < place.width; x++) {
      const share = weight * (across[x] as number) * (down[y] as number) + 1e-4
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
