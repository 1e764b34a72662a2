import { expect, test } from 'vitest'
import { photo } from '#tests/support/composites.ts'
import { packWeights } from '../../build/salience-weights.ts'
import { decodePicture, resizePicture } from '../node/codecs.ts'
import { startHuman } from '../node/human.ts'
import { readModel } from './registry.ts'
import { openSalienceModel } from './salience-network.ts'

const weights = () => packWeights(readModel('u2netp')[0] as Uint8Array)

/** Levels at 4 × 4 points of the same photograph by ONNX Runtime with the file's own weights. */
const expected = [252, 99, 0, 0, 254, 156, 0, 127, 250, 91, 255, 60, 253, 176, 254, 0]

test('the network gives what its own runtime gives', async () => {
  await startHuman()
  const square = await resizePicture(await decodePicture(photo('group.jpg')), 320, 320)
  const { width, data } = await openSalienceModel(weights()).find(square)
  const given = expected.map((_, i) => data[(40 + 80 * Math.floor(i / 4)) * width + 40 + 80 * (i % 4)] as number)
  const off = given.map((level, i) => Math.abs(level - (expected[i] as number)))
  expect(Math.max(...off), `${given}`).toBeLessThan(3)
})

test('weights of another network are rejected', async () => {
  await startHuman()
  expect(() => openSalienceModel(weights().subarray(4))).toThrow('another network')
  expect(() => openSalienceModel(Buffer.concat([weights(), new Uint8Array(8)]))).toThrow('another network')
})
