import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { lensBackground } from '#engine/tasks/subject-matte/index.ts'
import { photo } from '#tests/support/composites.ts'
import type { AnyTool } from './contract/tool.ts'
import { toolContracts } from './contracts.ts'
import { toolEngines } from './engines.ts'

const host = createNodeHost(new AbortController().signal, () => {})

/** What makes each tool ask for all that it declares, at once or one after the other. */
const params: Record<string, object[]> = {
  'background-removal': [{ background: { type: 'lens' } }],
  'object-removal': [{ strokes: [{ mode: 'keep', shape: 'line', size: 30, points: [50, 50, 90, 90] }] }],
  'passport-photo': [{ outfit: 'suit' }],
  headshot: [{ style: 'office' }],
  cartoonizer: [{ background: { type: 'transparent' } }, { redraw: 'clay' }],
  colorizer: [{}, { full: true }],
  enhancement: [{}, { invent: true }],
}

test.each(Object.values(toolContracts as Record<string, AnyTool>).filter(({ tasks }) => Object.keys(tasks).length > 0))(
  '$id asks for every task that its contract declares',
  async ({ id, tasks, inputs, defaults }) => {
    const picture = await decodePicture(photo('astronaut.jpg'))
    if (id === 'colorizer') {
      for (let i = 0; i < picture.data.length; i += 4) picture.data.fill(picture.data[i + 1]!, i, i + 3)
    }
    const given = Object.entries(inputs).map(([name, { kind, min }]) => [
      name,
      kind === 'picture' && min > 0 ? [picture] : [],
    ])
    const asked = new Set<string>()
    for (const own of params[id] ?? [{}]) {
      const input = { params: { ...defaults, ...own }, inputs: Object.fromEntries(given), done: {} }
      const works = await toolEngines[id as keyof typeof toolEngines].prepare?.(input as never, host)
      for (const [name, wanted] of Object.entries(works ?? {})) if (wanted.length > 0) asked.add(name)
    }
    expect([...asked].sort()).toEqual(Object.keys(tasks).sort())
  },
)

test('the lens is focused on the subject: the further something is, the softer', async () => {
  const [width, height] = [400, 120]
  const picture: Picture = { width, height, data: new Uint8ClampedArray(4 * width * height).fill(255) }
  const depth = { width, height, data: new Float32Array(width * height) }
  const matte = { width, height, data: new Float32Array(width * height) }
  for (let i = 0; i < width * height; i++) {
    const x = i % width
    // The subject at the left, stripes as far as it is in the middle, and far ones at the right.
    depth.data[i] = x < 250 ? 1 : 0
    matte.data[i] = x < 60 ? 1 : 0
    picture.data.fill(x % 16 < 8 ? 40 : 220, 4 * i, 4 * i + 3)
  }
  const { data } = await lensBackground(picture, matte, depth, 0.028, host)
  const contrast = (from: number) => {
    const row = Array.from({ length: 48 }, (_, x) => data[4 * (60 * width + from + x)]!)
    return Math.max(...row) - Math.min(...row)
  }
  expect(contrast(140)).toBeGreaterThan(150)
  expect(contrast(320)).toBeLessThan(60)
})
