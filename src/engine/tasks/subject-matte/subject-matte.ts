import type { Box } from '#contract/media.ts'
import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { clipBox, growBox, scaleBox } from '#engine/image/geometry.ts'
import type { Matte, Picture, Plane } from '#engine/image/picture.ts'
import { alphaOf, cropPicture, fitArea, planeOf, matteOf as toBytes } from '#engine/image/pixels.ts'
import { resizeSmooth, shrink } from '#engine/image/plane.ts'
import type { TaskWork } from '#engine/task-work.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import type { SubjectKind } from './find-object.ts'
import { findSubject, type SubjectSearch, subjectIs } from './find-subject.ts'
import { joinPeople } from './join-people.ts'
import { enlargeMatte, refineMatte } from './refine.ts'

/** Pixels in which the subject is looked for. */
const searchArea = 640_000
/** Pixels at which the edge is solved. */
const solveArea = 400 * 400
/** Half widths of the unknown band as shares of the picture's size. */
const band = { band: 0.012, hairBand: 0.022 }

/**
 * The alpha matte of a picture's subject at the picture's size: the subject is found at a reduced
 * size, its edge solved in a band and refined in the full picture. With a box everything outside
 * has alpha 0. Whoever knows the picture's `faces` hands their boxes over, so that nobody looks for
 * them again. The picture has to be opaque. Throws `engine.no_subject` when there is none.
 */
export async function subjectMatte(picture: Picture, search: MatteSearch, host: EngineHost): Promise<Plane> {
  return planeOf(await findMatte(picture, search, host))
}

interface MatteSearch extends SubjectSearch {
  reduced?: Picture
  /** The alpha that somebody else found for {@link matteWork}. */
  found?: Plane | undefined
  /** Unless it may be a guess, `engine.subject_unsure` is thrown; it may unless told otherwise. */
  mayGuess?: boolean
}

/** Pixels of what others are given: no network that is known sees more. */
const askedArea = 1_200_000

/** What others are to cut out: the picture, or the box with its surroundings, reduced. */
export async function matteWork(
  picture: Picture,
  { subject, box }: Pick<SubjectSearch, 'subject' | 'box'>,
  host: EngineHost,
): Promise<TaskWork['subjectMatte']> {
  const part = box ? cropPicture(picture, placeOf(picture, box).around) : picture
  const asked = fitArea(part, askedArea)
  const reduced = await host.resize(part, asked.width, asked.height)
  return { picture: reduced, subject: await subjectIs(await searchPicture(part, host), subject, host) }
}

/** The same as {@link subjectMatte} in 8 bits, for pictures of any size. */
export async function findMatte(
  picture: Picture,
  { reduced, found, ...search }: MatteSearch,
  host: EngineHost,
): Promise<Matte> {
  if (search.box) return matteInBox(picture, search.box, { ...search, found }, host)
  const small = reduced ?? (await searchPicture(picture, host))
  if (found) return foundMatte(picture, small, found, search, host)
  return matteOf(picture, small, search, host)
}

/** Why nothing that is surely meant will be found. */
export interface Unclear {
  code: EngineError['code']
  /** Around what is meant most likely, as shares of the picture's width and height, if anything. */
  box?: Box
}

/**
 * Why {@link findMatte} will find nothing that is surely meant, if so; the picture has to be
 * opaque.
 */
export async function whyUnclear(
  picture: Picture,
  subject: SubjectKind,
  host: EngineHost,
): Promise<Unclear | undefined> {
  try {
    const { guess } = await findSubject(await searchPicture(picture, host), { subject }, host)
    return guess && { code: 'engine.subject_unsure', box: guess }
  } catch (error) {
    if (error instanceof EngineError) return { code: error.code }
    throw error
  }
}

/**
 * The picture at the size at which its subject is looked for; callers that need it too make it once
 * and hand it over as `reduced`. Nobody may change its pixels.
 */
export async function searchPicture(picture: Picture, host: EngineHost): Promise<Picture> {
  const { width, height } = fitArea(picture, searchArea)
  return host.cacheForResizing(await host.resize(picture, width, height))
}

async function matteOf(picture: Picture, reduced: Picture, search: MatteSearch, host: EngineHost): Promise<Matte> {
  const scaled = (box: Box) => scaleBox(box, reduced.width / picture.width, reduced.height / picture.height)
  const size = fitArea(picture, solveArea)
  const [{ mask, hair, guess }, guide] = await Promise.all([
    findSubject(reduced, { ...search, box: search.box && scaled(search.box), faces: search.faces?.map(scaled) }, host),
    host.resize(reduced, size.width, size.height),
  ])
  if (guess && search.mayGuess === false) throw new EngineError('engine.subject_unsure')
  host.progress('generating', 0.5)
  const zones = hair.map((zone) => scaleBox(zone, guide.width / reduced.width, guide.height / reduced.height))
  const matte = refineMatte(picture, guide, mask, { ...band, hair: zones })
  host.progress('generating', 0.9)
  return matte
}

/** What somebody else found, people held against what the engine itself knows of them. */
async function foundMatte(
  picture: Picture,
  reduced: Picture,
  found: Plane,
  wanted: SubjectSearch,
  host: EngineHost,
): Promise<Matte> {
  if (!(await showsPeople(reduced, wanted, host))) return enlargeFound(picture, found, host)
  const own = await matteOf(picture, reduced, { ...wanted, subject: 'person' }, host)
  const seen = shrink(own, found.width, found.height)
  const joined = joinPeople(found, seen)
  return joined === seen ? own : enlargeFound(picture, joined, host)
}

/** Whether people with faces are what a picture shows: without one animals count as people too. */
async function showsPeople(reduced: Picture, { subject, faces }: SubjectSearch, host: EngineHost): Promise<boolean> {
  if (subject === 'object') return false
  const seen = faces ?? (await findFaces(reduced, host))
  return seen.length > 0 && (await subjectIs(reduced, subject, host)) === 'person'
}

/** At the picture's size what somebody else found in it, or in a reduced one. */
async function enlargeFound(picture: Picture, found: Plane, host: EngineHost): Promise<Matte> {
  const { width, height } = found
  if (width < picture.width) return enlargeMatte(found, await host.resize(picture, width, height), picture)
  return toBytes(width === picture.width ? found : resizeSmooth(found, picture.width, picture.height))
}

/** The box on whole pixels, and what is around it. */
function placeOf(picture: Picture, wanted: Box): { box: Box; around: Box } {
  const box = clipBox(wanted, picture)
  if (!box || box.width < 8 || box.height < 8) throw new EngineError('params.invalid')
  return { box, around: clipBox(growBox(box, 0.15 * Math.max(box.width, box.height)), picture) ?? box }
}

/**
 * Works on the box and a little of its surroundings, so that small subjects get the full attention;
 * outside the box alpha is 0.
 */
async function matteInBox(
  picture: Picture,
  wanted: Box,
  { subject, found }: Pick<MatteSearch, 'subject' | 'found'>,
  host: EngineHost,
): Promise<Matte> {
  const { box, around } = placeOf(picture, wanted)
  const inner = { ...box, x: box.x - around.x, y: box.y - around.y }
  const inside = cropPicture(picture, around)
  const small = await searchPicture(inside, host)
  const part = found
    ? await foundMatte(inside, small, found, { subject }, host)
    : await matteOf(inside, small, { subject, box: inner }, host)
  const { width, height } = picture
  const matte = { width, height, data: new Uint8Array(width * height) }
  for (let y = 0; y < box.height; y++) {
    const from = (inner.y + y) * part.width + inner.x
    matte.data.set(part.data.subarray(from, from + box.width), (box.y + y) * matte.width + box.x)
  }
  return matte
}

/** What was transparent before stays at least as transparent. */
export function keepTransparency(source: Picture, matte: Plane): void {
  const alpha = alphaOf(source)
  if (!alpha) return
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = (matte.data[i] as number) * (alpha.data[i] as number)
}
