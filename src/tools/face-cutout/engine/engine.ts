import { EngineError } from '#engine/error.ts'
import type { Picture } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import { headFrame } from '#engine/tasks/faces/index.ts'
import type { WarningCode } from '#tools/contract/tool.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import type { FaceCutoutInputs, FaceCutoutParams } from '../contract/definition.ts'
import { arrangeHead, arrangeSheet } from './arrange.ts'
import { cutHeads, findHeads, problemOf, smallest } from './heads.ts'

/**
 * Face cut-out: `generate` makes a layer for every head, `head-0` the largest; `render` crops,
 * borders and arranges them.
 */
export const faceCutoutEngine: ToolEngine<FaceCutoutParams, FaceCutoutInputs, { heads: number }> = {
  async check({ inputs }, host) {
    const found = await findHeads(sourceOf(inputs.picture), host)
    const { heads: faces } = found
    const problem = problemOf(found)
    const coarse = faces.some(({ points }) => headFrame(points).eyesToChin < smallest.clear)
    const turned = faces.some(({ pose }) => Math.abs(pose.yaw) > 0.45)
    const warnings: WarningCode[] = [
      ...(coarse ? (['low_resolution'] as const) : []),
      ...(turned ? (['face_turned'] as const) : []),
    ]
    return {
      faces: faces.map(({ box }) => ({ input: 'picture', position: 0, box })),
      warnings,
      problems: problem ? [{ path: 'picture', code: problem }] : [],
      facts: {},
    }
  },

  async generate({ inputs }, host) {
    host.progress('detecting', 0)
    const heads = await cutHeads(sourceOf(inputs.picture), host)
    const layers = Object.fromEntries(heads.map((head, i) => [`head-${i}`, head]))
    const coarse = heads.some(({ height }) => height < 2 * smallest.clear)
    return { layers, data: { heads: heads.length }, warnings: coarse ? ['low_resolution'] : [] }
  },

  async render({ params }, generated) {
    if (!generated) throw new EngineError('generation.not_renderable')
    const { picked, format, output } = params
    const wanted = Array.from({ length: generated.data.heads }, (_, i) => i).filter(
      (i) => picked.length === 0 || picked.includes(i),
    )
    const heads = wanted.flatMap((i) => {
      const layer = generated.layers[`head-${i}`]
      return layer?.data instanceof Uint8ClampedArray ? [layer as Picture] : []
    })
    if (heads.length === 0) throw new EngineError('params.invalid')
    const pictures = output === 'sheet' ? [arrangeSheet(heads, params)] : heads.map((head) => arrangeHead(head, params))
    const outputs = pictures.map((picture, i): Output => {
      return { ...(pictures.length > 1 && { label: `${i + 1}` }), picture, encoding: { format } }
    })
    return { outputs }
  },
}

function sourceOf([picture]: Picture[]): Picture {
  if (!picture) throw new EngineError('upload.missing')
  return flatten(picture, 255, 255, 255)
}
