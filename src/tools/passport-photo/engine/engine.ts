import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import { compositeOver, solidPicture } from '#engine/image/composite.ts'
import { composeSimilarities, inverse, type Similarity, similarityTo } from '#engine/image/geometry.ts'
import { isPicture, type Picture, type PictureEncoding } from '#engine/image/picture.ts'
import { blendPicture } from '#engine/image/pixels.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import type { TaskInput } from '#engine/task-types.ts'
import {
  describeFace,
  embeddingSimilarity,
  faceRegion,
  headFrame,
  samePersonThreshold,
} from '#engine/tasks/faces/index.ts'
import { correctCutOut } from '#engine/tasks/subject-matte/index.ts'
import { inputOnWhite, pictureLayer, requireProviderResults, safetyTasks } from '#tools/engine/inputs.ts'
import { aiEdited, type Generated, type Output, type ToolEngine } from '#tools/engine/tool-engine.ts'
import {
  backgroundColour,
  type Outfit,
  type PassportPhotoInputs,
  type PassportPhotoParams,
  type PassportPhotoTasks,
  type PassportRule,
} from '../contract/definition.ts'
import { isPrintable, ruleOf } from '../contract/presets.ts'
import { checkPortrait, findPortraitProblem, portraitWarnings } from './checks.ts'
import { framePhoto, framingProblem, type PortraitFacts } from './frame.ts'
import {
  cutPerson,
  findPerson,
  isHeadCut,
  portraitFacts,
  showsOldBackground,
  turnUpright,
  type Upright,
} from './portrait.ts'
import { renderSheet } from './sheet.ts'
import { sheetRules } from './sheet-plan.ts'

/** Prompts for providers; offices want shoulders seen from the front. */
const outfitPrompts: Readonly<Record<Exclude<Outfit, 'own'>, string>> = {
  shirt: 'a plain white long-sleeved collared shirt, buttoned up, without a tie',
  suit: 'a black formal suit jacket over a white collared shirt with a plain dark tie',
  hijab:
    'a plain black hijab that covers hair, ears and neck and leaves the whole face free, over a plain white blouse',
}

/** Largest change of a face's size, and of its tilt in radians. */
const maxChange = { stretch: 1.6, tilt: 0.35 } as const

/** A fixed seed: equal prompts dress the same person alike. */
export function outfitTask({ picture }: Upright, outfit: Exclude<Outfit, 'own'>): TaskInput['outfit'] {
  return { picture, prompt: outfitPrompts[outfit], seed: 1 }
}

/**
 * The face keeps its own pixels, since offices compare it with the person. Throws
 * `engine.little_alike` if the provider changed it.
 */
export async function applyOutfit(upright: Upright, made: Picture, host: EngineHost): Promise<Picture> {
  const { picture, points } = upright
  const { face } = await findPerson(made, host)
  if (!face) throw new EngineError('engine.little_alike')
  const [own, other] = [headFrame(points), headFrame(face.points)]
  const [scale, tilt] = [own.eyesToChin / other.eyesToChin, own.roll - other.roll]
  const expected = picture.width / made.width
  const isElsewhere =
    Math.abs(Math.log(scale / expected)) > Math.log(maxChange.stretch) || Math.abs(tilt) > maxChange.tilt
  const [before, after] = [await describeFace(picture, points, host), await describeFace(made, face.points, host)]
  if (isElsewhere || embeddingSimilarity(before.embedding, after.embedding) < samePersonThreshold)
    throw new EngineError('engine.little_alike')
  const placement = similarityTo(other.centre, own.centre, tilt, scale)
  const dressed = resamplePicture(made, placement, picture.width, picture.height)
  blendPicture(dressed, picture, faceRegion(dressed, [points], 1, own.eyesToChin / 12))
  return dressed
}

/** From this quality on even backgrounds decode exactly, and skin keeps its grain. */
const quality = 95

/** `view` maps the photograph's pixels to the person's; results of earlier versions lack it. */
type Kept = PortraitFacts & { view?: Pick<Similarity, keyof Similarity>; outfit?: boolean }

/**
 * `generate` makes the layer `person`, upright and without background; `render` frames it by the
 * rule.
 */
export const passportPhotoEngine: ToolEngine<PassportPhotoParams, PassportPhotoInputs, Kept, PassportPhotoTasks> = {
  async check({ inputs, params }, host) {
    const wanted = { rule: requireRule(params), colour: backgroundColour(params.background) }
    return checkPortrait(inputOnWhite(inputs.picture), wanted, host)
  },

  async prepare({ inputs, params: { outfit } }, host) {
    const safe = await safetyTasks(inputs.picture, host)
    if (outfit === 'own') return { safe, dressed: [] }
    return { safe, dressed: [outfitTask(await findUpright(inputOnWhite(inputs.picture), host), outfit)] }
  },

  async generate({ inputs, params, done }, host) {
    host.progress('detecting', 0)
    const found = await findUpright(inputOnWhite(inputs.picture), host)
    host.progress('generating', 0.2)
    const wears = params.outfit !== 'own'
    const [dressed] = wears ? requireProviderResults(done.dressed) : []
    const upright = dressed ? { ...found, picture: await applyOutfit(found, dressed.picture, host) } : found
    const { person, head, ends, keepsBackground } = await cutPerson(upright, host)
    if (isHeadCut(head)) throw new EngineError('engine.head_cut')
    const portrait = portraitFacts(person, head, ends.cuts)
    const problem = framingProblem(portrait, requireRule(params))
    if (problem) throw new EngineError(problem)
    const warnings = portraitWarnings(upright, upright.face, requireRule(params))
    if (ends.headTouches) warnings.push('head_at_edge')
    const colour = backgroundColour(params.background)
    if (keepsBackground || showsOldBackground(person, upright.picture, head, colour)) warnings.push('old_background')
    const layers = { person, ...(dressed && { dressed: upright.picture }) }
    return { layers, data: { ...portrait, view: upright.view, ...(dressed && { outfit: true }) }, warnings }
  },

  async render({ inputs, params }, generated, host) {
    if (!generated) throw new EngineError('generation.not_renderable')
    const { view, outfit = false } = generated.data
    const cut = pictureLayer(generated, 'person')
    const { strokes } = params
    const source = view && strokes.length > 0 && correctedFrom(inputOnWhite(inputs.picture), generated, view)
    const person = source ? await correctCutOut(source, cut, view, strokes, host) : cut
    const rule = requireRule(params)
    const colour = backgroundColour(params.background)
    const photoBy = (by: PassportRule) => renderPhoto(person, generated.data, by, colour)
    const placement = view && composeSimilarities(view, framePhoto(generated.data, rule).placement)
    const outputs: Output[] = [
      {
        picture: photoBy(rule),
        encoding: encodingFor(rule, params, outfit),
        ...(placement && { placement: placement }),
      },
    ]
    for (const sheet of params.sheets) {
      host.signal.throwIfAborted()
      outputs.push(renderSheet(sheet, sheetRules(sheet, rule), photoBy))
    }
    return { outputs }
  },
}

async function findUpright(source: Picture, host: EngineHost): Promise<Upright & { face: Face }> {
  const { face, others } = await findPerson(source, host)
  const problem = findPortraitProblem(face, others)
  if (problem || !face) throw new EngineError(problem ?? 'engine.no_face')
  return { ...turnUpright(source, face), face }
}

/** Source of restored pixels: the photograph, or the person in other clothes. */
function correctedFrom(photograph: Picture, { layers }: Generated<Kept>, view: Similarity): Picture {
  const { dressed } = layers
  return dressed && isPicture(dressed)
    ? resamplePicture(dressed, inverse(view), photograph.width, photograph.height)
    : photograph
}

function requireRule(params: PassportPhotoParams): PassportRule {
  const rule = ruleOf(params)
  const printable = params.sheets.every(({ photos }) => photos.every(isPrintable))
  if (!rule || !printable) throw new EngineError('params.invalid')
  return rule
}

/** Throws {@link framingProblem} if the picture ends inside the photo. */
function renderPhoto(person: Picture, portrait: PortraitFacts, rule: PassportRule, colour: string): Picture {
  const problem = framingProblem(portrait, rule)
  if (problem) throw new EngineError(problem)
  const { placement, width, height } = framePhoto(portrait, rule)
  return compositeOver(resamplePicture(person, placement, width, height), solidPicture(width, height, colour))
}

function encodingFor(
  { dpi, kilobytes }: PassportRule,
  { format }: PassportPhotoParams,
  isDressed: boolean,
): PictureEncoding {
  return {
    format,
    dpi,
    ...(isDressed && { metadata: aiEdited }),
    // A quality would turn a PNG into a palette.
    ...(format !== 'png' && { quality }),
    ...(kilobytes?.min && { minBytes: Math.ceil(kilobytes.min * 1024) }),
    ...(kilobytes?.max && { maxBytes: Math.floor(kilobytes.max * 1024) }),
  }
}
