import { EngineError } from '#engine/error.ts'
import type { Picture, Plane } from '#engine/picture.ts'
import { fitWithin, flatten } from '#engine/pixels.ts'
import { keepTransparency, searchPicture, subjectMatte } from '#engine/subject/subject-matte.ts'
import type { ToolEngine } from '../tool.ts'
import type { BackgroundRemovalInputs, BackgroundRemovalParams } from './contract.ts'
import { drawResult } from './draw.ts'
import { applyStrokes, softenEdges } from './strokes.ts'
import { warningSide, warningsFor } from './warnings.ts'

/** Background removal: `generate` makes the layer `matte`; `render` draws with it, without any model. */
export const backgroundRemovalEngine: ToolEngine<BackgroundRemovalParams, BackgroundRemovalInputs, null> = {
  async generate({ inputs, params }, host) {
    const [source] = inputs.picture
    if (!source) throw new EngineError('upload.missing')
    host.progress('detecting', 0)
    const opaque = flatten(source, 128, 128, 128)
    const reduced = await searchPicture(opaque, host)
    const seen = fitWithin(reduced, warningSide)
    const [matte, small] = await Promise.all([
      subjectMatte(opaque, { subject: params.subject, box: params.box, reduced }, host),
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
    const corrected = softenEdges(await applyStrokes(source, matte, params.strokes, host), params.softness)
    const picture = await drawResult(source, corrected, inputs.background[0], params, host)
    return { outputs: [{ picture, encoding: { format: params.format } }] }
  },
}

/** Rounded as it is stored, so that a later rendering equals the first one. */
function eightBit(matte: Plane): Plane {
  for (let i = 0; i < matte.data.length; i++) matte.data[i] = Math.round((matte.data[i] as number) * 255) / 255
  return matte
}

function isPlane(layer: Picture | Plane | undefined): layer is Plane {
  return layer?.data instanceof Float32Array
}
