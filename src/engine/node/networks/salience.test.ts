import { afterAll, expect, test } from 'vitest'
import { photo } from '#tests/support/composites.ts'
import { decodePicture, resizePicture } from '../codecs.ts'
import { createSalienceNetwork } from './salience.ts'

const network = createSalienceNetwork()
afterAll(() => network.close())

const square = async (name: string) => resizePicture(await decodePicture(photo(name)), 320, 320)
const cup = await network.run(await square('coffee.jpg'))

test('the network separates a cup from its table and a cat from its room', async () => {
  expect([cup.width, cup.height]).toEqual([320, 320])
  const at = (matte: typeof cup, x: number, y: number) => matte.data[y * 320 + x] as number
  expect(Math.min(at(cup, 155, 88), at(cup, 117, 176))).toBeGreaterThan(200)
  expect(Math.max(at(cup, 11, 12), at(cup, 309, 304))).toBeLessThan(20)
  const cat = await network.run(await square('chelsea.jpg'))
  expect(at(cat, 160, 160)).toBeGreaterThan(200)
  expect(at(cat, 5, 20)).toBeLessThan(60)
})

test('the result ranges from 0 to 255', () => {
  expect([Math.min(...cup.data), Math.max(...cup.data)]).toEqual([0, 255])
})
