import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { Config, GraphModel, Human as HumanClass, Result, Tensor } from '@vladmandic/human'
import type { Picture } from '../picture.ts'
import { packColours } from '../pixels.ts'
import { foldFaceRes } from './face-res.ts'

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
/** Everything that Human can do, switched off. */
export const nothing: Partial<Config> = {
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

/** Human's models in this thread, each loaded when it is first needed. */
export interface Detector {
  /** What Human finds in a picture. */
  detect(picture: Picture, config: Partial<Config>): Promise<Result>
  /**
   * What a single model gives for a square picture: red, green and blue a pixel, in the range that
   * the model wants.
   */
  run(model: ModelName, colours: Float32Array, side: number): Promise<ModelOutput[]>
}

type ModelName = 'blazeface' | 'facemesh' | 'faceres'

/** A tensor without its first dimension, which is 1. */
export interface ModelOutput {
  shape: number[]
  data: Float32Array
}

let detector: Promise<Detector> | undefined

export function loadDetector(): Promise<Detector> {
  detector ??= load()
  return detector
}

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
  const modelFolder = `file://${join(folder, 'models')}/`
  const human = new Human({ ...nothing, wasmPath, modelBasePath: modelFolder })
  await human.init()
  const { tf } = human
  ;(tf as unknown as { io: LoadRouters }).io.registerLoadRouter((url) =>
    typeof url === 'string' && url.startsWith('file://') ? { load: async () => readModel(url) } : null,
  )
  const networks: Partial<Record<ModelName, Promise<(input: Tensor) => Tensor[]>>> = {}
  const networkOf = async (name: ModelName) => {
    const model = (await tf.loadGraphModel(`${modelFolder}${name}.json`)) as GraphModel
    return name === 'faceres'
      ? foldFaceRes(tf, model.weights)
      : (input: Tensor) => [model.execute(input)].flat() as Tensor[]
  }
  return {
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
    async run(name, colours, side) {
      networks[name] ??= networkOf(name)
      const network = await networks[name]
      const input: Tensor = tf.tensor4d(colours, [1, side, side, 3])
      const results = network(input)
      const outputs = results.map((tensor) => ({
        shape: tensor.shape.slice(1),
        data: tensor.dataSync() as Float32Array,
      }))
      tf.dispose([input, ...results])
      return outputs
    },
  }
}
