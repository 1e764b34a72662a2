import { availableParallelism } from 'node:os'
import { imageNet, planarColours, stretchToUnitRange } from '#engine/image/normalization.ts'
import type { Matte, Picture } from '#engine/image/picture.ts'
import { matteOf } from '#engine/image/pixels.ts'
import { readModel } from '#engine/models/registry.ts'
import { openSession } from './open-session.ts'
import { serveNetworks } from './serve-networks.ts'

/** More threads gain little. */
const maxThreads = 4

const { Tensor } = await import('onnxruntime-node')
const session = await openSession(readModel('u2netp')[0] as Uint8Array, Math.min(maxThreads, availableParallelism()))
const [input, output] = [session.inputNames[0] as string, session.outputNames[0] as string]

await serveNetworks<Picture, Matte>(async (square) => {
  const { width, height } = square
  const seen = new Tensor('float32', planarColours(square, imageNet), [1, 3, height, width])
  // The other outputs are intermediate results.
  const found = (await session.run({ [input]: seen }, [output]))[output]?.data as Float32Array
  stretchToUnitRange(found)
  return matteOf({ width, height, data: found })
})
