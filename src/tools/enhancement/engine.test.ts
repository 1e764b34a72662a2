import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EnginePool } from '#engine/node/pool.ts'
import { photo } from '#tests/support/composites.ts'
import { openToolPool, runTool } from '#tests/support/run-tool.ts'
import { toolContracts } from '#tools/contracts.ts'

let pool: EnginePool
beforeAll(() => {
  pool = openToolPool()
})
afterAll(() => pool.close())

test.each([1, 2, 4] as const)('a picture becomes %i times larger', async (scale) => {
  const small = await sharp(photo('coffee.jpg')).resize(150, 100).jpeg({ quality: 60 }).toBuffer()
  const { outputs } = await runTool(pool, 'enhancement', { params: { scale }, inputs: { picture: [small] } })
  expect(outputs[0]).toMatchObject({ width: 150 * scale, height: 100 * scale, contentType: 'image/jpeg' })
})

test('transparency is kept, and with everything at zero and the same size so is every pixel', async () => {
  const source = await sharp(photo('coffee.jpg')).resize(120, 80).ensureAlpha(0.5).png().toBuffer()
  const params = { scale: 1, denoise: 0, sharpness: 0, light: 0, colour: 0, format: 'png' }
  const { outputs } = await runTool(pool, 'enhancement', { params, inputs: { picture: [source] } })
  const raw = (bytes: Uint8Array) => sharp(bytes).raw().toBuffer()
  const [before, after] = await Promise.all([raw(source), raw(outputs[0]!.bytes)])
  expect(after.length).toBe(before.length)
  for (let i = 0; i < before.length; i++) expect(Math.abs(before[i]! - after[i]!)).toBeLessThanOrEqual(1)
})

test('a result of more than 50 megapixels is refused before it is paid', () => {
  const { problems, defaults } = toolContracts.enhancement
  const facts = (width: number, height: number) => ({
    inputs: { picture: [{ width, height, seconds: 0, bytes: 1, contentType: 'image/jpeg' }] },
  })
  expect(problems?.({ ...defaults, scale: 4 }, facts(4000, 3000))).toEqual([
    { path: 'scale', code: 'upload.too_many_pixels' },
  ])
  expect(problems?.({ ...defaults, scale: 2 }, facts(4000, 3000))).toEqual([])
})
