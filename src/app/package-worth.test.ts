import { expect, test } from 'vitest'
import { pictureWorth } from './package-worth.ts'

test('a package is worth whole pictures, and each costs what it costs to the nearest 50 rupiah', () => {
  expect(pictureWorth({ credits: 499, idr: 165_000 }, 5)).toEqual({ pictures: 99, idrEach: 1650 })
  expect(pictureWorth({ credits: 1499, idr: 412_500 }, 5)).toEqual({ pictures: 299, idrEach: 1400 })
  expect(pictureWorth({ credits: 3, idr: 1000 }, 5)).toEqual({ pictures: 1, idrEach: 1000 })
})
