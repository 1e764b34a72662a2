import { expect, test } from 'vitest'
import { photo } from '#tests/support/composites.ts'
import { decodePicture } from '../node/codecs.ts'
import { personMask } from '../node/detectors.ts'
import { readTflite } from './tflite.ts'

/** Percent at 4 × 4 points of the same photographs by LiteRT, the models' own runtime. */
const expected = {
  general: {
    'astronaut.jpg': '0 100 0 0 0 100 0 0 100 100 100 0 100 100 100 100',
    'grace_hopper.jpg': '0 100 100 0 0 100 100 0 13 100 100 100 100 100 100 100',
    'group.jpg': '0 0 0 0 0 0 0 28 0 0 100 39 0 47 100 32',
    'chelsea.jpg': '100 100 100 11 100 100 100 49 100 100 100 59 100 100 99 70',
    'brick.jpg': '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0',
  },
  landscape: {
    'astronaut.jpg': '0 100 0 0 21 100 0 0 100 100 100 51 100 100 100 60',
    'grace_hopper.jpg': '0 100 98 0 0 100 100 0 32 100 100 100 100 100 100 100',
    'group.jpg': '61 0 0 0 45 0 0 0 0 0 100 0 0 100 100 0',
    'chelsea.jpg': '53 100 100 0 85 93 72 0 27 71 100 0 0 100 60 0',
    'brick.jpg': '0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0',
  },
} as const

test.each(['general', 'landscape'] as const)('the %s person model gives what its own runtime gives', async (shape) => {
  for (const [name, percent] of Object.entries(expected[shape])) {
    const { width, height, data } = await personMask(await decodePicture(photo(name)), shape)
    const given = Array.from({ length: 16 }, (_, i) => {
      const y = Math.floor((height * (Math.floor(i / 4) + 0.5)) / 4)
      const x = Math.floor((width * ((i % 4) + 0.5)) / 4)
      return Math.round(100 * (data[y * width + x] as number))
    })
    expect([name, given.join(' ')]).toEqual([name, percent])
  }
})

test('a file that is not a model is rejected', () => {
  expect(() => readTflite(new Uint8Array(64))).toThrow('not a TensorFlow Lite model')
})
