import { EngineError } from '#engine/error.ts'
import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { quantile } from '#engine/image/numbers.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { alphaOf, blendPicture, fitArea, fitWithin, flatten } from '#engine/image/pixels.ts'
import { resizeSmooth } from '#engine/image/plane.ts'
import { lumaOf } from '#engine/image/tones.ts'
import type { TaskInput } from '#engine/task-types.ts'
import {
  correctLight,
  enhance,
  faceDetail,
  measureNoise,
  type Noise,
  sharpeningGain,
} from '#engine/tasks/enhance/index.ts'
import {
  assessFace,
  faceMeshes,
  faceRegion,
  featurePoints,
  headFrame,
  packMeshes,
  placeMesh,
  unpackMeshes,
} from '#engine/tasks/faces/index.ts'
import { assessSubject } from '#engine/tasks/subject-matte/index.ts'
import { imageLimits } from '#shared/media.ts'
import { requireInput, requireProviderResults } from '#tools/engine/inputs.ts'
import { isUsableEnlargement } from '#tools/engine/judge-result.ts'
import { aiEdited, type ToolEngine, type ToolInput } from '#tools/engine/tool-engine.ts'
import type { EnhancementInputs, EnhancementParams, EnhancementTasks } from '../contract/definition.ts'

type Done = ToolInput<EnhancementParams, EnhancementInputs, EnhancementTasks>['done']

/** Face meshes; see `packMeshes`. */
type Kept = { faces: number[][] }

const searchSide = 1024

/** `generate` finds faces; `render` computes every result from the input. */
export const enhancementEngine: ToolEngine<EnhancementParams, EnhancementInputs, Kept, EnhancementTasks> = {
  /** The engine cannot give back what a blur has removed, but a provider may. */
  async check({ inputs, params: { invent }, done }, host) {
    const opaque = flatten(requireInput(inputs.picture), 255, 255, 255)
    const refused = !invent && (await isTooBlurred(opaque, host)) && !(await isSharpened(opaque, done, host))
    return { warnings: [], problems: refused ? [{ path: 'picture', code: 'engine.too_blurred' }] : [], facts: {} }
  },

  async prepare({ inputs, params }, host) {
    const opaque = flatten(sourceOf(inputs.picture, params.scale), 255, 255, 255)
    const { scale: factor, denoise, invent } = params
    const found = fitWithin(opaque, searchSide)
    const meshes = await faceMeshes(await host.resize(opaque, found.width, found.height), host)
    return {
      large: factor > 1 && !invent ? [{ picture: opaque, factor, denoise }] : [],
      detailed: invent ? [{ picture: opaque, factor, seed: 1 }] : [],
      faces: meshes.length > 0 ? [await faceRestorationTask(opaque, { meshes, width: found.width }, params, host)] : [],
    }
  },

  async generate({ inputs, params }, host) {
    const source = sourceOf(inputs.picture, params.scale)
    host.progress('detecting', 0)
    const { width, height } = fitWithin(source, searchSide)
    const small = await host.resize(flatten(source, 255, 255, 255), width, height)
    return { layers: {}, data: { faces: packMeshes(await faceMeshes(small, host), small) }, warnings: [] }
  },

  async render({ inputs, params, done }, generated, host) {
    const source = sourceOf(inputs.picture, params.scale)
    const meshes = unpackMeshes(generated?.data.faces ?? [], source)
    const detail = faceDetail(source, meshes, params.faces)
    const checkpoint = (fraction: number) => {
      host.signal.throwIfAborted()
      host.progress('generating', 0.9 * fraction)
    }
    const enlarged = done.large?.[0]?.picture
    const made = enlarged && isUsableEnlargement(source, enlarged) ? enlarged : undefined
    const own = () => enhance(source, { ...params, detail }, checkpoint)
    const invented = params.invent && requireProviderResults(done.detailed)[0]?.picture
    const large = invented
      ? await fitEnlargement(invented, source, params.scale, host)
      : made
        ? enhance(
            await fitEnlargement(made, source, params.scale, host),
            { ...params, scale: 1, denoise: 0, detail },
            checkpoint,
          )
        : own()
    // The provider must not change faces.
    if (invented && meshes.length > 0)
      await blendFaces(large, own(), { meshes, scale: params.scale, strength: 1 }, host)
    const restored = done.faces?.[0]?.picture
    if (restored) await blendFaces(large, restored, { meshes, scale: params.scale, strength: params.faces }, host)
    const ai = invented ? aiEdited : (made || restored) && ({ source: 'algorithmicallyEnhanced' } as const)
    const metadata = { ...ai, ...(params.metadata && ({ shot: true } as const)) }
    const encoding = { format: params.format, ...((ai || params.metadata) && { metadata }) }
    return {
      outputs: [{ picture: correctLight(large, params), encoding }],
      rejected: enlarged && !made ? ['large'] : [],
    }
  },
}

/**
 * Gain of faces (`sharpeningGain`), sharpness of small ones (`FaceQuality`), detail (`Exposure`)
 * and edges of other pictures, below which sharpening changes nothing; the latter in pictures at
 * most as large as `searchSide`. Strongly blurred faces gain up to 1.11, slightly soft ones 1.27.
 */
const blurLimits = { gain: 1.12, smallFace: 0.09, detail: 8, edge: 0.25 } as const
/** Distance from eyes to chin in pixels, below which enlarging itself blurs a face. */
const smallFace = 50
/** Noise above which cleaning improves even a blurred picture. */
const visibleNoise = 0.015

async function isTooBlurred(opaque: Picture, host: EngineHost): Promise<boolean> {
  const { width, height } = fitWithin(opaque, searchSide)
  const small = await host.resize(opaque, width, height)
  const noise = measureNoise(small)
  if (noise.sigma > visibleNoise || noise.dots > 0) return false
  const meshes = await faceMeshes(small, host)
  if (meshes.length > 0) return meshes.every((mesh) => isFaceBlurred(small, mesh, noise))
  // A few sharp edges, as in drawings, gain from sharpening too.
  const { detail } = assessSubject(small, createPlane(width, height, 1))
  return detail < blurLimits.detail && sharpestEdge(small) < blurLimits.edge
}

const isFaceBlurred = (picture: Picture, mesh: MeshPoints, noise: Noise): boolean =>
  headFrame(mesh).eyesToChin < smallFace
    ? assessFace(picture, mesh).sharpness < blurLimits.smallFace
    : sharpeningGain(picture, mesh, noise) < blurLimits.gain

/** True if a provider's result is the same picture, only sharp. */
async function isSharpened(opaque: Picture, done: Done, host: EngineHost): Promise<boolean> {
  for (const { picture } of [done.large?.[0], done.faces?.[0]].filter((one) => one !== undefined)) {
    if (isUsableEnlargement(opaque, picture) && !(await isTooBlurred(picture, host))) return true
  }
  return false
}

/** Sharp pixels that are not chance. */
const edgePixels = 20

/** Step between neighbours by the picture's contrast, 0 to 1; 1 if there is no contrast. */
function sharpestEdge(picture: Picture): number {
  const { width, data } = lumaOf(picture)
  const steps = data.map((level, i) => (i % width === 0 ? 0 : Math.abs(level - (data[i - 1] as number)))).sort()
  const levels = data.toSorted()
  const contrast = quantile(levels, 0.99) - quantile(levels, 0.01)
  return contrast < leastContrast ? 1 : (steps.at(-edgePixels) ?? 0) / contrast
}
const leastContrast = 16

function sourceOf(pictures: readonly Picture[], scale: number): Picture {
  const source = requireInput(pictures)
  if (source.width * source.height * scale ** 2 > imageLimits.pixels) throw new EngineError('upload.too_many_pixels')
  return source
}

/** Pixels of the picture in which providers restore faces. */
const facesArea = 6_000_000

/** `meshes` refer to a reduced picture. */
async function faceRestorationTask(
  picture: Picture,
  { meshes, width: searched }: { meshes: readonly MeshPoints[]; width: number },
  { scale }: EnhancementParams,
  host: EngineHost,
): Promise<TaskInput['restoreFaces']> {
  const wanted = { width: picture.width * scale, height: picture.height * scale }
  const size = wanted.width * wanted.height > facesArea ? fitArea(wanted, facesArea) : wanted
  const large = await host.resize(picture, size.width, size.height)
  const factor = size.width / searched
  const faces = meshes.map((mesh) => featurePoints(placeMesh(mesh, 0, 0, factor)))
  return { picture: large, faces, strength: 1 }
}

async function fitEnlargement(made: Picture, source: Picture, scale: number, host: EngineHost): Promise<Picture> {
  const [width, height] = [source.width * scale, source.height * scale]
  const large = await host.resize(made, width, height)
  const alpha = alphaOf(source)
  if (!alpha) return large
  const shown = { width, height, data: large.data.slice() }
  const enlarged = resizeSmooth(alpha, width, height)
  for (let i = 0; i < enlarged.data.length; i++) shown.data[4 * i + 3] = 255 * (enlarged.data[i] as number)
  return shown
}

/**
 * Blends faces by `strength`, 0 to 1; `meshes` are in pixels of the source, `scale` times smaller.
 */
async function blendFaces(
  picture: Picture,
  faces: Picture,
  { meshes, scale, strength }: { meshes: readonly MeshPoints[]; scale: number; strength: number },
  host: EngineHost,
): Promise<void> {
  const { width, height } = picture
  const large = await host.resize(faces, width, height)
  const region = faceRegion(picture, meshes, scale, Math.max(width, height) / 200)
  blendPicture(picture, large, { ...region, data: region.data.map((share) => strength * share) })
}
