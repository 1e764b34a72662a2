import { expect, test } from 'vitest'
import { type BackgroundRemovalParams, backgroundRemoval } from '../contract/definition.ts'
import { paramsForShape } from './panel.tsx'

type Params = BackgroundRemovalParams

/** The look after choices of shapes, and of options between them. */
function lookAfter(...choices: (Params['shape'] | Partial<Params>)[]) {
  const params = { ...backgroundRemoval.defaults }
  for (const choice of choices)
    Object.assign(params, typeof choice === 'string' ? paramsForShape(params, choice) : choice)
  const { background, shadow, margin } = params
  return [background.type === 'color' ? background.color : background.type, shadow, margin]
}

const cream = { background: { type: 'color', color: '#fff4d6' } } as const

test.each<[string, Parameters<typeof lookAfter>, ReturnType<typeof lookAfter>]>([
  ['a shop brings white, a shadow and its margin', [cream, 'shopee'], ['#ffffff', true, 0.1]],
  ['a frame keeps the look of the shop', ['shopee', '1:1'], ['#ffffff', true, 0.1]],
  [
    'another shop keeps the changes',
    ['shopee', { ...cream, shadow: false, margin: 0.2 }, 'tokopedia'],
    ['#fff4d6', false, 0.2],
  ],
  ['a frame keeps the chosen look', [{ ...cream, shadow: true, margin: 0.3 }, '4:5'], ['#fff4d6', true, 0.3]],
  ['a frame adds no shadow', ['1:1'], ['#ffffff', false, 0.05]],
  ['a shop takes its look away again', ['shopee', 'own'], ['transparent', false, 0.05]],
  ['the own shape keeps a chosen shadow', [{ shadow: true }, 'instagram', 'own'], ['transparent', true, 0.05]],
])('%s', (_, choices, look) => {
  expect(lookAfter(...choices)).toEqual(look)
})
