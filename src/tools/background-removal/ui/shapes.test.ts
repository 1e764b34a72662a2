import { expect, test } from 'vitest'
import { type BackgroundRemovalParams, backgroundRemoval } from '../contract/definition.ts'
import { paramsForShape } from './shapes.ts'

type Params = BackgroundRemovalParams

/** The look after choices of shapes, and of options between them. */
function lookAfter(...choices: (Params['shape'] | Partial<Params>)[]) {
  const params = { ...backgroundRemoval.defaults }
  let last: ReturnType<typeof paramsForShape>['look'] = null
  for (const choice of choices) {
    if (typeof choice === 'string') {
      const { change, look } = paramsForShape(params, choice, last)
      last = look
      Object.assign(params, change)
    } else Object.assign(params, choice)
  }
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
  ['a frame after a shop takes that look away, too', ['shopee', '1:1', 'own'], ['transparent', false, 0.05]],
  [
    'a sticker after a frame after a shop has no look of theirs',
    ['shopee', '4:5', 'sticker'],
    ['transparent', false, 0.05],
  ],
  ['the look from before a shop returns', [{ ...cream, margin: 0.3 }, 'shopee', '1:1', 'own'], ['#fff4d6', false, 0.3]],
  ['changes to the look of a shop stay', ['shopee', cream, '1:1', 'own'], ['#fff4d6', false, 0.05]],
  ['the own shape keeps a chosen shadow', [{ shadow: true }, 'instagram', 'own'], ['transparent', true, 0.05]],
])('%s', (_, choices, look) => {
  expect(lookAfter(...choices)).toEqual(look)
})
