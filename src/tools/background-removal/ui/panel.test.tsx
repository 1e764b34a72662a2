import { expect, test } from 'vitest'
import { type BackgroundRemovalParams, backgroundRemoval } from '../contract/definition.ts'
import { paramsForShape } from './panel.tsx'

function shadowAfter(shadow: boolean, ...shapes: BackgroundRemovalParams['shape'][]) {
  const params = { ...backgroundRemoval.defaults, shadow }
  for (const shape of shapes) Object.assign(params, paramsForShape(params, shape))
  return params.shadow
}

test('a shape keeps the shadow that the user chose', () => {
  for (const shape of ['1:1', '4:5', 'instagram', 'own'] as const)
    expect([shape, shadowAfter(true, shape)]).toEqual([shape, true])
  expect(shadowAfter(false, '1:1')).toBe(false)
})

test('a shop brings its shadow along and takes it away again', () => {
  expect([shadowAfter(false, 'shopee'), shadowAfter(false, 'shopee', '1:1')]).toEqual([true, false])
})
