import { EngineError } from '#engine/error.ts'
import { clipBox, growBox, scaleBox } from '#engine/geometry.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Picture, Plane } from '#engine/picture.ts'
import { alphaOf, cropPicture, fitArea, fitWithin, flatten } from '#engine/pixels.ts'
import { createPlane } from '#engine/plane.ts'
import { refineMatte } from '#engine/refine.ts'
import type { ToolEngine } from '../tool.ts'
import type { BackgroundRemovalInputs, BackgroundRemovalParams } from './contract.ts'
import { drawResult } from './draw.ts'
import { findSubject } from './find-subject.ts'
import { warningSide, warningsFor } from './warnings.ts'

/** Pixels in which the subject is looked for. */
const searchArea = 640_000
/** Pixels at which the edge is solved. */
const solveArea = 448 * 448
/** Half widths of the unknown band as shares of the picture's size. */
const band = { band: 0.012, hairBand: 0.022 }

/** Background removal: `generate` makes the layer `matte`; `render` draws with it, without any model. */
export const backgroundRemovalEngine: ToolEngine<BackgroundRemovalParams, BackgroundRemovalInputs, null> = {
  async generate({ inputs, params }, host) {
    const [source] = inputs.picture
    if (!source) throw new EngineError('upload.missing')
    host.progress('detecting', 0)
    const opaque = flatten(source, 128, 128, 128)
    const reduced = await reduce(opaque, host)
    const seen = fitWithin(reduced, warningSide)
    const [matte, small] = await Promise.all([
      params.box
        ? matteInBox(opaque, params.box, params.subject, host)
        : matteOf(opaque, reduced, params.subject, undefined, host),
      host.resize(reduced, seen.width, seen.height),
    ])
    keepTransparency(source, matte)
    if (!matte.data.some((alpha) => alpha > 0.5)) throw new EngineError('engine.no_subject')
    return { layers: { matte: eightBit(matte) }, data: null, warnings: warningsFor(small, matte) }
  },

  async render({ inputs, params }, generated, host) {
    const [source] = inputs.picture
    const matte = generated?.layers.matte
    if (!source || !isPlane(matte)) throw new EngineError('generation.not_renderable')
    const picture = await drawResult(source, matte, inputs.background[0], params, host)
    return { outputs: [{ picture, encoding: { format: params.format } }] }
  },
}

function reduce(picture: Picture, host: EngineHost): Promise<Picture> {
  const { width, height } = fitArea(picture, searchArea)
  return host.resize(picture, width, height)
}

async function matteOf(
  picture: Picture,
  reduced: Picture,
  subject: BackgroundRemovalParams['subject'],
  box: BackgroundRemovalParams['box'],
  host: EngineHost,
): Promise<Plane> {
  const place = box && scaleBox(box, reduced.width / picture.width, reduced.height / picture.height)
  const size = fitArea(picture, solveArea)
  const [{ mask, hair }, guide] = await Promise.all([
    findSubject(reduced, subject, place, host),
    host.resize(reduced, size.width, size.height),
  ])
  host.progress('generating', 0.5)
  const scaled = hair.map((box) => scaleBox(box, guide.width / reduced.width, guide.height / reduced.height))
  const matte = refineMatte(picture, guide, mask, { ...band, hair: scaled })
  host.progress('generating', 0.9)
  return matte
}

/** Works on the box and a little of its surroundings, so that small subjects get the full attention; outside the box alpha is 0. */
async function matteInBox(
  picture: Picture,
  wanted: NonNullable<BackgroundRemovalParams['box']>,
  subject: BackgroundRemovalParams['subject'],
  host: EngineHost,
): Promise<Plane> {
  const box = clipBox(wanted, picture)
  if (!box || box.width < 8 || box.height < 8) throw new EngineError('params.invalid')
  const around = clipBox(growBox(box, 0.15 * Math.max(box.width, box.height)), picture) ?? box
  const inner = { ...box, x: box.x - around.x, y: box.y - around.y }
  const inside = cropPicture(picture, around)
  const part = await matteOf(inside, await reduce(inside, host), subject, inner, host)
  const matte = createPlane(picture.width, picture.height)
  for (let y = 0; y < box.height; y++) {
    const from = (inner.y + y) * part.width + inner.x
    matte.data.set(part.data.subarray(from, from + box.width), (box.y + y) * matte.width + box.x)
  }
  return matte
}

/** What was transparent before stays at least as transparent. */
function keepTransparency(source: Picture, matte: Plane): void {
  const alpha = alphaOf(source)
  if (!alpha) return
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = (matte.data[i] as number) * (alpha.data[i] as number)
}

/** Rounded as it is stored, so that a later rendering equals the first one. */
function eightBit(matte: Plane): Plane {
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = Math.round((matte.data[i] as number) * 255) / 255
  return matte
}

function isPlane(layer: Picture | Plane | undefined): layer is Plane {
  return layer?.data instanceof Float32Array
}
