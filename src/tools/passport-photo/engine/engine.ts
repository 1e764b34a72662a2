import { EngineError } from '#engine/error.ts'
import { layOver, plainPicture } from '#engine/image/composite.ts'
import { chain, type Similarity } from '#engine/image/geometry.ts'
import type { Picture, PictureEncoding } from '#engine/image/picture.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { correctCutOut } from '#engine/tasks/subject-matte/index.ts'
import { inputOnWhite, pictureLayer } from '#tools/engine/inputs.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import type { PassportPhotoInputs, PassportPhotoParams, PassportRule } from '../contract/definition.ts'
import { findPreset, isPrintable, ruleOf } from '../contract/presets.ts'
import { backgroundColour } from '../contract/rule.ts'
import { checkPortrait, findPortraitProblem, portraitWarnings } from './checks.ts'
import { framePhoto, isUnframeable, type PortraitFacts, stretchDown } from './frame.ts'
import { cutPerson, findPerson, portraitFacts, turnUpright } from './portrait.ts'
import { renderSheet } from './sheet.ts'

/** Even backgrounds decode exactly from here on, and skin keeps its grain. */
const quality = 95

/**
 * `view` brings the photograph's pixels to the person's; runs of earlier versions did not keep it.
 */
type Kept = PortraitFacts & { view?: Pick<Similarity, keyof Similarity> }

/**
 * Passport photo: `generate` makes the layer `person`, upright and without background; `render`
 * frames it by the rule.
 */
export const passportPhotoEngine: ToolEngine<PassportPhotoParams, PassportPhotoInputs, Kept> = {
  async check({ inputs, params }, host) {
    return checkPortrait(inputOnWhite(inputs.picture), requireRule(params), host)
  },

  async generate({ inputs, params }, host) {
    const source = inputOnWhite(inputs.picture)
    host.progress('detecting', 0)
    const { face, others } = await findPerson(source, host)
    const problem = findPortraitProblem(face, others)
    if (problem || !face) throw new EngineError(problem ?? 'engine.no_face')
    host.progress('generating', 0.2)
    const upright = turnUpright(source, face)
    const { person, head } = await cutPerson(upright, host)
    if (head.top === 'cut') throw new EngineError('engine.head_cut')
    const portrait = portraitFacts(person, head)
    if (isUnframeable(portrait, requireRule(params))) throw new EngineError('engine.shoulders_missing')
    const data = { ...portrait, view: upright.view }
    return { layers: { person }, data, warnings: portraitWarnings(upright, face, requireRule(params)) }
  },

  async render({ inputs, params }, generated, host) {
    if (!generated) throw new EngineError('generation.not_renderable')
    const { view } = generated.data
    const cut = pictureLayer(generated, 'person')
    const person = view ? await correctCutOut(inputOnWhite(inputs.picture), cut, view, params.strokes, host) : cut
    const rule = requireRule(params)
    const colour = backgroundColour(params.background)
    const photoBy = (by: PassportRule) => renderPhoto(person, generated.data, by, colour)
    const place = view && chain(view, framePhoto(generated.data, rule).place)
    const outputs: Output[] = [{ picture: photoBy(rule), encoding: encodingFor(rule, params), ...(place && { place }) }]
    for (const sheet of params.sheets) {
      host.signal.throwIfAborted()
      const rules = sheet.photos.map(({ preset, rule: kept, count }) => {
        return { rule: preset === 'this' ? rule : (kept ?? findPreset(preset)?.rule ?? rule), count }
      })
      outputs.push(renderSheet(sheet, rules, photoBy))
    }
    return { outputs }
  },
}

function requireRule(params: PassportPhotoParams): PassportRule {
  const rule = ruleOf(params)
  const printable = params.sheets.every(({ photos }) => photos.every(isPrintable))
  if (!rule || !printable) throw new EngineError('params.invalid')
  return rule
}

/** Where the neck is, below the eyes, in distances from these to the chin. */
const belowChin = 1.15

/**
 * The person before an even colour, framed by a rule. Where the picture ends too soon, the body
 * reaches to the photo's edge by being stretched a little.
 */
function renderPhoto(person: Picture, portrait: PortraitFacts, rule: PassportRule, colour: string): Picture {
  const { place, width, height, eyes, missing } = framePhoto(portrait, rule)
  const framed = resamplePicture(person, place, width, height)
  const neck = (1 - eyes) * height + belowChin * portrait.eyesToChin * place.scale
  const photo = missing > 0 ? stretchDown(framed, neck, (1 - missing) * height) : framed
  return layOver(photo, plainPicture(width, height, colour))
}

function encodingFor({ dpi, kilobytes }: PassportRule, { format }: PassportPhotoParams): PictureEncoding {
  return {
    format,
    dpi,
    // A quality makes a palette of a PNG.
    ...(format !== 'png' && { quality }),
    ...(kilobytes?.min && { minBytes: Math.ceil(kilobytes.min * 1024) }),
    ...(kilobytes?.max && { maxBytes: Math.floor(kilobytes.max * 1024) }),
  }
}
