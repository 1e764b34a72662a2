import { expect, it } from 'vitest'
import { recommendedBytes } from './contributions.tsx'

const model = { recommended: true, installed: false, progress: null, size: 3 }

it('adds up the recommended models until one is installed or on its way', () => {
  const models = [model, { ...model, size: 4 }, { ...model, recommended: false }, { ...model, size: null }]
  expect(recommendedBytes(models)).toBe(7)
  expect(recommendedBytes([...models, { ...model, recommended: false, installed: true }])).toBe(0)
  expect(recommendedBytes([...models, { ...model, progress: 0.2 }])).toBe(0)
  expect(recommendedBytes([])).toBe(0)
})
