import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { ready, setBackend } from '@tensorflow/tfjs-core'
import '@tensorflow/tfjs-backend-wasm'
import { expect, test } from 'vitest'
import { photo } from '#tests/support/composites.ts'
import { decodePicture, resizePicture } from '../node/codecs.ts'
import { personMask } from '../node/selfie.ts'
import { openNetwork } from './network.ts'
import { readTflite } from './tflite.ts'

const model = readFileSync(
  createRequire(import.meta.url).resolve('@mediapipe/selfie_segmentation/selfie_segmentation.tflite'),
)
const bytes = model.buffer.slice(model.byteOffset, model.byteOffset + model.byteLength) as ArrayBuffer

test('the person model gives on the device what it gives on the server', async () => {
  await setBackend('wasm')
  await ready()
  const network = openNetwork(readTflite(bytes))
  for (const name of ['astronaut.jpg', 'grace_hopper.jpg', 'group.jpg', 'chelsea.jpg', 'brick.jpg']) {
    const picture = await resizePicture(await decodePicture(photo(name)), 256, 256)
    const input = new Float32Array(256 * 256 * 3)
    for (let i = 0; i < 256 * 256; i++) {
      for (let c = 0; c < 3; c++) input[3 * i + c] = picture.data[4 * i + c]! / 255
    }
    const onServer = await personMask(picture)
    const onDevice = await network.run(input)
    const differences = onDevice.map((value, i) => Math.abs(value - onServer.data[i]!))
    expect([name, Math.max(...differences) < 0.01]).toEqual([name, true])
  }
})

test('what is no model is refused', () => {
  expect(() => readTflite(new ArrayBuffer(64))).toThrow('this is no model')
})
