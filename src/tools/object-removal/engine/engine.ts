import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { boundsOf, clipBox, growBox, wholeOf } from '#engine/image/geometry.ts'
import { dilate, erode } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { blendPicture, cropPicture, cropPlane, fitWithin, pastePicture, pastePlane } from '#engine/image/pixels.ts'
import { boxBlur, resizePlane, resizeSmooth, shareAbove, shrink } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { rasterizeStrokes } from '#engine/image/strokes.ts'
import { findFaces, matteCoverageOfFace } from '#engine/tasks/faces/index.ts'
import { inpaint } from '#engine/tasks/inpaint/index.ts'
import { findEveryone } from '#engine/tasks/subject-matte/index.ts'
import type { Box } from '#shared/media.ts'
import type { WarningCode } from '#tools/contract/tool.ts'
import { pictureLayer, requireInput } from '#tools/engine/inputs.ts'
import { isUsableFill } from '#tools/engine/judge-result.ts'
import { aiEdited, type ToolEngine, type ToolInput } from '#tools/engine/tool-engine.ts'
import type { ObjectRemovalInputs, ObjectRemovalParams, ObjectRemovalTasks } from '../contract/definition.ts'

/** `generate` makes the layer `filled`, the whole picture without the marked region. */
export const objectRemovalEngine: ToolEngine<ObjectRemovalParams, ObjectRemovalInputs, null, ObjectRemovalTasks> = {
  /** Warns about faces that the marks would cut, and holes that nothing around can fill. */
  async check(input, host) {
    const source = requireInput(input.inputs.picture)
    if (input.inputs.mask.length === 0 && !input.params.strokes.some(({ mode }) => mode === 'keep')) {
      return { warnings: [], problems: [], facts: {} }
    }
    const { warnings } = await lookAtPeople(source, markedPart(source, input), host)
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
    const people = await lookAtPeople(source, mask, host)
    const { warnings } = people
    const made = input.done.filled?.[0]?.picture
    if (made && isUsable(source, made, mask)) {
      return { layers: { filled: setIn(source, made, mask) }, data: null, warnings, facts: { byProvider: true } }
    }
    const filled = inpaint(source, mask, {
      seed: input.params.seed,
      avoid: await avoidedPixels(source, people, host),
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

interface SeenPeople {
  /** Boxes around the faces that stay. */
  staying: Box[]
  /** A person is removed whole. */
  removed: boolean
  warnings: WarningCode[]
  /** Share of the pixels around the hole that show people. */
  rim: number
  /** The picture shows people outside the hole. */
  othersStay: boolean
}

/** People in the picture, and warnings about marked faces and large holes. */
async function lookAtPeople(source: Picture, mask: Plane, host: EngineHost): Promise<SeenPeople> {
  const faces = (await findFaces(source, host)).map(({ box, points }) => {
    const around = growBox(box, 0.4 * Math.max(box.width, box.height))
    const chest = markedShare(mask, { ...box, y: box.y + 1.6 * box.height }) ?? 1
    // The detector's box is wider than the face: its corners stay marked once that is freed.
    return { around, marked: markedShare(mask, around) ?? 0, own: matteCoverageOfFace(points, mask), chest }
  })
  const isRemoved = ({ own, chest }: (typeof faces)[number]) =>
    own >= minRemovedShare.face && chest >= minRemovedShare.chest
  const { rim, othersStay, deep } = await peopleBeside(source, mask, host)
  const warnings: WarningCode[] = []
  if (faces.some((face) => face.own >= minTouchedShare && !isRemoved(face))) warnings.push('face_marked')
  if (shareAbove(mask, 0.5) > largeHole || (deep && rim > ghosts.rim)) warnings.push('large_hole')
  return {
    staying: faces.filter(({ marked }) => marked < minTouchedShare).map(({ around }) => around),
    removed: faces.some(isRemoved),
    warnings,
    rim,
    othersStay,
  }
}

/**
 * Pixels that the fill neither copies nor continues: the people who stay, so that the background
 * goes on behind a removed person. In a hole inside a person, such as a badge, only the faces.
 */
async function avoidedPixels(
  source: Picture,
  { staying, removed, rim, othersStay }: SeenPeople,
  host: EngineHost,
): Promise<Plane | undefined> {
  const { width, height } = source
  const isBehind = othersStay && (removed || rim < ghosts.rim)
  const everyone = isBehind ? await findEveryone(source, host) : undefined
  if (!everyone && staying.length === 0) return undefined
  const avoided = everyone ? resizeSmooth(everyone, width, height) : createPlane(width, height)
  for (const face of staying) {
    const box = clipBox(face, source)
    if (box) pastePlane(avoided, createPlane(box.width, box.height, 1), box)
  }
  return avoided
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
/** Least share of the picture that people outside the hole cover. */
const leastPeople = 0.005

async function peopleBeside(source: Picture, mask: Plane, host: EngineHost) {
  const { width, height } = fitWithin(source, judgedSide)
  const hole = shrink(mask, width, height)
  const deep = erode(hole, Math.round(ghosts.reach * judgedSide)).data.some((value) => value > 0.5)
  const people = resizePlane(await host.personMask(source), hole)
  const [near, far] = [dilate(hole, rimPixels.from).data, dilate(hole, rimPixels.to).data]
  let [rim, onPeople, staying] = [0, 0, 0]
  for (let i = 0; i < far.length; i++) {
    if ((near[i] as number) >= 0.5) continue
    const isPerson = (people.data[i] as number) > 0.5
    if (isPerson) staying++
    if ((far[i] as number) < 0.5) continue
    rim++
    if (isPerson) onPeople++
  }
  return { deep, rim: rim > 0 ? onPeople / rim : 0, othersStay: staying > leastPeople * far.length }
}

/** Undefined outside the picture. */
function markedShare(mask: Plane, box: Box): number | undefined {
  const part = clipBox(box, mask)
  return part && shareAbove(cropPlane(mask, part.x, part.y, part.width, part.height), 0)
}
