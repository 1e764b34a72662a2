import { afterAll, expect, test } from 'vitest'
import { photo } from '#tests/support/composites.ts'
import { packWeights } from '../../build/salience-weights.ts'
import { decodePicture, resizePicture } from '../node/codecs.ts'
import { startHuman } from '../node/human.ts'
import { createSalienceNetwork } from '../node/networks/salience.ts'
import { readModel } from './registry.ts'
import { openSalienceModel } from './salience-network.ts'

const network = createSalienceNetwork()
afterAll(() => network.close())

const weights = () => packWeights(readModel('u2netp')[0] as Uint8Array)

test('the device finds what the server finds, to half of 255 levels in the mean', async () => {
  await startHuman()
  const square = await resizePicture(await decodePicture(photo('group.jpg')), 320, 320)
  const [device, server] = [await openSalienceModel(weights()).find(square), await network.run(square)]
  const difference = device.data.reduce((sum, value, i) => sum + Math.abs(value - (server.data[i] as number)), 0)
  expect(difference / device.data.length).toBeLessThan(0.5)
})

test('weights of another network are rejected', async () => {
  await startHuman()
  expect(() => openSalienceModel(weights().subarray(4))).toThrow('another network')
  expect(() => openSalienceModel(Buffer.concat([weights(), new Uint8Array(8)]))).toThrow('another network')
})
