import { createRequire } from 'node:module'
import { basename, join } from 'node:path'
import type * as TensorFlow from '@tensorflow/tfjs-core'
import type { Config, GraphModel, Human as HumanClass, Result, Tensor } from '@vladmandic/human'
import type { Picture } from '#engine/image/picture.ts'
import { packRgb } from '#engine/image/pixels.ts'
import { type ModelName, models, packageFolder, readModel } from '#engine/models/registry.ts'

const require = createRequire(import.meta.url)

interface LoadRouters {
  registerLoadRouter(router: (url: string | string[]) => { load(): Promise<unknown> } | null): void
}

const off = { enabled: false }
export const allFeaturesOff: Partial<Config> = {
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

/** Models are loaded on first use. */
export interface Detector {
  detect(picture: Picture, config: Partial<Config>): Promise<Result>
  /**
   * Runs one model on a square picture: red, green and blue a pixel, in the model's input range.
   */
  run(model: FaceModel, colours: Float32Array, side: number): Promise<ModelOutput[]>
}

type FaceModel = Extract<ModelName, 'blazeface' | 'facemesh' | 'faceres'>

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

/** Human requests models by URL. */
function modelAt(url: string) {
  const name = basename(url, '.json')
  if (!isModel(name)) throw new Error(`unknown model ${name}`)
  const [description, weights] = readModel(name) as [Uint8Array, Uint8Array]
  const model = JSON.parse(new TextDecoder().decode(description))
  return {
    format: model.format,
    signature: model.signature,
    userDefinedMetadata: model.userDefinedMetadata,
    modelTopology: model.modelTopology,
    weightSpecs: model.weightsManifest.flatMap((group: { weights: unknown[] }) => group.weights),
    weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.byteLength),
  }
}

const isModel = (name: string): name is ModelName => Object.hasOwn(models, name)

let started: Promise<HumanClass> | undefined

/** TensorFlow.js on WebAssembly is also used by other networks. */
export function startHuman(): Promise<HumanClass> {
  started ??= start()
  return started
}

const humanFolder = packageFolder('@vladmandic/human')
const modelFolder = `file://${join(humanFolder, 'models')}/`

async function start(): Promise<HumanClass> {
  const wasmPath = `${join(packageFolder('@tensorflow/tfjs-backend-wasm'), 'wasm-out')}/`
  const { Human } = require(join(humanFolder, 'dist', 'human.node-wasm.js')) as { Human: typeof HumanClass }
  const human = new Human({ ...allFeaturesOff, wasmPath, modelBasePath: modelFolder })
  await human.init()
  return human
}

async function load(): Promise<Detector> {
  const human = await startHuman()
  const { tf } = human
  ;(tf as unknown as { io: LoadRouters }).io.registerLoadRouter((url) =>
    typeof url === 'string' && url.startsWith('file://') ? { load: async () => modelAt(url) } : null,
  )
  const networks: Partial<Record<FaceModel, Promise<(input: Tensor) => Tensor[]>>> = {}
  const networkOf = async (name: FaceModel) => {
    const model = (await tf.loadGraphModel(`${modelFolder}${name}.json`)) as GraphModel
    return name === 'faceres'
      ? foldFaceRes(tf, model.weights)
      : (input: Tensor) => [model.execute(input)].flat() as Tensor[]
  }
  return {
    async detect(picture, config) {
      const rgb = new Uint8Array(picture.width * picture.height * 3)
      packRgb(picture.data, rgb)
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

/** Strides of the depthwise convolutions of MobileNet (Howard et al. 2017), FaceRes's base. */
const strides = [1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1]

type Weights = Readonly<Record<string, readonly TensorFlow.Tensor[]>>

/**
 * Rebuilds FaceRes: 1024 features, and probabilities of the age in years. Fusing normalisation and
 * clipping of the 150 stored operations into convolutions gives the same numbers in half the time.
 */
function foldFaceRes(tf: typeof TensorFlow, weights: Weights): (picture: TensorFlow.Tensor) => TensorFlow.Tensor[] {
  const weight = <Rank extends TensorFlow.Tensor>(name: string): Rank => {
    const [found] = weights[name] ?? []
    if (!found) throw new Error(`the FaceRes model has no ${name}`)
    return found as Rank
  }
  const filters = strides.map((_, i) => {
    const kernel = weight(`conv_dw_${i + 1}/depthwise_kernel`)
    const factors = weight(`conv_dw_${i + 1}_bn/batchnorm_1/mul`)
    return tf.tidy(() => tf.mul<TensorFlow.Tensor4D>(kernel, tf.reshape(factors, [-1, 1])))
  })
  const convolve = (x: TensorFlow.Tensor4D, name: string, step: number) =>
    tf.fused.conv2d({
      x,
      filter: weight<TensorFlow.Tensor4D>(`${name}/convolution/merged_input`),
      strides: step,
      pad: 'same',
      bias: weight(`${name}_bn/batchnorm_1/sub`),
      activation: 'relu6',
    })
  const convolveChannels = (x: TensorFlow.Tensor4D, i: number) =>
    tf.fused.depthwiseConv2d({
      x,
      filter: filters[i] as TensorFlow.Tensor4D,
      strides: strides[i] as number,
      pad: 'same',
      bias: weight(`conv_dw_${i + 1}_bn/batchnorm_1/sub`),
      activation: 'relu6',
    })
  const dense = (x: TensorFlow.Tensor, name: string) =>
    tf.add(tf.matMul(x, weight(`${name}/kernel`)), weight(`${name}/bias`))
  return (picture) =>
    tf.tidy(() => {
      let x = convolve(picture as TensorFlow.Tensor4D, 'conv1', 2)
      for (const i of strides.keys()) x = convolve(convolveChannels(x, i), `conv_pw_${i + 1}`, 1)
      const features = tf.mean(x, [1, 2])
      return [features, tf.softmax(dense(tf.relu(dense(features, 'feats')), 'age_pred'))]
    })
}
