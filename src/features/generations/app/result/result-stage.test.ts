import { expect, test } from 'vitest'
import type { GenerationView } from '../../schemas.ts'
import { resultPlacement } from './result-stage.ts'

function made(...inputs: string[]): GenerationView {
  const square = { width: 100, height: 100 }
  return { facts: {}, inputs: inputs.map((input) => ({ ...square, input })), outputs: [square] } as never
}

test('a result of the same shape covers its photograph, and a page of several covers none', () => {
  expect(resultPlacement(made('picture'), 0)).toMatchObject({ scale: 1, x: 0, y: 0 })
  expect(resultPlacement(made('target', 'face'), 0)).toMatchObject({ scale: 1 })
  expect(resultPlacement(made('pictures', 'pictures', 'pictures', 'pictures'), 0)).toBeNull()
})
