import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { boundsOf, clipBox, growBox, wholeOf } from '#engine/image/geometry.ts'
import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { blendPicture, cropPicture, cropPlane, fitWithin, pastePicture } from '#engine/image/pixels.ts'
import { boxBlur, resizePlane, resizeSmooth, shareAbove, shrink } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { rasterizeStrokes } from '#engine/image/strokes.ts'
import { findFaces, matteCoverageOfFace } from '#engine/tasks/faces/index.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import type { Box } from '#shared/media.ts'
import type { WarningCode } from '#tools/contract/tool.ts'
import { pictureLayer, requireInput } from '#tools/engine/inputs.ts'
import { isUsableFill } from '#tools/engine/judge-result.ts'
import { aiEdited, type ToolEngine, type ToolInput } from '#tools/engine/tool-engine.ts'
import type { ObjectRemovalInputs, ObjectRemovalParams, ObjectRemovalTasks } from '../contract/definition.ts'

/** `generate` makes the layer `filled`, the whole picture without the marked region. */
export const objectRemovalEngine: ToolEngine<ObjectRemovalParams, ObjectRemovalInputs, null, ObjectRemovalTasks> = {
  /** Warns about faces that the marks would cut. */
  async check(input, host) {
    const source = requireInput(input.inputs.picture)
    if (input.inputs.mask.length === 0 && !input.params.strokes.some(({ mode }) => mode === 'keep')) {
      return { warnings: [], problems: [], facts: {} }
    }
    const { warnings } = await lookAtFaces(source, markedPart(source, input), host)
    return { warnings, problems: [], facts: {} }
  },

  async prepare(input) {
    const source = requireInput(input.inputs.picture)
    const mask = markedPart(source, input)
    const box = contextBox(mask)
    const { x, y, width, height } = box
    return { filled: [{ picture: cropPicture(source, box), mask: cropPlane(mask, x, y, width, height) }] }
  },

  async generate(input, host) {
    const source = requireInput(input.inputs.picture)
    const mask = markedPart(source, input)
    host.progress('detecting', 0)
    const { avoid, warnings } = await lookAtFaces(source, mask, host)
    const made = input.done.filled?.[0]?.picture
    if (made && isUsable(source, made, mask)) {
      return { layers: { filled: setIn(source, made, mask) }, data: null, warnings, facts: { byProvider: true } }
    }
    const filled = inpaint(source, mask, {
      seed: input.params.seed,
      avoid,
      checkpoint: (fraction) => {
        host.signal.throwIfAborted()
        host.progress('generating', fraction)
      },
    })
    return { layers: { filled }, data: null, warnings, rejected: made ? ['filled'] : [] }
  },

  async render({ params: { format } }, generated) {
    const encoding = { format, ...(generated?.facts?.byProvider === true && { metadata: aiEdited }) }
    return { outputs: [{ picture: pictureLayer(generated, 'filled'), encoding }] }
  },
}

/** The marked region, grown by the margin, with a soft border. */
function markedPart(
  { width, height }: Picture,
  { inputs, params }: ToolInput<ObjectRemovalParams, ObjectRemovalInputs>,
): Plane {
  const marks = createPlane(width, height)
  const [drawn] = inputs.mask
  const given = drawn && resizeSmooth(drawn, width, height)
  const strokes = rasterizeStrokes(params.strokes, width, height, 1)
  for (let i = 0; i < marks.data.length; i++) {
    const stroke = strokes.data[i] as number
    if (stroke === 1 || (stroke === 0 && given && (given.data[i] as number) > 0.5)) marks.data[i] = 1
  }
  const margin = Math.round(params.margin * Math.max(width, height))
  if (!marks.data.some((value) => value > 0)) throw new EngineError('upload.missing')
  return boxBlur(dilate(marks, margin + 1), 1)
}

/** Pixels beside the marked region for providers. */
const minContext = 128

function contextBox(mask: Plane): Box {
  const marked = boundsOf(mask, 0) ?? wholeOf(mask)
  return clipBox(growBox(marked, Math.max(minContext, marked.width, marked.height)), mask) ?? wholeOf(mask)
}

function isUsable(source: Picture, made: Picture, mask: Plane): boolean {
  const { x, y, width, height } = contextBox(mask)
  const part = resamplePart(made, wholeOf(made), width, height)
  return isUsableFill(cropPicture(source, { x, y, width, height }), part, cropPlane(mask, x, y, width, height))
}

function setIn(source: Picture, made: Picture, mask: Plane): Picture {
  const { x, y, width, height } = contextBox(mask)
  const part = resamplePart(made, wholeOf(made), width, height)
  const own = cropPicture(source, { x, y, width, height })
  blendPicture(own, part, cropPlane(mask, x, y, width, height))
  const filled = { ...source, data: source.data.slice() }
  pastePicture(filled, own, x, y)
  return filled
}

/** Share of the picture beyond which too little is left to fill the hole from. */
const largeHole = 0.3
/**
 * Marked shares of a face and of the chest below it: from `minTouchedShare` on a face belongs to
 * the hole, from `minRemovedShare` on entirely.
 */
const minTouchedShare = 0.05
const minRemovedShare = { face: 0.75, chest: 0.4 }

/** Remaining faces, which the fill must not duplicate, and warnings about the others. */
async function lookAtFaces(source: Picture, mask: Plane, host: EngineHost) {
  const faces = (await findFaces(source, host)).map(({ box, points }) => {
    const around = growBox(box, 0.4 * Math.max(box.width, box.height))
    const chest = { ...box, y: box.y + 1.6 * box.height }
    // The detector's box is wider than the face: its corners stay marked once that is freed.
    const own = matteCoverageOfFace(points, mask)
    return { around, marked: markedShare(mask, around) ?? 0, own, chest }
  })
  const cut = faces.some(({ own, chest }) => {
    if (own < minTouchedShare) return false
    return own < minRemovedShare.face || (markedShare(mask, chest) ?? 1) < minRemovedShare.chest
  })
  const warnings: WarningCode[] = []
  if (cut) warnings.push('face_marked')
  if (shareAbove(mask, 0.5) > largeHole || (await isBesidePeople(source, mask, host))) warnings.push('large_hole')
  return { avoid: faces.filter(({ marked }) => marked < minTouchedShare).map(({ around }) => around), warnings }
}

/** Longer side of the mask that is judged. */
const judgedSide = 256
/**
 * From these on, the clothes of people beside a hole grow into it as ghosts: half of its smaller
 * width in shares of the picture's longer side, and the people's share of the pixels around it.
 */
const ghosts = { reach: 0.07, rim: 0.2 } as const
/** Pixels around the hole; the nearest may still belong to what is removed. */
const rimPixels = { from: 3, to: 8 } as const

async function isBesidePeople(source: Picture, mask: Plane, host: EngineHost): Promise<boolean> {
  const { width, height } = fitWithin(source, judgedSide)
  const hole = shrink(mask, width, height)
  const deep = erode(hole, Math.round(ghosts.reach * judgedSide))
  if (!deep.data.some((value) => value > 0.5)) return false
  const people = resizePlane(await host.personMask(source), hole)
  const [near, far] = [dilate(hole, rimPixels.from).data, dilate(hole, rimPixels.to).data]
  let [rim, onPeople] = [0, 0]
  for (let i = 0; i < far.length; i++) {
    if ((far[i] as number) < 0.5 || (near[i] as number) >= 0.5) continue
    rim++
    if ((people.data[i] as number) > 0.5) onPeople++
  }
  return onPeople > ghosts.rim * rim
}

/** Undefined outside the picture. */
function markedShare(mask: Plane, box: Box): number | undefined {
  const part = clipBox(box, mask)
  return part && shareAbove(cropPlane(mask, part.x, part.y, part.width, part.height), 0)
}
