import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { createFrame } from '#engine/video/frame.ts'
import { viewRegion } from './close-ups.ts'

/**
 * Views a red frame; `see` returns the probability for a row (0 to 1), given whether it is grey.
 */
async function look(width: number, height: number, see: (y: number, colourless: boolean) => number) {
  const frame = createFrame(width, height, 'bt601')
  frame.y.fill(81)
  frame.u.fill(90)
  frame.v.fill(240)
  const views: string[] = []
  const personMask = async ({ data }: Picture, model?: string) => {
    const colourless = data[0] === data[1]
    views.push(`${model}${colourless ? ', colourless' : ''}`)
    const mask = createPlane(256, model === 'landscape' ? 144 : 256)
    for (let y = 0; y < mask.height; y++) mask.data.fill(see(y / mask.height, colourless), y * 256, (y + 1) * 256)
    return mask
  }
  const found = await viewRegion(frame, wholeOf(frame), { personMask } as unknown as EngineHost)
  const at = (y: number) => found.data[Math.floor(y * found.height) * found.width] as number
  return { views, at }
}

test('a wide region uses the landscape model', async () => {
  expect((await look(160, 90, () => 0.9)).views).toEqual(['landscape'])
})

test('a nearly square region is viewed in colour and in grey', async () => {
  const { views, at } = await look(120, 100, () => 0.9)
  expect(views).toEqual(['general', 'general, colourless'])
  expect(at(0.5)).toBeCloseTo(0.9)
})

test('a tall region is viewed in two windows that each count in their part', async () => {
  const { views, at } = await look(90, 160, (y) => (y < 0.2 ? 0.1 : 0.9))
  expect(views).toEqual(['general', 'general', 'general, colourless'])
  expect(at(0.02)).toBeLessThan(0.2)
  // The second window begins here: it says no, the first one yes.
  expect(at(0.27)).toBeGreaterThan(0.5)
  expect(at(0.98)).toBeGreaterThan(0.8)
})

test('a grey view that disagrees strongly does not count', async () => {
  const nearly = await look(100, 100, (y, colourless) => (y > (colourless ? 0.45 : 0.5) ? 0.95 : 0.1))
  expect(nearly.at(0.48)).toBeGreaterThan(0.5)
  const unlike = await look(100, 100, (y, colourless) => (y > (colourless ? 0 : 0.6) ? 0.95 : 0.1))
  expect(unlike.at(0.3)).toBeCloseTo(0.1)
})
