import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import type { CompiledModel, Tensor } from '@litertjs/core'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { readModel } from '#engine/models/read-model.ts'
import { resizePicture } from './codecs.ts'

/** The models, and the size of the pictures that they look at. */
const inputs = {
  general: { model: 'selfie', width: 256, height: 256 },
  landscape: { model: 'selfie-landscape', width: 256, height: 144 },
} as const
type Shape = keyof typeof inputs

interface Segmenter {
  model: CompiledModel
  tensor: typeof Tensor
  input: Float32Array
}

const segmenters = new Map<Shape, Promise<Segmenter>>()
let library: Promise<unknown> | undefined
let loading: Promise<unknown> = Promise.resolve()

/**
 * LiteRT.js expects a browser worker: it calls `importScripts` for a loader that leaves
 * `ModuleFactory` on `self`, and asks `self.Module` where the wasm lies. These globals exist while
 * it loads and then go again, because other libraries take a thread with `importScripts` for a
 * browser.
 */
async function load(name: Shape): Promise<Segmenter> {
  const wasm = join(dirname(fileURLToPath(import.meta.resolve('@litertjs/core'))), '..', 'wasm')
  const scope = globalThis as unknown as Record<string, unknown>
  const silent = () => {}
  const { error, warn } = console
  scope.self = globalThis
  scope.Module = { locateFile: (file: string) => join(wasm, file), print: silent, printErr: silent }
  scope.importScripts = (file: string) => {
    const source = `${readFileSync(file, 'utf8')};return ModuleFactory`
    const run = compileFunction(source, ['require', '__filename', '__dirname'], { filename: file })
    scope.ModuleFactory = run(createRequire(file), file, dirname(file))
  }
  console.error = silent
  console.warn = silent
  try {
    const { loadLiteRt, loadAndCompile, Tensor } = await import('@litertjs/core')
    library ??= loadLiteRt(wasm)
    await library
    const { model: file, width, height } = inputs[name]
    const [bytes] = readModel(file)
    const model = await loadAndCompile(new Uint8Array(bytes as Uint8Array), { accelerator: 'wasm' })
    return { model, tensor: Tensor, input: new Float32Array(width * height * 3) }
  } finally {
    console.error = error
    console.warn = warn
    delete scope.importScripts
    delete scope.Module
    delete scope.self
  }
}

/** One model at a time: loading changes what every module sees. */
function segmenterFor(name: Shape): Promise<Segmenter> {
  let segmenter = segmenters.get(name)
  if (!segmenter) {
    segmenter = loading.then(() => load(name))
    loading = segmenter.catch(() => {})
    segmenters.set(name, segmenter)
  }
  return segmenter
}

/**
 * MediaPipe selfie segmentation: person probability at the model's own size, stretched over the
 * whole picture.
 */
export async function personMask(picture: Picture, name: Shape = 'general'): Promise<Plane> {
  const { model, tensor, input } = await segmenterFor(name)
  const { width, height } = inputs[name]
  const small = await resizePicture(picture, width, height)
  scaleColours(small.data, input)
  const source = new tensor(input, [1, height, width, 3])
  const [result] = await model.run(source)
  source.delete()
  if (!result) throw new Error('the segmentation model gave no output')
  const data = result.toTypedArray() as Float32Array
  result.delete()
  return { width, height, data }
}

/** What each level of a colour is from 0 to 1. */
const shares = Float32Array.from({ length: 256 }, (_, level) => level / 255)

function scaleColours(rgba: Uint8ClampedArray, colours: Float32Array): void {
  for (let i = 0, j = 0; i < rgba.length; i += 4, j += 3) {
    colours[j] = shares[rgba[i] as number] as number
    colours[j + 1] = shares[rgba[i + 1] as number] as number
    colours[j + 2] = shares[rgba[i + 2] as number] as number
  }
}
