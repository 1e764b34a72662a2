import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { lensBackground } from '#engine/tasks/subject-matte/index.ts'
import { manifest } from '#providers/onnx/manifest.ts'
import { makeClip } from '#tests/support/clips.ts'
import { photo } from '#tests/support/composites.ts'
import { engineInput } from '#tests/support/run-tool.ts'
import { testHost } from '#tests/support/test-host.ts'
import type { AnyTool } from './contract/tool.ts'
import { toolContracts } from './contracts.ts'
import { toolEngines } from './engines.ts'

const samples = {
  picture: () => decodePicture(photo('astronaut.jpg')),
  video: async () => engineInput('video', (await makeClip({ width: 96, height: 96, seconds: 0.2, sounds: 0 })).bytes),
}

const host = testHost()

/** Makes each tool request all declared tasks, at once or one after the other. */
const params: Record<string, object[]> = {
  'background-removal': [{ background: { type: 'lens' } }],
  'object-removal': [{ strokes: [{ mode: 'keep', shape: 'line', size: 30, points: [50, 50, 90, 90] }] }],
  'passport-photo': [{ outfit: 'suit' }],
  headshot: [{ style: 'office' }],
  cartoonizer: [{ background: { type: 'transparent' } }, { redraw: 'clay' }],
  colorizer: [{}, { full: true }],
  enhancement: [{}, { invent: true }],
  'video-background-removal': [{ subject: 'person' }],
}

test.each(Object.values(toolContracts as Record<string, AnyTool>).filter(({ tasks }) => Object.keys(tasks).length > 0))(
  '$id uses every task that its contract declares',
  async ({ id, tasks, inputs, defaults }) => {
    const given: Record<string, unknown[]> = {}
    for (const [name, { kind, min }] of Object.entries(inputs)) {
      const sample = min > 0 && kind !== 'plane' ? await samples[kind]() : undefined
      if (sample && id === 'colorizer' && 'data' in sample) {
        for (let i = 0; i < sample.data.length; i += 4) sample.data.fill(sample.data[i + 1]!, i, i + 3)
      }
      given[name] = sample ? [sample] : []
    }
    const asked = new Set<string>()
    for (const own of params[id] ?? [{}]) {
      const input = { params: { ...defaults, ...own }, inputs: given, done: {} }
      const works = await toolEngines[id as keyof typeof toolEngines].prepare?.(input as never, host)
      for (const [name, wanted] of Object.entries(works ?? {})) if (wanted.length > 0) asked.add(name)
    }
    expect([...asked].sort()).toEqual(Object.keys(tasks).sort())
  },
)

test('every tool for faces, and each with words of the user, requests the safety check', () => {
  const tools = Object.values(toolContracts as Record<string, AnyTool>)
  const unchecked = tools.filter(({ needsConsent, words, tasks }) => {
    return (needsConsent || words) && !Object.values(tasks).includes('safety')
  })
  expect(unchecked.map(({ id }) => id)).toEqual([])
})

test('every installable model does a task that a tool or a tap on a picture uses', () => {
  const asked = Object.values(toolContracts as Record<string, AnyTool>).flatMap(({ tasks }) => Object.values(tasks))
  const unasked = manifest.filter(({ task }) => task !== 'selectObject' && !asked.includes(task))
  expect(unasked.map(({ name }) => name)).toEqual([])
})

test('lens blur grows with the distance from the subject', async () => {
  const [width, height] = [400, 120]
  const picture: Picture = { width, height, data: new Uint8ClampedArray(4 * width * height).fill(255) }
  const depth = { width, height, data: new Float32Array(width * height) }
  const matte = { width, height, data: new Float32Array(width * height) }
  for (let i = 0; i < width * height; i++) {
    const x = i % width
    // The subject at the left, stripes at the same distance in the middle, far ones at the right.
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
