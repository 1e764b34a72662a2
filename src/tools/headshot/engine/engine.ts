import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import { composeSimilarities, inverse, type Similarity, translationBy } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { fitWithin } from '#engine/image/pixels.ts'
import {
  describeFace,
  embeddingSimilarity,
  faceWarnings,
  findRotatedFaces,
  flattenMesh,
  headFrame,
  isCoveredByHand,
  meshBox,
  moveFace,
  moveMesh,
  placeMesh,
  shareOutsidePicture,
  unflattenMesh,
} from '#engine/tasks/faces/index.ts'
import {
  frameHead,
  type HeadView,
  headView,
  renderGroup,
  renderPortrait,
  rotateToUpright,
} from '#engine/tasks/headshot/index.ts'
import { correctCutOut, cutOut, subjectMatte } from '#engine/tasks/subject-matte/index.ts'
import type { Problem, WarningCode } from '#tools/contract/tool.ts'
import { inputOnWhite, pictureLayer, planeLayer, requireProviderResults, safetyTasks } from '#tools/engine/inputs.ts'
import type { Generated, Output, ToolEngine } from '#tools/engine/tool-engine.ts'
import { joinedCaptures } from '#tools/engine/tool-engine.ts'
import {
  type HeadshotInputs,
  type HeadshotParams,
  type HeadshotRatio,
  type HeadshotTasks,
  maxFaces,
} from '../contract/definition.ts'
import { sampleCutOut } from './backdrop-sample.ts'
import { judgeProposals, proposalOutputs, proposalTasks } from './proposals.ts'

const ratios: Record<HeadshotRatio, number> = { '3:4': 3 / 4, '1:1': 1, '4:5': 4 / 5 }
/** Pixels: minimum for a headshot, and for a sharp one. */
const minFaceWidth = 36
const minSharpWidth = 110
/** Yaw in radians: warned beyond the first, refused beyond the second. */
const warnedYaw = 0.5
const refusedYaw = 0.95
const maxShareOutside = 0.08
const groupSide = 2400

/** `place` maps the photograph's pixels to the view's. */
type View = Pick<HeadView, 'eyes' | 'crown' | 'chin' | 'centre'> & {
  mesh: number[]
  place: Pick<Similarity, keyof Similarity>
}
/**
 * `cut` and `missing` with the view's number are the layers of single heads; a group has a single
 * `cut`.
 */
type Kept = {
  views: View[]
  group: { meshes: number[][]; place?: View['place'] } | null
  /** The layers are `made` with their number. */
  proposals?: { likeness: number; face: { x: number; y: number; width: number; height: number } }[]
}

/** `generate` cuts out the heads upright; `render` frames, retouches, relights and places them. */
export const headshotEngine: ToolEngine<HeadshotParams, HeadshotInputs, Kept, HeadshotTasks> = {
  async check({ inputs, params }, host) {
    const picture = inputOnWhite(inputs.picture)
    const { found, seen, whole: faces } = await usableFaces(picture, host)
    const chosen = chosenOf(faces, params)
    const problems = problemsOf(chosen, seen, found)
    const facts: { cutout?: string } = {}
    const warnings = new Set(warningsOf(chosen, picture))
    if (chosen[0]) {
      const sample = await sampleCutOut(picture, chosen[0], others(seen, chosen[0]), host)
      if (typeof sample !== 'string') {
        facts.cutout = sample.cutOut
        if (sample.tight) warnings.add('tight_frame')
        if (sample.remnants) warnings.add('busy_background')
        if (sample.bodiless) warnings.add('uncertain_edges')
      } else if (params.mode === 'each') problems.push({ path: 'picture', code: sample })
    }
    for (const face of chosen) if (await isCoveredByHand(picture, face, host)) warnings.add('face_covered')
    return {
      faces: faces.map(({ box, points }) => ({
        input: 'picture',
        position: 0,
        box,
        points: points.flatMap(([x, y]) => [Math.round(x), Math.round(y)]),
      })),
      warnings: [...warnings],
      problems,
      facts,
    }
  },

  async prepare({ inputs, params }, host) {
    const safe = await safetyTasks(inputs.picture, host)
    const { style } = params
    if (style === 'photo') return { safe, proposals: [] }
    const picture = inputOnWhite(inputs.picture)
    const { chosen } = await requireFaces(picture, params, host)
    const [face] = chosen as [Face]
    return { safe, proposals: await proposalTasks(picture, face, { ...params, style }, host) }
  },

  async generate({ inputs, params, done }, host) {
    const picture = inputOnWhite(inputs.picture)
    host.progress('detecting', 0)
    const { seen, chosen } = await requireFaces(picture, params, host)
    host.progress('generating', 0.1)
    const warnings = new Set(warningsOf(chosen, picture))
    if (params.style !== 'photo') {
      const made = requireProviderResults(done.proposals).map((result) => result.picture)
      const proposals = await judgeProposals(picture, chosen[0] as Face, made, host)
      return {
        layers: Object.fromEntries(proposals.map((proposal, i) => [`made${i}`, proposal.picture])),
        data: {
          views: [],
          group: null,
          proposals: proposals.map(({ likeness, face }) => ({ likeness, face: { ...face } })),
        },
        warnings: [...warnings],
      }
    }
    if (params.mode === 'group') return { ...(await cutGroup(picture, chosen, seen, host)), warnings: [...warnings] }
    const layers: Generated['layers'] = {}
    const views: View[] = []
    for (const [i, face] of chosen.entries()) {
      const view = await headView(picture, face, others(seen, face), host)
      layers[`cut${i}`] = view.picture
      layers[`missing${i}`] = view.missing
      views.push(keptView(view))
      if (view.remnants) warnings.add('busy_background')
      if (view.bodiless) warnings.add('uncertain_edges')
      host.progress('generating', 0.1 + (0.8 * (i + 1)) / chosen.length)
      host.signal.throwIfAborted()
    }
    return { layers, data: { views, group: null }, warnings: [...warnings] }
  },

  async render({ inputs, params }, generated, host) {
    if (!generated) throw new EngineError('generation.not_renderable')
    const source = inputOnWhite(inputs.picture)
    const { format, strokes } = params
    const { views, group, proposals: kept } = generated.data
    if (kept) {
      const proposals = kept.map((proposal, i) => ({ ...proposal, picture: pictureLayer(generated, `made${i}`) }))
      const outputs = proposalOutputs(proposals, ratios[params.ratio], format)
      return { outputs, facts: { likeness: Math.min(...kept.map((proposal) => proposal.likeness)) } }
    }
    if (group) {
      const { place: placement, meshes } = group
      const layer = pictureLayer(generated, 'cut')
      const cut = placement ? await correctCutOut(source, layer, placement, strokes, host) : layer
      const picture = await renderGroup(cut, meshes.map(unflattenMesh), params, host)
      return {
        outputs: [
          { picture, encoding: { format, metadata: joinedCaptures }, ...(placement && { placement: placement }) },
        ],
      }
    }
    const outputs: Output[] = []
    const warnings = new Set<WarningCode>()
    const likenesses: number[] = []
    for (const [i, kept] of views.entries()) {
      const own = strokes.filter(({ subject = i }) => subject === i)
      const view: HeadView = {
        ...kept,
        picture: await correctCutOut(source, pictureLayer(generated, `cut${i}`), kept.place, own, host),
        missing: planeLayer(generated, `missing${i}`),
        mesh: unflattenMesh(kept.mesh),
      }
      const frame = frameHead(view, ratios[params.ratio])
      if (frame.tight) warnings.add('tight_frame')
      const picture = await renderPortrait(view, frame, params, host)
      const placement = { ...composeSimilarities(kept.place, translationBy(-frame.x, -frame.y)), subject: i }
      outputs.push({
        ...(views.length > 1 && { label: String(i + 1) }),
        picture,
        encoding: { format, metadata: joinedCaptures },
        placement: placement,
      })
      const before = moveMesh(view.mesh, inverse(kept.place))
      likenesses.push(await likenessOf(source, before, picture, placeMesh(view.mesh, frame.x, frame.y, 1), host))
      host.signal.throwIfAborted()
    }
    return { outputs, warnings: [...warnings], facts: { likeness: Math.min(...likenesses) } }
  },
}

async function requireFaces(picture: Picture, params: HeadshotParams, host: EngineHost) {
  const { found, seen, whole } = await usableFaces(picture, host)
  const chosen = chosenOf(whole, params)
  const [problem] = problemsOf(chosen, seen, found)
  if (problem) throw new EngineError(problem.code as EngineError['code'])
  return { seen, chosen }
}

/** All faces, those large enough, and of these the whole ones. */
async function usableFaces(picture: Picture, host: EngineHost) {
  const found = await findRotatedFaces(picture, host)
  const seen = found.filter(({ points }) => meshBox(points).width >= minFaceWidth)
  return { found, seen, whole: seen.filter((face) => isWhole(face, picture)) }
}

function chosenOf(faces: readonly Face[], { mode, faces: wanted }: HeadshotParams): Face[] {
  if (mode === 'group') return faces.slice(0, maxFaces)
  return wanted.length > 0 ? wanted.flatMap((index) => faces[index] ?? []) : faces.slice(0, 1)
}

const others = (faces: readonly Face[], face: Face): Face[] => faces.filter((other) => other !== face)

const isWhole = ({ points }: Face, picture: Picture) => shareOutsidePicture(points, picture) < maxShareOutside

function problemsOf(chosen: readonly Face[], seen: readonly Face[], found: readonly Face[]): Problem[] {
  if (chosen.length === 0) {
    const code = found.length > 0 ? 'engine.face_too_small' : 'engine.no_face'
    return [{ path: 'picture', code: seen.length > 0 ? 'engine.face_cut' : code }]
  }
  const away = chosen.some(({ pose }) => Math.abs(pose.yaw) > refusedYaw)
  return away ? [{ path: 'picture', code: 'engine.face_turned' }] : []
}

function warningsOf(chosen: readonly Face[], picture: Picture): WarningCode[] {
  const warnings = new Set<WarningCode>(chosen.flatMap((face) => faceWarnings(picture, face)))
  // Glasses stay, and uneven light is corrected.
  warnings.delete('glasses')
  warnings.delete('uneven_light')
  if (chosen.some(({ pose }) => Math.abs(pose.yaw) > warnedYaw)) warnings.add('face_turned')
  if (chosen.some(({ points }) => meshBox(points).width < minSharpWidth)) warnings.add('low_resolution')
  return [...warnings]
}

async function cutGroup(picture: Picture, chosen: readonly Face[], all: readonly Face[], host: EngineHost) {
  const { width, height } = fitWithin(picture, groupSide)
  const scale = width / picture.width
  const small = await host.resize(picture, width, height)
  const turned = rotateToUpright(small, commonRoll(chosen), 1) ?? { picture: small, place: translationBy(0, 0) }
  const placement = composeSimilarities({ ...translationBy(0, 0), scale }, turned.place)
  const faces = all.map((face) => moveFace(face, placement).box)
  const matte = await subjectMatte(turned.picture, { subject: 'person', faces }, host)
  const cut = await cutOut(turned.picture, matte, host)
  const meshes = chosen.map(({ points }) => flattenMesh(moveMesh(points, placement)))
  return { layers: { cut }, data: { views: [], group: { meshes, place: placement } } }
}

/** Radians. */
function commonRoll(faces: readonly Face[]): number {
  const rolls = faces.map(({ points }) => headFrame(points).roll)
  const sum = (of: (roll: number) => number) => rolls.reduce((total, roll) => total + of(roll), 0)
  return Math.atan2(sum(Math.sin), sum(Math.cos))
}

function keptView({ mesh, eyes, crown, chin, centre, place: placement }: HeadView): View {
  return { mesh: flattenMesh(mesh), eyes, crown, chin, centre, place: placement }
}

/** By face embeddings. */
async function likenessOf(source: Picture, own: MeshPoints, picture: Picture, mesh: MeshPoints, host: EngineHost) {
  const [before, after] = [await describeFace(source, own, host), await describeFace(picture, mesh, host)]
  return Math.round(1000 * embeddingSimilarity(before.embedding, after.embedding)) / 1000
}
