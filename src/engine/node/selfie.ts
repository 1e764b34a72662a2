import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compileFunction } from 'node:vm'
import type { CompiledModel, Tensor } from '@litertjs/core'
import type { Picture, Plane } from '../picture.ts'
import { resizePicture } from './codecs.ts'

const side = 256
const require = createRequire(import.meta.url)

interface Segmenter {
  model: CompiledModel
  tensor: typeof Tensor
  input: Float32Array
}

let segmenter: Promise<Segmenter> | undefined

/**
 * LiteRT.js expects a browser worker: it calls `importScripts` for a loader that leaves `ModuleFactory` on `self`,
 * and asks `self.Module` where the wasm lies. These globals exist while it loads and then go again, because other
 * libraries take a thread with `importScripts` for a browser.
 */
async function load(): Promise<Segmenter> {
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
    await loadLiteRt(wasm)
    const bytes = readFileSync(require.resolve('@mediapipe/selfie_segmentation/selfie_segmentation.tflite'))
    const model = await loadAndCompile(new Uint8Array(bytes), { accelerator: 'wasm' })
    return { model, tensor: Tensor, input: new Float32Array(side * side * 3) }
  } finally {
    console.error = error
    console.warn = warn
    delete scope.importScripts
    delete scope.Module
    delete scope.self
  }
}

/** MediaPipe selfie segmentation (general model): person probability, 256×256, stretched over the whole picture. */
export async function personMask(picture: Picture): Promise<Plane> {
  segmenter ??= load()
  const { model, tensor, input } = await segmenter
  const small = await resizePicture(picture, side, side)
  for (let i = 0, j = 0; i < small.data.length; i += 4) {
    input[j++] = (small.data[i] as number) / 255
    input[j++] = (small.data[i + 1] as number) / 255
    input[j++] = (small.data[i + 2] as number) / 255
  }
  const source = new tensor(input, [1, side, side, 3])
  const [result] = await model.run(source)
  source.delete()
  if (!result) throw new Error('the segmentation model gave no output')
  const data = Float32Array.from(result.toTypedArray() as Float32Array)
  result.delete()
  return { width: side, height: side, data }
}
