import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { boundsOf, composeSimilarities, type Similarity, translationBy } from '#engine/image/geometry.ts'
import { isPicture, type Picture } from '#engine/image/picture.ts'
import { alphaOf, cropPicture, emptyPicture, pastePicture } from '#engine/image/pixels.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import { addBorder } from '#engine/tasks/face-cutout/index.ts'
import { headFrame } from '#engine/tasks/faces/index.ts'
import { correctCutOut } from '#engine/tasks/subject-matte/index.ts'
import type { Stroke } from '#shared/media.ts'
import type { WarningCode } from '#tools/contract/tool.ts'
import { inputOnWhite, safetyTasks } from '#tools/engine/inputs.ts'
import type { Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import type { FaceCutoutInputs, FaceCutoutParams, FaceCutoutTasks } from '../contract/definition.ts'
import { type CutHead, cutHeads, faceParsingTasks, faintAlpha, findHeads, minEyesToChin, problemOf } from './heads.ts'

/** Results of earlier versions have no `places` and cannot be corrected. */
type Kept = { heads: number; places?: Pick<Similarity, keyof Similarity>[] }

/** `generate` makes a layer for every head, `head-0` the largest; `render` arranges them. */
export const faceCutoutEngine: ToolEngine<FaceCutoutParams, FaceCutoutInputs, Kept, FaceCutoutTasks> = {
  async check({ inputs }, host) {
    const picture = inputOnWhite(inputs.picture)
    const found = await findHeads(picture, host)
    const { heads: faces } = found
    const problem = problemOf(found)
    const coarse = faces.some(({ points }) => headFrame(points).eyesToChin < minEyesToChin.clear)
    const turned = faces.some(({ pose }) => Math.abs(pose.yaw) > 0.45)
    const warnings: WarningCode[] = [
      ...(!problem && found.seen.length > faces.length ? (['faces_cut'] as const) : []),
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

  async prepare({ inputs }, host) {
    const safe = await safetyTasks(inputs.picture, host)
    return { safe, parts: await faceParsingTasks(inputOnWhite(inputs.picture), host) }
  },

  async generate({ inputs, done }, host) {
    host.progress('detecting', 0)
    const heads = await cutHeads(inputOnWhite(inputs.picture), done.parts ?? [], host)
    const layers = Object.fromEntries(heads.map(({ picture }, i) => [`head-${i}`, picture]))
    const coarse = heads.some(({ picture }) => picture.height < 2 * minEyesToChin.clear)
    const data = { heads: heads.length, places: heads.map(({ placement }) => placement) }
    return { layers, data, warnings: coarse ? ['low_resolution'] : [] }
  },

  async render({ inputs, params }, generated, host) {
    if (!generated) throw new EngineError('generation.not_renderable')
    const { picked, format, output, strokes } = params
    const wanted = Array.from({ length: generated.data.heads }, (_, i) => i).filter(
      (i) => picked.length === 0 || picked.includes(i),
    )
    const heads: (Partial<CutHead> & { picture: Picture; subject: number })[] = []
    for (const subject of wanted) {
      const layer = generated.layers[`head-${subject}`]
      if (!layer || !isPicture(layer)) continue
      const [picture, placement] = [layer, generated.data.places?.[subject]]
      const own = strokes.filter((stroke) => (stroke.subject ?? subject) === subject)
      const head =
        placement && (await correctHead(inputOnWhite(inputs.picture), { picture, placement: placement }, own, host))
      heads.push({ ...(head ?? { picture }), subject })
    }
    if (heads.length === 0) throw new EngineError('params.invalid')
    const encoding = { format }
    if (output === 'sheet') {
      const picture = arrangeSheet(
        heads.map((head) => head.picture),
        params,
      )
      return { outputs: [{ picture, encoding }] }
    }
    const outputs = heads.map(({ picture: head, placement, subject }, i): Output => {
      const { picture, x, y } = arrangeHead(head, params)
      return {
        ...(heads.length > 1 && { label: `${i + 1}` }),
        picture,
        encoding,
        ...(placement && { placement: { ...composeSimilarities(placement, translationBy(x, y)), subject } }),
      }
    })
    return { outputs }
  },
}

/** Margin that strokes can restore, as a share of the head's height. */
const correctionMargin = 0.15

async function correctHead(
  source: Picture,
  { picture, placement }: CutHead,
  strokes: readonly Stroke[],
  host: EngineHost,
): Promise<CutHead> {
  if (strokes.length === 0) return { picture, placement }
  const more = Math.ceil(correctionMargin * picture.height)
  const wide = emptyPicture(picture.width + 2 * more, picture.height + 2 * more)
  pastePicture(wide, picture, more, more)
  const around = composeSimilarities(placement, translationBy(more, more))
  const corrected = await correctCutOut(source, wide, around, strokes, host)
  const alpha = alphaOf(corrected)
  const box = alpha && boundsOf(alpha, faintAlpha / 255)
  if (!box) throw new EngineError('engine.no_subject')
  return { picture: cropPicture(corrected, box), placement: composeSimilarities(around, translationBy(-box.x, -box.y)) }
}

type Arrangement = Pick<FaceCutoutParams, 'crop' | 'border' | 'borderColor'>

/** Space around a head without a border, and between heads on a sheet, as shares of its height. */
const margin = 0.02
const gap = 0.08
const sheetWidth = 2400
const sheetHead = 640

/** x and y are the position of the head's upper left corner. */
function arrangeHead(
  head: Picture,
  { crop, border, borderColor }: Arrangement,
): { picture: Picture; x: number; y: number } {
  const rim = Math.round(border * head.height)
  const space = Math.max(1, Math.round(margin * head.height)) + rim
  const tight = { width: head.width + 2 * space, height: head.height + 2 * space }
  const side = Math.max(tight.width, tight.height)
  const size = crop === 'square' ? { width: side, height: side } : tight
  const picture = emptyPicture(size.width, size.height)
  const x = Math.floor((size.width - head.width) / 2)
  const y = Math.floor((size.height - head.height) / 2)
  pastePicture(picture, head, x, y)
  return { picture: rim > 0 ? addBorder(picture, rim, borderColor) : picture, x, y }
}

function arrangeSheet(heads: readonly Picture[], how: Arrangement): Picture {
  const height = Math.min(sheetHead, Math.max(...heads.map((head) => head.height)))
  const figures = heads.map((head) => {
    const scale = height / head.height
    const width = Math.max(1, Math.round(head.width * scale))
    const size = scale === 1 ? head : resamplePicture(head, { scale, angle: 0, x: 0, y: 0 }, width, height)
    return arrangeHead(size, how).picture
  })
  const space = Math.round(gap * height)
  const positions: { figure: Picture; x: number; y: number }[] = []
  const columns = Math.ceil(Math.sqrt(figures.length * 1.3))
  let [x, y, row, right, inRow] = [space, space, 0, 0, 0]
  for (const figure of figures) {
    if (inRow > 0 && (inRow === columns || x + figure.width + space > sheetWidth)) {
      ;[x, y, row, inRow] = [space, y + row + space, 0, 0]
    }
    positions.push({ figure, x, y })
    x += figure.width + space
    row = Math.max(row, figure.height)
    right = Math.max(right, x)
    inRow++
  }
  const sheet = emptyPicture(right, y + row + space)
  for (const { figure, x: left, y: top } of positions) pastePicture(sheet, figure, left, top)
  return sheet
}
