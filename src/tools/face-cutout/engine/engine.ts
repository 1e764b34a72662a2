import { EngineError } from '#engine/error.ts'
import type { Picture } from '#engine/image/picture.ts'
import { emptyPicture, flatten, pastePicture } from '#engine/image/pixels.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { bordered } from '#engine/tasks/face-cutout/index.ts'
import { headFrame } from '#engine/tasks/faces/index.ts'
import type { WarningCode } from '#tools/contract/tool.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import type { FaceCutoutInputs, FaceCutoutParams } from '../contract/definition.ts'
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

type Arrangement = Pick<FaceCutoutParams, 'crop' | 'border' | 'borderColor'>

/**
 * Free space around a head without a border, and between heads on a sheet, as shares of its height.
 */
const margin = 0.02
const gap = 0.08
/** Most pixels across a sheet, and of a head's height on it. */
const sheetWidth = 2400
const sheetHead = 640

/** A head with its border, on a transparent picture that is tight around it or square. */
export function arrangeHead(head: Picture, { crop, border, borderColor }: Arrangement): Picture {
  const rim = Math.round(border * head.height)
  const space = Math.max(1, Math.round(margin * head.height)) + rim
  const tight = { width: head.width + 2 * space, height: head.height + 2 * space }
  const side = Math.max(tight.width, tight.height)
  const size = crop === 'square' ? { width: side, height: side } : tight
  const picture = emptyPicture(size.width, size.height)
  pastePicture(picture, head, Math.floor((size.width - head.width) / 2), Math.floor((size.height - head.height) / 2))
  return rim > 0 ? bordered(picture, rim, borderColor) : picture
}

/** All heads at the same height in rows on one transparent sheet. */
export function arrangeSheet(heads: readonly Picture[], how: Arrangement): Picture {
  const height = Math.min(sheetHead, Math.max(...heads.map((head) => head.height)))
  const figures = heads.map((head) => {
    const scale = height / head.height
    const width = Math.max(1, Math.round(head.width * scale))
    const size = scale === 1 ? head : resamplePicture(head, { scale, angle: 0, x: 0, y: 0 }, width, height)
    return arrangeHead(size, how)
  })
  const space = Math.round(gap * height)
  const places: { figure: Picture; x: number; y: number }[] = []
  const columns = Math.ceil(Math.sqrt(figures.length * 1.3))
  let [x, y, row, right, inRow] = [space, space, 0, 0, 0]
  for (const figure of figures) {
    if (inRow > 0 && (inRow === columns || x + figure.width + space > sheetWidth)) {
      ;[x, y, row, inRow] = [space, y + row + space, 0, 0]
    }
    places.push({ figure, x, y })
    x += figure.width + space
    row = Math.max(row, figure.height)
    right = Math.max(right, x)
    inRow++
  }
  const sheet = emptyPicture(right, y + row + space)
  for (const { figure, x: left, y: top } of places) pastePicture(sheet, figure, left, top)
  return sheet
}
