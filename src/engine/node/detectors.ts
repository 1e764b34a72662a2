import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config, Human as HumanClass, Result } from '@vladmandic/human'
import type { Box } from '#contract/media.ts'
import { clipBox, growBox } from '../geometry.ts'
import type { Face, Thing } from '../host.ts'
import type { Picture } from '../picture.ts'
import { cropPicture, fitWithin, packColours } from '../pixels.ts'
import { resizePicture } from './codecs.ts'

const require = createRequire(import.meta.url)

interface LoadRouters {
  registerLoadRouter(router: (url: string | string[]) => { load(): Promise<unknown> } | null): void
}

/** Folder of an installed package whose `exports` do not let it be resolved by name. */
function packageFolder(name: string): string {
  for (const folder of require.resolve.paths(name) ?? []) {
    const path = join(folder, name)
    if (existsSync(path)) return path
  }
  throw new Error(`the package ${name} is not installed`)
}

const off = { enabled: false }
const base: Partial<Config> = {
  backend: 'wasm',
  debug: false,
  async: false,
  cacheSensitivity: 0,
  skipAllowed: false,
  filter: off,
  gesture: off,
  body: off,
  hand: off,
  segmentation: off,
  object: off,
  face: off,
}
const faceConfig: Partial<Config> = {
  ...base,
  face: {
    enabled: true,
    detector: { enabled: true, maxDetected: 20, minConfidence: 0.3, iouThreshold: 0.2, rotation: false },
    mesh: { enabled: true },
    iris: off,
    description: off,
    emotion: off,
    antispoof: off,
    liveness: off,
  },
}
const describeConfig: Partial<Config> = {
  ...base,
  face: {
    ...faceConfig.face,
    detector: { ...faceConfig.face?.detector, maxDetected: 3 },
    description: { enabled: true, minConfidence: 0, skipFrames: 0, skipTime: 0 },
  },
}
const thingConfig: Partial<Config> = {
  ...base,
  object: { enabled: true, minConfidence: 0.15, maxDetected: 12, iouThreshold: 0.4 },
}

interface Detector {
  human: HumanClass
  detect(picture: Picture, config: Partial<Config>): Promise<Result>
}

let detector: Promise<Detector> | undefined

/** Reads a model that was stored in TensorFlow.js's format from the package's own files. */
function readModel(url: string) {
  const path = url.slice('file://'.length)
  const model = JSON.parse(readFileSync(path, 'utf8'))
  const files: string[] = model.weightsManifest.flatMap((group: { paths: string[] }) => group.paths)
  const weights = Buffer.concat(files.map((file) => readFileSync(join(dirname(path), file))))
  return {
    format: model.format,
    signature: model.signature,
    userDefinedMetadata: model.userDefinedMetadata,
    modelTopology: model.modelTopology,
    weightSpecs: model.weightsManifest.flatMap((group: { weights: unknown[] }) => group.weights),
    weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
  }
}

async function load(): Promise<Detector> {
  const folder = packageFolder('@vladmandic/human')
  const wasmPath = `${join(packageFolder('@tensorflow/tfjs-backend-wasm'), 'wasm-out')}/`
  const { Human } = require(join(folder, 'dist', 'human.node-wasm.js')) as { Human: typeof HumanClass }
  const human = new Human({ ...base, wasmPath, modelBasePath: `file://${join(folder, 'models')}/` })
  await human.init()
  const { tf } = human
  ;(tf as unknown as { io: LoadRouters }).io.registerLoadRouter((url) =>
    typeof url === 'string' && url.startsWith('file://') ? { load: async () => readModel(url) } : null,
  )
  return {
    human,
    async detect(picture, config) {
      const rgb = new Uint8Array(picture.width * picture.height * 3)
      packColours(picture.data, rgb)
      const tensor = tf.tensor3d(rgb, [picture.height, picture.width, 3], 'int32')
      try {
        const result = await human.detect(tensor, config)
        if (result.error) throw new Error(`detection failed: ${result.error}`)
        return result
      } finally {
        tensor.dispose()
      }
    },
  }
}

function toBox(box: [number, number, number, number]) {
  const [x, y, width, height] = box
  return { x, y, width, height }
}

/** BlazeFace boxes that a face mesh could be fitted to, the largest first. */
export async function detectFaces(picture: Picture): Promise<Face[]> {
  detector ??= load()
  const { face } = await (await detector).detect(picture, faceConfig)
  return face
    .map(({ box, boxScore, faceScore, mesh, rotation }) => ({
      box: toBox(box),
      confidence: Math.min(1, boxScore),
      fit: faceScore,
      points: mesh.map(([x, y, depth]) => [x, y, depth ?? 0] as const),
      pose: rotation?.angle ?? { yaw: 0, pitch: 0, roll: 0 },
    }))
    .sort((a, b) => b.box.width * b.box.height - a.box.width * a.box.height)
}

/** Around a face's box, as much as the detector wants to see of the head, as a share of the box. */
const headMargin = 0.5
const describeSide = 512

/** The unit vector of FaceRes for the face in a box, or undefined when none is seen there. */
export async function embedFace(picture: Picture, box: Box): Promise<Float32Array | undefined> {
  detector ??= load()
  const around = clipBox(growBox(box, headMargin * Math.max(box.width, box.height)), picture)
  if (!around) return undefined
  const head = cropPicture(picture, around)
  const { width, height } = fitWithin(head, describeSide)
  const { face } = await (await detector).detect(await resizePicture(head, width, height), describeConfig)
  const largest = face.toSorted((a, b) => b.box[2] * b.box[3] - a.box[2] * a.box[3])[0]
  if (!largest?.embedding) return undefined
  const length = Math.hypot(...largest.embedding)
  return length > 0 ? Float32Array.from(largest.embedding, (value) => value / length) : undefined
}

/** CenterNet boxes of everyday things (the 80 classes of COCO), the surest first. */
export async function detectThings(picture: Picture): Promise<Thing[]> {
  detector ??= load()
  const { object } = await (await detector).detect(picture, thingConfig)
  return object
    .map(({ box, score, label }) => ({ box: toBox(box), confidence: score, label: String(label) }))
    .sort((a, b) => b.confidence - a.confidence)
}
