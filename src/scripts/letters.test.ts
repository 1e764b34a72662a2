import { expect, test } from 'vitest'
import letters from '../engine/image/letters.json' with { type: 'json' }
import { makeLetters } from './letters.mjs'

test('the letters written into pictures are those of the typeface', () => {
  expect(letters).toEqual(makeLetters())
})
