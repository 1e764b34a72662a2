import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import { boundsOf, scaleBox } from '#engine/image/geometry.ts'
import { isMatte, isPicture, type Matte, type Picture, type Plane } from '#engine/image/picture.ts'
import { fitWithin, flatten, hasForeground, planeOf } from '#engine/image/pixels.ts'
import { shrink } from '#engine/image/plane.ts'
import {
  applyStrokes,
  assessSubject,
  explainUnclearSubject,
  findMatte,
  findPersonAt,
  matteUncertainty,
  maxMatteUncertainty,
  reduceForSearch,
  softenEdges,
  subjectMatteInput,
} from '#engine/tasks/subject-matte/index.ts'
import type { Box } from '#shared/media.ts'
import {
  type BackgroundRemovalInputs,
  type BackgroundRemovalParams,
  type BackgroundRemovalTasks,
  maxPeople,
  type Tap,
} from '#tools/background-removal/contract/definition.ts'
import type { Facts, WarningCode } from '#tools/contract/tool.ts'
import { drawLogo } from '#tools/engine/draw-logo.ts'
import { minVisibleAlpha } from '#tools/engine/frame-subject.ts'
import { requireInput } from '#tools/engine/inputs.ts'
import type { ToolEngine } from '#tools/engine/tool-engine.ts'
import { asAsked, drawResult } from './draw-result.ts'

/**
 * `generate` makes the layer `matte`, `render` draws with it, without any network. Facts: `kind` of
 * the subject, and `foreground`, its box in pixels of the upright input.
 */
export const backgroundRemovalEngine: ToolEngine<
  BackgroundRemovalParams,
  BackgroundRemovalInputs,
  null,
  BackgroundRemovalTasks
> = {
  async check({ inputs, params: { subject, box, people }, done }, host) {
    const opaque = flatten(requireInput(inputs.picture), 128, 128, 128)
    const found = done.matte?.[0]?.alpha
    if (box === undefined && people) return checkTaps(opaque, people, host)
    const unclear = box ? undefined : await explainUnclearSubject(opaque, { subject, found }, host)
    const facts: Facts = {
      ...(unclear?.box && { likely: { ...unclear.box } }),
      ...(unclear?.people && { people: unclear.people.slice(0, maxPeople).map((person) => ({ ...person })) }),
    }
    const path = unclear?.people ? 'people' : 'box'
    return { warnings: [], problems: unclear ? [{ path, code: unclear.code }] : [], facts }
  },

  async prepare({ inputs, params }, host) {
    const opaque = flatten(requireInput(inputs.picture), 128, 128, 128)
    const { width, height } = fitWithin(opaque, depthSide)
    return {
      matte: [await subjectMatteInput(opaque, params, host)],
      depth: params.background.type === 'lens' ? [{ picture: await host.resize(opaque, width, height) }] : [],
    }
  },

  async generate({ inputs, params, done }, host) {
    const source = requireInput(inputs.picture)
    host.progress('detecting', 0)
    const opaque = flatten(source, 128, 128, 128)
    const reduced = await reduceForSearch(opaque, host)
    const seen = fitWithin(reduced, warningSide)
    const rejected: string[] = []
    let kind: 'person' | 'thing' = 'thing'
    const found = done.matte?.[0]?.alpha
    const people = params.box ? undefined : params.people && (await boxesOf(opaque, params.people, host))
    if (people?.includes(undefined)) throw new EngineError('engine.person_not_found')
    const [matte, small] = await Promise.all([
      findMatte(
        opaque,
        {
          ...params,
          people: people?.filter((box) => box !== undefined),
          reduced,
          found,
          onReject: () => rejected.push('matte'),
          onKind: (seen) => {
            kind = seen
          },
          mayGuess: false,
        },
        host,
      ),
      host.resize(reduced, seen.width, seen.height),
    ])
    if (opaque !== source) limitAlpha(matte, source)
    if (!hasForeground(matte)) throw new EngineError('engine.no_subject')
    return { layers: { matte }, data: null, warnings: warningsFor(small, matte), facts: { kind }, rejected }
  },

  async render({ inputs, params, done }, generated, host) {
    const [source] = inputs.picture
    const layer = generated?.layers.matte
    if (!source || !layer || isPicture(layer)) throw new EngineError('generation.not_renderable')
    const corrected = await correct(source, layer, params, host)
    const behind = { own: inputs.background[0], depth: done.depth?.[0]?.depth }
    const drawn = await drawResult(source, corrected, behind, params, host)
    drawLogo(drawn.picture, params.logo, inputs.logo[0])
    const foreground = boundsOf(corrected, minVisibleAlpha(corrected))
    return {
      outputs: await asAsked(drawn, params, host),
      facts: { ...(foreground && { foreground: { ...foreground } }) },
    }
  },
}

/** Facts in shares: the points of `people`, each with the box around the person there, or null. */
async function checkTaps(opaque: Picture, people: readonly (Box | Tap)[], host: EngineHost) {
  const { width, height } = opaque
  const taps = people.filter((one) => !('width' in one))
  const boxes = await boxesOf(opaque, taps, host)
  const shares = boxes.map((box) => box && { ...scaleBox(box, 1 / width, 1 / height) })
  const facts: Facts = { taps: taps.map(({ x, y }, i) => ({ x: x / width, y: y / height, box: shares[i] ?? null })) }
  const missing = { path: 'people', code: 'engine.person_not_found' as const }
  return { warnings: [], problems: boxes.includes(undefined) ? [missing] : [], facts }
}

/** Boxes instead of points; undefined where no person is seen. */
async function boxesOf(opaque: Picture, people: readonly (Box | Tap)[], host: EngineHost) {
  const boxes: (Box | undefined)[] = []
  for (const one of people) boxes.push('width' in one ? one : (await findPersonAt(opaque, one, host))?.body)
  return boxes
}

/** Longer side in pixels of the depth provider's input. */
const depthSide = 1036

/** Strokes and softness work on a plane; without them the matte stays as stored. */
async function correct(
  source: Picture,
  layer: Plane | Matte,
  { strokes, softness }: BackgroundRemovalParams,
  host: EngineHost,
): Promise<Plane | Matte> {
  if (strokes.length === 0 && softness === 0) return layer
  const matte = isMatte(layer) ? planeOf(layer) : layer
  return softenEdges(await applyStrokes(source, matte, strokes, host), softness)
}

/** Transparent pixels of the source stay at least as transparent. */
function limitAlpha(matte: Matte, { data }: Picture): void {
  for (let i = 0; i < matte.data.length; i++) {
    matte.data[i] = ((matte.data[i] as number) * (data[4 * i + 3] as number)) / 255 + 0.5
  }
}

/** Longer side in pixels below which a subject is too small to print or enlarge. */
const smallSubject = 256
const burntShare = 0.25
const darkestBright = 60
const leastDetail = 12

const warningSide = 512

/** `small` is the picture at `warningSide`; the matte may have any size. */
function warningsFor(small: Picture, matte: Matte): WarningCode[] {
  const warnings: WarningCode[] = []
  const box = boundsOf(matte, 127)
  if (box && Math.max(box.width, box.height) < smallSubject) warnings.push('low_resolution')
  const smallMatte = shrink(matte, small.width, small.height)
  const { burnt, bright, detail } = assessSubject(small, smallMatte)
  if (detail < leastDetail && bright >= darkestBright) warnings.push('blurred')
  if (burnt > burntShare) warnings.push('overexposed')
  if (bright < darkestBright) warnings.push('too_dark')
  if (matteUncertainty(smallMatte) > maxMatteUncertainty) warnings.push('uncertain_edges')
  return warnings
}
