import { expect, test } from 'vitest'
import { toolContracts } from './contracts.ts'

const photo = { width: 900, height: 687 }
const sizeOf = (id: keyof typeof toolContracts, change: object = {}) => {
  const { resultSize, defaults } = toolContracts[id]
  const size = resultSize ? resultSize({ ...defaults, ...change } as never, photo) : photo
  return size && [size.width, size.height]
}

test('a result has the size of its photo, of its enlargement, of its page or of its platform', () => {
  expect(sizeOf('background-removal')).toEqual([900, 687])
  expect(sizeOf('background-removal', { shape: 'shopee' })).toEqual([1024, 1024])
  expect(sizeOf('background-diffusion', { shape: 'instagram' })).toEqual([1080, 1350])
  expect(sizeOf('colorizer')).toEqual([900, 687])
  expect(sizeOf('enhancement', { scale: 4 })).toEqual([3600, 2748])
  expect(sizeOf('photo-layout', { shape: '9:16', turned: true })).toEqual([2048, 1152])
})

test('the size of a result around the subject is not known before it is made', () => {
  for (const change of [{ shape: '1:1' }, { shape: '4:5' }, { crop: true }]) {
    expect([change, sizeOf('background-removal', change)]).toEqual([change, null])
  }
})
