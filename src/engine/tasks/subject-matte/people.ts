import type { EngineHost } from '#engine/host.ts'
import { boundsOf, boxOverlap, clipBox, growBox, scaleBox, wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { smoothRows } from '#engine/image/plane.ts'
import { tilesOf } from '#engine/tasks/faces/faces.ts'
import type { Box } from '#shared/media.ts'
import {
  averageView,
  greyMirroredVariant,
  type InputVariant,
  mirroredVariant,
  modelInput,
  type PersonView,
  paleMirroredVariant,
  plainVariant,
  viewDisagreement,
} from './person-views.ts'

/** Extents of the crops in face sizes: to each side of the face's centre, above and below. */
const framings = [
  { aside: 2, above: 1.5, below: 2.5 },
  { aside: 2.5, above: 1.6, below: 3.4 },
]
/** Disagreement of colour and grey view (share of the person) above which more views are taken. */
const easyDisagreement = 0.06
/** Margins left out of two further views: on the right or left, and on top (shares). */
const sideViews = { across: 0.2, above: 0.05, weight: 0.5 }
/** People below this share get one more view of all of them, with this margin. */
const figureView = { share: 0.7, margin: 0.1, weight: 2 }
/**
 * From so many people on, square parts of their common box are viewed too if it is this much longer
 * than wide: in the squeezed whole the legs of a row are thin.
 */
const rows = { people: 5, length: 1.3 }
/** Weight of the views of the whole picture relative to the views of one person. */
const wholeWeight = 0.25
/** Above this number of people each gets only one crop, to limit the time for a crowd. */
const fewPeople = 3
const maxPeople = 48

/** A person's face box, or figure box if no face was found, in pixels of the picture. */
export interface DetectedPerson {
  box: Box
  part: 'face' | 'figure'
}

/**
 * Person probability of `width`×`height`, averaged in log odds over views of the selfie model: the
 * whole (`small`, from {@link modelInput}) and crops around people. Colours mislead it, so the
 * whole is viewed in colour and grey, and each closest crop in colour and pale. If the first two
 * disagree much, all crops get both, and the whole is also viewed pale and without its sides (left
 * part in colour, right in grey; both in both for several, smaller people). Portraits of one person
 * work best, so crops exclude neighbours' faces and only the highest odds count. `doubtful`: the
 * first two views disagree much.
 */
export async function personProbability(
  picture: Picture,
  small: Picture,
  people: readonly DetectedPerson[],
  host: EngineHost,
  width: number,
  height: number,
): Promise<{ probability: Plane; doubtful: boolean }> {
  const whole = wholeOf(picture)
  const known = people.slice(0, maxPeople)
  const views = known.map((person) => framesOf(person, known, picture).filter((box) => boxOverlap(box, whole) < 0.97))
  const cropped = views.some((boxes) => boxes.length > 0)
  const inputs = new Map(views.flat().map((box) => [box, modelInput(picture, host, box)]))
  const look = async (box: Box, versions: readonly InputVariant[]) =>
    averageView(box, await (inputs.get(box) ?? modelInput(picture, host, box)), versions, host)
  // The model processes the whole picture while the crops are still being resized.
  const colour = await averageView(whole, small, [plainVariant], host)
  const grey = await averageView(whole, small, [greyMirroredVariant], host)
  const doubtful = viewDisagreement(colour, grey) > easyDisagreement
  const seen = doubtful ? [colour, grey, await averageView(whole, small, [paleMirroredVariant], host)] : [colour, grey]
  const weight = cropped ? wholeWeight : 1
  const general = seen.map((view) => ({ view, weight: weight / seen.length }))
  const sides = doubtful ? sidesOf(picture) : []
  for (const side of sides) inputs.set(side, modelInput(picture, host, side))
  const personal: PersonalViews[] = []
  for (const [index, boxes] of views.entries()) {
    const own: WeightedView[] = []
    for (const [rank, box] of boxes.entries()) {
      // For the wider crops, which weigh less, one version is enough where colour and grey agree.
      const asked = rank === 0 || doubtful ? [plainVariant, paleMirroredVariant] : [paleMirroredVariant]
      own.push({ view: await look(box, asked), weight: 1 / (1 + rank) ** 2 })
    }
    personal.push({ person: known[index] as DetectedPerson, views: own })
  }
  for (const [i, side] of sides.entries()) {
    const asked =
      known.length > 1 ? [plainVariant, greyMirroredVariant] : [i === 0 ? plainVariant : greyMirroredVariant]
    general.push({ view: await look(side, asked), weight: sideViews.weight * weight })
  }
  const odds = createPlane(width, height)
  combineViews(odds, general, personal, picture)
  const figures = figureBox(odds, picture)
  if (figures) {
    blendView(odds, await look(figures, [plainVariant, mirroredVariant]), picture)
  }
  for (const part of known.length < rows.people ? [] : squaresOf(figures ?? whole)) {
    // A part may lack what else tells of people, so it only adds.
    raiseByView(odds, await look(part, [plainVariant, greyMirroredVariant]), picture)
  }
  for (let i = 0; i < odds.data.length; i++) odds.data[i] = 1 / (1 + Math.exp(-(odds.data[i] as number)))
  return { probability: odds, doubtful }
}

interface WeightedView {
  view: PersonView
  weight: number
}

interface PersonalViews {
  person: DetectedPerson
  views: readonly WeightedView[]
}

/** Averages the whole's log odds with the likeliest person's nearby. `odds` must be 0 on entry. */
function combineViews(
  odds: Plane,
  general: readonly WeightedView[],
  personal: readonly PersonalViews[],
  picture: Picture,
): void {
  const { width, height } = odds
  const weights = createPlane(width, height)
  for (const { view, weight } of general) addView(odds, weights, view, picture, weight)
  const best = createPlane(width, height, -Infinity)
  const share = createPlane(width, height)
  for (const { person, views } of personal) {
    const own = createPlane(width, height)
    const ownWeights = createPlane(width, height)
    for (const { view, weight } of views) addView(own, ownWeights, view, picture, weight)
    takeLikeliest(best, share, own, ownWeights, person, picture)
  }
  for (let i = 0; i < odds.data.length; i++) {
    const weight = share.data[i] as number
    const personal = weight > 0 ? weight * (best.data[i] as number) : 0
    odds.data[i] = ((odds.data[i] as number) + personal) / ((weights.data[i] as number) + weight)
  }
}

/** Box around all pixels of at least even odds; undefined if it is most of the picture. */
function figureBox(odds: Plane, picture: Picture): Box | undefined {
  const bounds = boundsOf(odds, 0)
  if (!bounds) return undefined
  const found = scaleBox(bounds, picture.width / odds.width, picture.height / odds.height)
  const box = clipBox(growBox(found, figureView.margin * Math.max(found.width, found.height)), picture)
  return box && box.width * box.height < figureView.share * picture.width * picture.height ? box : undefined
}

function raiseByView(odds: Plane, seen: PersonView, picture: Picture): void {
  const raised = { ...odds, data: odds.data.slice() }
  blendView(raised, seen, picture)
  for (let i = 0; i < odds.data.length; i++) {
    odds.data[i] = Math.max(odds.data[i] as number, raised.data[i] as number)
  }
}

function squaresOf(box: Box): Box[] {
  const side = Math.min(box.width, box.height)
  if (Math.max(box.width, box.height) < rows.length * side) return []
  return tilesOf(box, side).map((tile) => ({ ...tile, x: tile.x + box.x, y: tile.y + box.y }))
}

function blendView(odds: Plane, seen: PersonView, picture: Picture): void {
  const own = createPlane(odds.width, odds.height)
  const weights = createPlane(odds.width, odds.height)
  addView(own, weights, seen, picture, figureView.weight)
  for (let i = 0; i < odds.data.length; i++) {
    odds.data[i] = ((odds.data[i] as number) + (own.data[i] as number)) / (1 + (weights.data[i] as number))
  }
}

/** Keeps a person's log odds where highest; their weight falls with the distance. */
function takeLikeliest(
  best: Plane,
  share: Plane,
  own: Plane,
  weights: Plane,
  { box, part }: DetectedPerson,
  picture: Picture,
): void {
  const reach = ((part === 'face' ? 2.2 : 0.7) * box.width * best.width) / picture.width
  const centre = ((box.x + box.width / 2) * best.width) / picture.width
  const nearness = Float32Array.from({ length: best.width }, (_, x) => Math.exp(-(((x - centre) / reach) ** 2)))
  for (let i = 0, y = 0; y < best.height; y++) {
    for (let x = 0; x < best.width; x++, i++) {
      const weight = Math.min(1, weights.data[i] as number) * (nearness[x] as number)
      if (weight < 0.01) continue
      const odds = (own.data[i] as number) / (weights.data[i] as number)
      const worth = odds > 0 ? odds * weight : odds
      if (worth <= (best.data[i] as number) * (share.data[i] as number)) continue
      best.data[i] = odds
      share.data[i] = weight
    }
  }
}

function sidesOf({ width, height }: Picture): Box[] {
  const away = Math.round(sideViews.across * width)
  const y = Math.round(sideViews.above * height)
  return [0, away].map((x) => ({ x, y, width: width - away, height: height - y }))
}

function framesOf(person: DetectedPerson, people: readonly DetectedPerson[], picture: Picture): Box[] {
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

/** Adds a view to the sums; its weight falls towards edges inside the picture. */
function addView(sum: Plane, weights: Plane, view: PersonView, picture: Picture, weight: number): void {
  const { box } = view
  const area = clipBox(scaleBox(box, sum.width / picture.width, sum.height / picture.height), sum)
  if (!area) return
  const oddsOf = smoothRows(view.odds, area.width, area.height)
  const feather = 0.12
  const across = edgeWeights(area.width, box.x > 0, box.x + box.width < picture.width, feather)
  const down = edgeWeights(area.height, box.y > 0, box.y + box.height < picture.height, feather)
  for (let y = 0; y < area.height; y++) {
    const odds = oddsOf(y)
    const own = weight * (down[y] as number)
    for (let x = 0, target = (area.y + y) * sum.width + area.x; x < area.width; x++, target++) {
      const share = own * (across[x] as number) + 1e-4
      sum.data[target] = (sum.data[target] as number) + share * (odds[x] as number)
      weights.data[target] = (weights.data[target] as number) + share
    }
  }
}

/** Weight 1 in the middle, falling to 0 at the ends flagged by `first` and `last`. */
function edgeWeights(length: number, first: boolean, last: boolean, feather: number): Float32Array {
  return Float32Array.from({ length }, (_, i) => {
    const start = first ? (i + 0.5) / (length * feather) : 1
    const end = last ? (length - i - 0.5) / (length * feather) : 1
    return Math.min(1, start, end)
  })
}
