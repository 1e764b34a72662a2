import modelUrl from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import simdUrl from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url'
import { ready, setBackend } from '@tensorflow/tfjs-core'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { openPersonModel, type PersonModel } from '#engine/models/network.ts'
import { modelSide } from '#engine/tasks/subject-matte/person-views.ts'
import { EngineError } from '../error.ts'
import type { EngineHost } from '../host.ts'
import { resizePicture } from './pixels.ts'
import { figureAsDetection, showsSinglePerson } from './single-figure.ts'

/** The device lacks the required model, so the server has to do the work. */
class NotOnDevice extends EngineError {
  constructor(what: string) {
    super('engine.failed', { cause: `${what} is not available on the device` })
    this.name = 'NotOnDevice'
  }
}

/**
 * The engine's host in a web worker, without face detector: a single figure is found by its mask.
 * Several people, and all that needs a large model, fail with {@link NotOnDevice}.
 */
export function createBrowserHost(signal: AbortSignal, progress: EngineHost['progress'] = () => {}): EngineHost {
  const unavailable = (what: string) => async () => {
    throw new NotOnDevice(what)
  }
  const resize = cacheInputs()
  const host: EngineHost = {
    signal,
    progress,
    resize: async (picture, width, height, part) => resize(part ? cropPicture(picture, part) : picture, width, height),
    cacheForResizing: (picture) => picture,
    personMask: cacheMasks(personMask, resize),
    async faces(picture) {
      if (!(await showsSinglePerson(picture, host))) throw new NotOnDevice('separating people')
      return []
    },
    faceMesh: unavailable('face meshes'),
    describeFace: unavailable('face embeddings'),
    hands: unavailable('hand detection'),
    objects: async (picture) => figureAsDetection(picture, await host.personMask(picture)),
    salience: unavailable('salience detection'),
    surroundings: unavailable('the light of a location'),
    convertVideo: unavailable('video conversion'),
    videoFrames: unavailable('reading video frames'),
  }
  return host
}

type Resize = typeof resizePicture

function cacheInputs(): Resize {
  const views = new WeakMap<Picture, Picture>()
  return (picture, width, height) => {
    if (width !== modelSide || height !== modelSide) return resizePicture(picture, width, height)
    const view = views.get(picture) ?? resizePicture(picture, width, height)
    views.set(picture, view)
    return view
  }
}

function cacheMasks(findMask: EngineHost['personMask'], resize: Resize): EngineHost['personMask'] {
  const known: { small: Picture; mask: Promise<Plane> }[] = []
  return (picture) => {
    const small = resize(picture, modelSide, modelSide)
    const asked = known.find(({ small: { data } }) => data.every((value, i) => value === small.data[i]))
    if (asked) return asked.mask
    const mask = findMask(small)
    known.push({ small, mask })
    return mask
  }
}

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
