import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { createFrame } from '#engine/video/frame.ts'
import { lookAt } from './close-ups.ts'

/**
 * Looks at a red frame with a model that says of each view what `see` says of its row, 0 to 1, and
 * its colours.
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
  const found = await lookAt(frame, wholeOf(frame), { personMask } as unknown as EngineHost)
  const at = (y: number) => found.data[Math.floor(y * found.height) * found.width] as number
  return { views, at }
}

test('a wide place is shown to the model for landscapes', async () => {
  expect((await look(160, 90, () => 0.9)).views).toEqual(['landscape'])
})

test('another place is shown with and without its colours', async () => {
  const { views, at } = await look(120, 100, () => 0.9)
  expect(views).toEqual(['general', 'general, colourless'])
  expect(at(0.5)).toBeCloseTo(0.9)
})

test('a tall place is shown in two parts, and each counts where it lies', async () => {
  const { views, at } = await look(90, 160, (y) => (y < 0.2 ? 0.1 : 0.9))
  expect(views).toEqual(['general', 'general', 'general, colourless'])
  expect(at(0.02)).toBeLessThan(0.2)
  // The second part begins here: it says no, the first one yes.
  expect(at(0.27)).toBeGreaterThan(0.5)
  expect(at(0.98)).toBeGreaterThan(0.8)
})

test('where a view without colours shows somebody quite different, it does not count', async () => {
  const nearly = await look(100, 100, (y, colourless) => (y > (colourless ? 0.45 : 0.5) ? 0.95 : 0.1))
  expect(nearly.at(0.48)).toBeGreaterThan(0.5)
  const unlike = await look(100, 100, (y, colourless) => (y > (colourless ? 0 : 0.6) ? 0.95 : 0.1))
  expect(unlike.at(0.3)).toBeCloseTo(0.1)
})
