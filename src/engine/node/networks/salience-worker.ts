import { availableParallelism } from 'node:os'
import type { Matte, Picture } from '#engine/image/picture.ts'
import { readModel } from '#engine/models/registry.ts'
import { openSession } from './open-session.ts'
import { serveNetworks } from './serve-networks.ts'

/** U²-Net was trained on colours that were normalised so (ImageNet's mean and deviation). */
const normalization = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const
/** A network gains little from more. */
const mostThreads = 4

const { Tensor } = await import('onnxruntime-node')
const session = await openSession(readModel('u2netp')[0] as Uint8Array, Math.min(mostThreads, availableParallelism()))
const [input, output] = [session.inputNames[0] as string, session.outputNames[0] as string]

await serveNetworks<Picture, Matte>(async ({ width, height, data }) => {
  const pixels = width * height
  const values = new Float32Array(3 * pixels)
  for (let c = 0; c < 3; c++) {
    const [mean, deviation] = [normalization.mean[c] as number, normalization.deviation[c] as number]
    for (let i = 0; i < pixels; i++) values[c * pixels + i] = ((data[4 * i + c] as number) / 255 - mean) / deviation
  }
  // Its other outputs are steps on the way to the first.
  const result = await session.run({ [input]: new Tensor('float32', values, [1, 3, height, width]) }, [output])
  const found = result[output]?.data as Float32Array
  let [least, most] = [Infinity, -Infinity]
  for (const value of found) [least, most] = [Math.min(least, value), Math.max(most, value)]
  const matte = { width, height, data: new Uint8Array(pixels) }
  const gain = most > least ? 255 / (most - least) : 0
  for (let i = 0; i < pixels; i++) matte.data[i] = Math.round(gain * ((found[i] as number) - least))
  return matte
})
