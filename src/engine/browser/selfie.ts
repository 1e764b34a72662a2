import modelUrl from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import simdUrl from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url'
import { ready, setBackend } from '@tensorflow/tfjs-core'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { modelSide } from '#engine/tasks/subject-matte/person-views.ts'
import { type Network, openNetwork } from './network.ts'
import { resizePicture } from './pixels.ts'
import { readTflite } from './tflite.ts'

/**
 * Loaded when a mask is first asked for; a failure is forgotten, so that the next question tries
 * again.
 */
let network: Promise<Network> | undefined

/**
 * TensorFlow.js's own runtime is a twentieth of the one that the server runs the same model with,
 * and people pay for every megabyte: the network is computed operator by operator from the file
 * that the server has too.
 */
async function load(): Promise<Network> {
  // Only where threads are on, or vectors are missing, would it take another file; then it has
  // none.
  setWasmPaths({
    'tfjs-backend-wasm.wasm': simdUrl,
    'tfjs-backend-wasm-simd.wasm': simdUrl,
    'tfjs-backend-wasm-threaded-simd.wasm': simdUrl,
  })
  const [model] = await Promise.all([readFile(modelUrl), startRuntime()])
  return openNetwork(readTflite(model))
}

async function startRuntime(): Promise<void> {
  if (!(await setBackend('wasm'))) throw new Error('the runtime of the models did not start')
  await ready()
}

async function readFile(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return response.arrayBuffer()
}

/**
 * MediaPipe selfie segmentation (general model): person probability, 256×256, stretched over the
 * whole picture.
 */
export async function personMask(picture: Picture): Promise<Plane> {
  network ??= load().catch((error) => {
    network = undefined
    throw error
  })
  const { run } = await network
  const small = resizePicture(picture, modelSide, modelSide)
  const input = new Float32Array(modelSide ** 2 * 3)
  for (let i = 0, j = 0; i < small.data.length; i += 4) {
    input[j++] = (small.data[i] as number) / 255
    input[j++] = (small.data[i + 1] as number) / 255
    input[j++] = (small.data[i + 2] as number) / 255
  }
  return { width: modelSide, height: modelSide, data: await run(input) }
}
