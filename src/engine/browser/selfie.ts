import modelUrl from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import simdUrl from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url'
import { ready, setBackend } from '@tensorflow/tfjs-core'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { openPersonModel, type PersonModel } from '#engine/models/network.ts'
import { resizePicture } from './pixels.ts'

/** Reset by a failure, so that the next call tries again. */
let model: Promise<PersonModel> | undefined

async function load(): Promise<PersonModel> {
  // Every name maps to the SIMD file: threads are off, and browsers without SIMD are not supported.
  setWasmPaths({
    'tfjs-backend-wasm.wasm': simdUrl,
    'tfjs-backend-wasm-simd.wasm': simdUrl,
    'tfjs-backend-wasm-threaded-simd.wasm': simdUrl,
  })
  const [file] = await Promise.all([readFile(modelUrl), startRuntime()])
  return openPersonModel(file)
}

async function startRuntime(): Promise<void> {
  if (!(await setBackend('wasm'))) throw new Error('TensorFlow.js did not start')
  await ready()
}

async function readFile(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** MediaPipe selfie segmentation (general model), 256×256, over which the picture is stretched. */
export async function personMask(picture: Picture): Promise<Plane> {
  model ??= load().catch((error) => {
    model = undefined
    throw error
  })
  const { width, height, mask } = await model
  return mask(resizePicture(picture, width, height))
}
