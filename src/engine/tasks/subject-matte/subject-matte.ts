import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { clipBox, connectedRegions, growBox, scaleBox } from '#engine/image/geometry.ts'
import { createPlane, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { alphaOf, cropPicture, fitArea, planeOf, matteOf as toBytes } from '#engine/image/pixels.ts'
import { resizePlane, resizeSmooth, shrink } from '#engine/image/plane.ts'
import type { TaskInput } from '#engine/task-types.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import type { Box } from '#shared/media.ts'
import type { SubjectKind } from './find-object.ts'
import { classifySubject, findSubject, type SubjectSearch } from './find-subject.ts'
import { confirmsGuess, fillSmallHoles, matteFault, matteUncertainty, maxMatteUncertainty } from './matte-quality.ts'
import { enlargeMatte, refineMatte } from './refine.ts'

/** A network has missed a person if this share of the person's area is not in its matte. */
const missedShare = 0.5
/** Regions below this share of all people's area are noise. */
const leastPerson = 0.02

/**
 * Returns `seen`, a general network's matte (finer edges, held objects), plus the people it missed,
 * or the person model's `own` if the network hesitates. Both have the same size.
 */
export function mergePeopleMattes(seen: Plane, own: Plane): Plane {
  const network = dropDoubtfulRegions(seen)
  if (matteUncertainty(network) > maxMatteUncertainty) return own
  const { width, height } = network
  const { labels, regions } = connectedRegions(width, height, (i) => (own.data[i] as number) > 0)
  const [areas, found] = [new Float64Array(regions.length + 1), new Float64Array(regions.length + 1)]
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    areas[label] = (areas[label] as number) + (own.data[i] as number)
    found[label] = (found[label] as number) + Math.min(own.data[i] as number, network.data[i] as number)
  }
  const total = areas.reduce((sum, area) => sum + area, 0)
  const isMissed = areas.map((area, label) =>
    Number(label > 0 && area > leastPerson * total && (found[label] as number) < (1 - missedShare) * area),
  )
  const out = createPlane(width, height)
  for (let i = 0; i < labels.length; i++) {
    const alpha = network.data[i] as number
    out.data[i] = isMissed[labels[i] as number] === 1 ? Math.max(alpha, own.data[i] as number) : alpha
  }
  return out
}

const invisibleAlpha = 0.02

/** Removes separate regions whose alpha is nowhere above 0.5. */
function dropDoubtfulRegions({ width, height, data }: Plane): Plane {
  const { labels, regions } = connectedRegions(width, height, (i) => (data[i] as number) > invisibleAlpha)
  const maxAlpha = new Float32Array(regions.length + 1)
  for (let i = 0; i < data.length; i++) {
    maxAlpha[labels[i] as number] = Math.max(maxAlpha[labels[i] as number] as number, data[i] as number)
  }
  return { width, height, data: data.map((alpha, i) => ((maxAlpha[labels[i] as number] as number) > 0.5 ? alpha : 0)) }
}

/** Pixels of the reduced pictures for finding the subject and for solving its edge. */
const searchArea = 640_000
const solveArea = 400 * 400
/** Half widths of the unknown band as shares of the picture's size. */
const band = { band: 0.012, hairBand: 0.022 }

/**
 * Alpha matte at the picture's size: the subject is found in a reduced picture, its edge solved in
 * a band and refined in full. Outside a box alpha is 0. Pass known `faces` to save a detection. The
 * picture must be opaque. Throws `engine.no_subject`.
 */
export async function subjectMatte(picture: Picture, search: MatteSearch, host: EngineHost): Promise<Plane> {
  return planeOf(await findMatte(picture, search, host))
}

interface MatteSearch extends SubjectSearch {
  reduced?: Picture
  /** Alpha from another provider, made for {@link subjectMatteInput}. */
  found?: Plane | undefined
  /** Called where `found` breaks the engine's rules, which then does the task itself. */
  onReject?: (() => void) | undefined
  /** Called with the kind of subject in the matte; the last call counts. */
  onKind?: ((kind: 'person' | 'thing') => void) | undefined
  /**
   * If false, an uncertain subject throws `engine.subject_unsure`, and a person who may be missing
   * `engine.people_unsure`. Default true.
   */
  mayGuess?: boolean
}

/** Largest number of pixels sent to other providers: no known network uses more. */
const maxProviderArea = 1_200_000

/** Input for other providers: the reduced picture or box, and the kind of subject. */
export async function subjectMatteInput(
  picture: Picture,
  { subject, box }: Pick<SubjectSearch, 'subject' | 'box'>,
  host: EngineHost,
): Promise<TaskInput['subjectMatte']> {
  const part = box ? cropPicture(picture, boxWithMargin(picture, box).around) : picture
  const reducedSize = fitArea(part, maxProviderArea)
  const reduced = await host.resize(part, reducedSize.width, reducedSize.height)
  return { picture: reduced, subject: await classifySubject(await reduceForSearch(part, host), subject, host) }
}

/** Like {@link subjectMatte} but in 8 bits, for pictures of any size. */
export async function findMatte(
  picture: Picture,
  { reduced, found, ...search }: MatteSearch,
  host: EngineHost,
): Promise<Matte> {
  if (search.box) return matteInBox(picture, search.box, { ...search, found }, host)
  const small = reduced ?? (await reduceForSearch(picture, host))
  // A provider does not know which of the people are wanted.
  if (found && !search.people) return matteFromProvider(picture, small, found, search, host)
  return matteOf(picture, small, search, host)
}

interface UnclearSubject {
  code: EngineError['code']
  /** Box around the likeliest thing, in shares of the picture's size. */
  box?: Box
  /** Boxes around all people, in the same shares, if some may be missed. */
  people?: Box[]
}

/**
 * Reason why {@link findMatte} would be uncertain, if so; another provider's matte (`found`) may
 * confirm a guess. The picture has to be opaque.
 */
export async function explainUnclearSubject(
  picture: Picture,
  { subject, found }: Pick<MatteSearch, 'subject' | 'found'>,
  host: EngineHost,
): Promise<UnclearSubject | undefined> {
  try {
    const reduced = await reduceForSearch(picture, host)
    const { guess, everyone, kind, mask } = await findSubject(reduced, { subject }, host)
    if (everyone) {
      const shares = everyone.map((box) => scaleBox(box, 1 / reduced.width, 1 / reduced.height))
      return { code: 'engine.people_unsure', people: shares }
    }
    if (!guess || (found && kind === 'thing' && confirmsGuess(found, resizePlane(mask, found)))) return undefined
    return { code: 'engine.subject_unsure', box: guess }
  } catch (error) {
    if (error instanceof EngineError) return { code: error.code }
    throw error
  }
}

/**
 * The picture at the size of the subject search, to be shared as `reduced`. Its pixels are cached
 * and must not be modified.
 */
export async function reduceForSearch(picture: Picture, host: EngineHost): Promise<Picture> {
  const { width, height } = fitArea(picture, searchArea)
  return host.cacheForResizing(await host.resize(picture, width, height))
}

async function matteOf(picture: Picture, reduced: Picture, search: MatteSearch, host: EngineHost): Promise<Matte> {
  const scaled = (box: Box) => scaleBox(box, reduced.width / picture.width, reduced.height / picture.height)
  const size = fitArea(picture, solveArea)
  const { box, faces, people } = search
  const inReduced = { box: box && scaled(box), faces: faces?.map(scaled), people: people?.map(scaled) }
  const [{ mask, hair, guess, everyone, kind }, guide] = await Promise.all([
    findSubject(reduced, { ...search, ...inReduced }, host),
    host.resize(reduced, size.width, size.height),
  ])
  if (search.mayGuess === false) {
    if (everyone) throw new EngineError('engine.people_unsure')
    if (guess) throw new EngineError('engine.subject_unsure')
  }
  search.onKind?.(kind)
  host.progress('generating', 0.5)
  const zones = hair.map((zone) => scaleBox(zone, guide.width / reduced.width, guide.height / reduced.height))
  const matte = refineMatte(picture, guide, mask, { ...band, hair: zones })
  host.progress('generating', 0.9)
  return matte
}

/**
 * The matte of another provider if it obeys the engine's rules, else the engine's own; for people
 * both are combined. Throws like the engine if neither is certain.
 */
async function matteFromProvider(
  picture: Picture,
  reduced: Picture,
  found: Plane,
  wanted: MatteSearch,
  host: EngineHost,
): Promise<Matte> {
  if (!(await showsPeople(reduced, wanted, host))) return thingFromProvider(picture, reduced, found, wanted, host)
  const own = await matteOf(picture, reduced, { ...wanted, subject: 'person' }, host)
  const seen = shrink(own, found.width, found.height)
  const joined = mergePeopleMattes(found, seen)
  if (joined !== seen) fillSmallHoles(joined, seen)
  if (joined === seen || matteFault(joined, seen)) {
    wanted.onReject?.()
    return own
  }
  return enlargeProviderMatte(picture, joined, host)
}

async function thingFromProvider(
  picture: Picture,
  reduced: Picture,
  found: Plane,
  wanted: MatteSearch,
  host: EngineHost,
): Promise<Matte> {
  const box = wanted.box && scaleBox(wanted.box, reduced.width / picture.width, reduced.height / picture.height)
  const own = await findEvidence(reduced, { subject: wanted.subject, box }, host)
  const evidence = own && resizePlane(own.mask, found)
  wanted.onKind?.('thing')
  const usable = !matteFault(found, own?.guess ? undefined : evidence)
  const confirmed = evidence && (!own?.guess || confirmsGuess(found, evidence))
  if (usable && (confirmed || wanted.mayGuess !== false)) return enlargeProviderMatte(picture, found, host)
  if (wanted.mayGuess === false && !confirmed) throw new EngineError('engine.subject_unsure')
  wanted.onReject?.()
  return matteOf(picture, reduced, wanted, host)
}

/** The subject by the engine's own search: an object, else people without a face. */
async function findEvidence(reduced: Picture, { subject, box }: SubjectSearch, host: EngineHost) {
  const search = (kind: SubjectKind) =>
    findSubject(reduced, { subject: kind, box }, host).catch((error: unknown) => {
      if (error instanceof EngineError && error.code === 'engine.no_subject') return undefined
      throw error
    })
  const thing = await search('object')
  if (subject === 'object' || (thing && !thing.guess)) return thing
  const other = await search(subject)
  return other && (!other.guess || !thing) ? other : thing
}

/** True if the subject is people with a face; animals may pass for faceless people. */
async function showsPeople(reduced: Picture, { subject, faces }: SubjectSearch, host: EngineHost): Promise<boolean> {
  if (subject === 'object') return false
  const seen = faces ?? (await findFaces(reduced, host))
  return seen.length > 0 && (await classifySubject(reduced, subject, host)) === 'person'
}

async function enlargeProviderMatte(picture: Picture, found: Plane, host: EngineHost): Promise<Matte> {
  const { width, height } = found
  if (width < picture.width) return enlargeMatte(found, await host.resize(picture, width, height), picture)
  return toBytes(width === picture.width ? found : resizeSmooth(found, picture.width, picture.height))
}

function boxWithMargin(picture: Picture, wanted: Box): { box: Box; around: Box } {
  const box = clipBox(wanted, picture)
  if (!box || box.width < 8 || box.height < 8) throw new EngineError('params.invalid')
  return { box, around: clipBox(growBox(box, 0.15 * Math.max(box.width, box.height)), picture) ?? box }
}

/** Mattes the box with a margin, for full resolution; alpha is 0 outside the box. */
async function matteInBox(
  picture: Picture,
  wanted: Box,
  { subject, found, onReject, onKind }: Pick<MatteSearch, 'subject' | 'found' | 'onReject' | 'onKind'>,
  host: EngineHost,
): Promise<Matte> {
  const { box, around } = boxWithMargin(picture, wanted)
  const inner = { ...box, x: box.x - around.x, y: box.y - around.y }
  const inside = cropPicture(picture, around)
  const small = await reduceForSearch(inside, host)
  const search = { subject, box: inner, onReject, onKind }
  const part = found
    ? await matteFromProvider(inside, small, found, search, host)
    : await matteOf(inside, small, search, host)
  const { width, height } = picture
  const matte = { width, height, data: new Uint8Array(width * height) }
  for (let y = 0; y < box.height; y++) {
    const from = (inner.y + y) * part.width + inner.x
    matte.data.set(part.data.subarray(from, from + box.width), (box.y + y) * matte.width + box.x)
  }
  return matte
}

/** Multiplies the matte by the source's own alpha. */
export function keepTransparency(source: Picture, matte: Plane): void {
  const alpha = alphaOf(source)
  if (!alpha) return
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = (matte.data[i] as number) * (alpha.data[i] as number)
}
