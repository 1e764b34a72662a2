import { EngineError } from '#engine/error.ts'
import type { EngineHost, Face } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { flatten } from '#engine/image/pixels.ts'
import { faceWarnings, findRotatedFaces, isCoveredByHand } from '#engine/tasks/faces/index.ts'
import { type SwapPatch, swapFace, wearsGlasses } from '#engine/tasks/swap/index.ts'
import type { CheckedFace, WarningCode } from '#tools/contract/tool.ts'
import { pictureLayer, safetyTasks } from '#tools/engine/inputs.ts'
import { aiEdited, type Generated, type ToolEngine, type ToolInput } from '#tools/engine/tool-engine.ts'
import type { FacePair, SwapFaceInputs, SwapFaceParams, SwapFaceTasks } from '../contract/definition.ts'
import { compareSwap, isUsable, pastePatch, type Swap, summarizeSwaps } from './comparison.ts'
import { type FoundFaces, minSharpWidth, type Pair, problemsOf, yawLimits } from './face-problems.ts'

/** Pixels; narrower faces are ignored. */
const minFaceWidth = 24

type Input = ToolInput<SwapFaceParams, SwapFaceInputs>
/** Each patch is the layer of the same number. */
type Kept = { keepGlasses: boolean; patches: { x: number; y: number }[]; swaps: Swap[] }

/**
 * `check` finds the faces of all pictures, `generate` swaps and keeps the changed regions, `render`
 * inserts them into the target, or swaps again where the choice about glasses changed.
 */
export const swapFaceEngine: ToolEngine<SwapFaceParams, SwapFaceInputs, Kept, SwapFaceTasks> = {
  async check(input, host) {
    const found = await findAll(input, host)
    const chosen = pairsOf(input.params.pairs, found)
    const problems = await problemsOf(found, chosen, host, { withAnimals: true })
    const { target: picture } = found
    // Warnings are left out beside a problem that prevents the swap.
    const warnings = problems.length > 0 ? [] : warningsOf(chosen, picture)
    if (problems.length === 0 && (await anyCovered(chosen, picture, host))) warnings.push('face_covered')
    const glasses = await Promise.all(chosen.map(({ target: face }) => wearsGlasses({ picture, face }, host)))
    return {
      faces: [
        ...found.targets.map((face) => checked(face, 'target', 0)),
        ...found.sources.map(({ face, position }) => checked(face, 'faces', position)),
      ],
      warnings,
      problems,
      facts: { glasses: glasses.includes(true) },
    }
  },

  async prepare({ inputs }, host) {
    return { safe: await safetyTasks([...inputs.target, ...inputs.faces], host) }
  },

  async generate(input, host) {
    host.progress('detecting', 0)
    const found = await findAll(input, host)
    const pairs = pairsOf(input.params.pairs, found)
    const [problem] = await problemsOf(found, pairs, host)
    if (problem) throw new EngineError(problem.code as EngineError['code'])
    if (pairs.length === 0) throw new EngineError('params.invalid')
    const { patches, swaps } = await swapPairs(pairs, found.target, input.params, host)
    if (!swaps.every((swap, i) => isUsable(swap, patches[i] as SwapPatch)))
      throw new EngineError('engine.swap_unusable')
    const warnings = new Set(warningsOf(pairs, found.target))
    if (patches.some(({ glasses }) => glasses.source)) warnings.add('glasses')
    return {
      layers: Object.fromEntries(patches.map(({ picture: patch }, i) => [String(i), patch])),
      data: {
        keepGlasses: input.params.keepGlasses,
        patches: patches.map(({ box: { x, y } }) => ({ x, y })),
        swaps,
      },
      warnings: [...warnings],
    }
  },

  async render(input, generated, host) {
    const { inputs, params } = input
    const [target] = inputs.target
    if (!target || !generated) throw new EngineError('generation.not_renderable')
    // Making both in every generation would double the time for an option that few use.
    const { patches, swaps } =
      generated.data.keepGlasses === params.keepGlasses ? keptPatches(generated) : await swapAnew(input, host)
    const picture = copyOf(target)
    for (const { patch, x, y } of patches) pastePatch(picture, patch, { x, y })
    const { format } = params
    const encoding = { format, ...(format !== 'png' && { quality: 95 }), metadata: aiEdited }
    return { outputs: [{ picture, encoding }], labelled: params.mark, ...summarizeSwaps(swaps, params.keepGlasses) }
  },
}

interface PlacedPatch {
  patch: Picture
  x: number
  y: number
}

function keptPatches(generated: Generated<Kept>): { patches: PlacedPatch[]; swaps: Swap[] } {
  const { patches, swaps } = generated.data
  return { patches: patches.map(({ x, y }, i) => ({ patch: pictureLayer(generated, String(i)), x, y })), swaps }
}

/** The same pairs with the other choice about glasses. */
async function swapAnew(input: Input, host: EngineHost): Promise<{ patches: PlacedPatch[]; swaps: Swap[] }> {
  const found = await findAll(input, host)
  const pairs = pairsOf(input.params.pairs, found)
  const { patches, swaps } = await swapPairs(pairs, found.target, input.params, host)
  return { patches: patches.map(({ picture: patch, box: { x, y } }) => ({ patch, x, y })), swaps }
}

async function swapPairs(
  pairs: readonly Pair[],
  target: Picture,
  { keepGlasses }: SwapFaceParams,
  host: EngineHost,
): Promise<{ patches: SwapPatch[]; swaps: Swap[] }> {
  const patches: SwapPatch[] = []
  const swaps: Swap[] = []
  // Each swap starts from the previous result: neighbours' surroundings overlap.
  let picture = target
  for (const [i, { source, target: face }] of pairs.entries()) {
    host.progress('generating', i / pairs.length)
    const patch = await swapFace({ picture, face }, source, host, { keepGlasses })
    patches.push(patch)
    swaps.push(await compareSwap(source, { picture: target, face }, patch, host))
    if (i + 1 < pairs.length) {
      if (picture === target) picture = copyOf(picture)
      pastePatch(picture, patch.picture, patch.box)
    }
    host.signal.throwIfAborted()
  }
  return { patches, swaps }
}

async function findAll({ inputs }: Input, host: EngineHost): Promise<FoundFaces> {
  const [first] = inputs.target
  if (!first || inputs.faces.length === 0) throw new EngineError('upload.missing')
  const target = flatten(first, 255, 255, 255)
  const usable = ({ box }: Face) => box.width >= minFaceWidth
  const targets = (await findRotatedFaces(target, host)).filter(usable)
  const sources: FoundFaces['sources'] = []
  for (const [position, given] of inputs.faces.entries()) {
    const picture = flatten(given, 255, 255, 255)
    const faces = (await findRotatedFaces(picture, host)).filter(usable)
    sources.push(...faces.map((face) => ({ picture, face, position })))
  }
  return { target, targets, sources }
}

/** By default the largest source face and the largest target face. */
function pairsOf(pairs: readonly FacePair[], { targets, sources }: FoundFaces): Pair[] {
  const [largest] = sources.toSorted((a, b) => b.face.box.width - a.face.box.width)
  if (pairs.length === 0) return largest && targets[0] ? [{ source: largest, target: targets[0] }] : []
  return pairs.flatMap(({ source, target }) => {
    const [from, to] = [sources[source], targets[target]]
    return from && to ? [{ source: from, target: to }] : []
  })
}

function checked({ box, points }: Face, input: string, position: number): CheckedFace {
  return { input, position, box, points: points.flatMap(([x, y]) => [Math.round(x), Math.round(y)]) }
}

async function anyCovered(pairs: readonly Pair[], picture: Picture, host: EngineHost): Promise<boolean> {
  const faces = pairs.flatMap(({ source, target }) => [source, { picture, face: target }])
  for (const it of faces) if (await isCoveredByHand(it.picture, it.face, host)) return true
  return false
}

function warningsOf(pairs: readonly Pair[], picture: Picture): WarningCode[] {
  const faces = pairs.flatMap(({ source, target }) => [source.face, target])
  // Glasses of the source come along or, where the target wears some, hide its eyes. The target's
  // glasses stay.
  const warnings = new Set<WarningCode>(pairs.flatMap(({ source }) => faceWarnings(source.picture, source.face)))
  for (const { target } of pairs) {
    for (const code of faceWarnings(picture, target)) if (code !== 'glasses') warnings.add(code)
  }
  if (faces.some(({ pose }) => Math.abs(pose.yaw) > yawLimits.warned)) warnings.add('face_turned')
  if (faces.some(({ box }) => box.width < minSharpWidth)) warnings.add('low_resolution')
  return [...warnings]
}

const copyOf = (picture: Picture): Picture => ({ ...picture, data: picture.data.slice() })
