import salienceUrl from 'salience-weights?url'
import modelUrl from '@mediapipe/selfie_segmentation/selfie_segmentation.tflite?url'
import { setWasmPaths } from '@tensorflow/tfjs-backend-wasm'
import simdUrl from '@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm-simd.wasm?url'
import { ready, setBackend } from '@tensorflow/tfjs-core'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { openPersonModel, type PersonModel } from '#engine/models/network.ts'
import { openSalienceModel, type SalienceModel } from '#engine/models/salience-network.ts'
import { modelSide } from '#engine/tasks/subject-matte/person-views.ts'
import type { EngineHost } from '../host.ts'
import { resizePicture } from './pixels.ts'
import { figureDetectors, NotOnDevice } from './single-figure.ts'

/**
 * The engine's host in a web worker, without detectors of faces and objects; see
 * {@link figureDetectors}. All that needs another large model fails with {@link NotOnDevice}.
 * Without `mayLoad` the salience network has to be cached.
 */
export function createBrowserHost(signal: AbortSignal, mayLoad: boolean): EngineHost {
  const unavailable = (what: string) => async () => {
    throw new NotOnDevice(what)
  }
  const resize = cacheInputs()
  const host: EngineHost = {
    signal,
    progress() {},
    resize: async (picture, width, height, part) => resize(part ? cropPicture(picture, part) : picture, width, height),
    cacheForResizing: (picture) => picture,
    redraws: true,
    personMask: cacheByPixels(personMask, (picture) => resize(picture, modelSide, modelSide)),
    faces: unavailable('face detection'),
    faceMesh: unavailable('face meshes'),
    describeFace: unavailable('face embeddings'),
    hands: unavailable('hand detection'),
    objects: unavailable('object detection'),
    salience: cacheByPixels(async (square) => (await loadSalience(mayLoad)).find(square)),
    surroundings: unavailable('the light of a location'),
    convertVideo: unavailable('video conversion'),
    videoFrames: unavailable('reading video frames'),
  }
  return Object.assign(host, figureDetectors(host))
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

function cacheByPixels<Found>(
  find: (picture: Picture) => Promise<Found>,
  prepare: (picture: Picture) => Picture = (picture) => picture,
): (picture: Picture) => Promise<Found> {
  const known: { prepared: Picture; found: Promise<Found> }[] = []
  return (picture) => {
    const prepared = prepare(picture)
    const asked = known.find(({ prepared: { data } }) => data.every((value, i) => value === prepared.data[i]))
    if (asked) return asked.found
    const found = find(prepared)
    known.push({ prepared, found })
    return found
  }
}

/** A failure is forgotten, so that the next call tries again. */
function once<Loaded, Given extends unknown[]>(load: (...given: Given) => Promise<Loaded>) {
  let loaded: Promise<Loaded> | undefined
  return (...given: Given): Promise<Loaded> => {
    loaded ??= load(...given).catch((error) => {
      loaded = undefined
      throw error
    })
    return loaded
  }
}

const startRuntime = once(async () => {
  // Every name maps to the SIMD file: threads are off, and browsers without SIMD are not supported.
  setWasmPaths({
    'tfjs-backend-wasm.wasm': simdUrl,
    'tfjs-backend-wasm-simd.wasm': simdUrl,
    'tfjs-backend-wasm-threaded-simd.wasm': simdUrl,
  })
  if (!(await setBackend('wasm'))) throw new Error('TensorFlow.js did not start')
  await ready()
})

const loadPersonModel = once(async (): Promise<PersonModel> => {
  const [file] = await Promise.all([readFile(modelUrl), startRuntime()])
  return openPersonModel(file)
})

/** Two megabytes, which a metered connection may save: see `mayLoad`. */
export const loadSalience = once(async (mayLoad: boolean): Promise<SalienceModel> => {
  if (!mayLoad && !(await caches.match(salienceUrl))) throw new NotOnDevice('salience detection')
  const [file] = await Promise.all([readFile(salienceUrl), startRuntime()])
  return openSalienceModel(file)
})

async function readFile(url: string): Promise<Uint8Array> {
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${url}: ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** MediaPipe selfie segmentation (general model), 256×256, over which the picture is stretched. */
export async function personMask(picture: Picture): Promise<Plane> {
  const { width, height, mask } = await loadPersonModel()
  return mask(resizePicture(picture, width, height))
}
