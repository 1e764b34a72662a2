import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { frameToPicture, pictureToFrame } from '#engine/video/frame.ts'
import type { AnyEngine } from '#tools/engine/tool-engine.ts'
import { runTask } from '#tools/threads/run.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'
import { frameLabeller, withAiLabel } from './ai-label.ts'

const plain = (width: number, height: number, alpha = 255): Picture => {
  const data = new Uint8ClampedArray(4 * width * height)
  for (let i = 0; i < data.length; i += 4) data.set([220, 60, 140, alpha], i)
  return { width, height, data }
}

/** Box of the pixels that differ by more than `noise` in a channel. */
function changed(before: Picture, after: Picture, noise = 0) {
  let [left, top, right, bottom] = [before.width, before.height, 0, 0]
  for (let i = 0; i < before.data.length; i++) {
    if (Math.abs((before.data[i] as number) - (after.data[i] as number)) <= noise) continue
    const [x, y] = [(i >> 2) % before.width, Math.floor((i >> 2) / before.width)]
    ;[left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)]
  }
  return { left, top, right, bottom }
}

test.each([
  [640, 480],
  [37, 300],
  [9, 5],
])(
  'the label of a picture of %i × %i is opaque, in the lower right corner, and changes nothing else',
  (width, height) => {
    for (const alpha of [255, 0]) {
      const before = plain(width, height, alpha)
      const after = withAiLabel(before)
      const { left, top, right, bottom } = changed(before, after)
      expect(right).toBeGreaterThanOrEqual(left)
      expect(width - left).toBeLessThanOrEqual(120)
      expect(height - top).toBeLessThanOrEqual(40)
      for (const [x, y] of [
        [left, top],
        [right, bottom],
      ] as const)
        expect(after.data[4 * (y * width + x) + 3]).toBe(255)
      expect(before).toEqual(plain(width, height, alpha))
    }
  },
)

test('a frame carries the same label as a picture, at the same place', () => {
  const before = plain(320, 240)
  const frame = pictureToFrame(before, 'bt709')
  frameLabeller(frame)(frame)
  const [seen, expected] = [changed(before, frameToPicture(frame, 320), 12), changed(before, withAiLabel(before))]
  for (const side of ['left', 'top', 'right', 'bottom'] as const)
    expect(Math.abs(seen[side] - expected[side])).toBeLessThanOrEqual(3)
})

const [first, second] = [plain(90, 60), plain(60, 90)]
const engine: AnyEngine = {
  generate: async () => ({ layers: { first }, data: null, warnings: [] }),
  render: async ({ params }) => ({
    outputs: [
      { picture: first, encoding: { format: 'png' } },
      { pages: [{ picture: second, millimetres: { width: 20, height: 30 } }] },
    ],
    labelled: (params as { mark?: boolean }).mark === true,
  }),
}

test('a required label, or one that the user wants, is drawn last on results, also when they are rendered again', async () => {
  const run = (step: 'generate' | 'render', given: object, kept: EngineOutcome['kept'] = []) =>
    runTask({ step, tool: 'any', params: {}, inputs: {}, kept, ...given }, { any: engine }, {} as EngineHost)
  const pictureOf = async (outcome: unknown) =>
    decodePicture((outcome as EngineOutcome).outputs[0]?.bytes as Uint8Array)
  const expected = withAiLabel(first)
  const made = (await run('generate', { labelled: true })) as EngineOutcome
  expect(await pictureOf(made)).toEqual(expected)
  expect(await pictureOf(await run('render', { labelled: true }, made.kept))).toEqual(expected)
  expect(await pictureOf(await run('render', { params: { mark: true } }, made.kept))).toEqual(expected)
  const unlabelled = (await run('render', {}, made.kept)) as EngineOutcome
  expect(await pictureOf(unlabelled)).toEqual(first)
  const [, page] = made.outputs
  expect(page?.bytes).not.toEqual(unlabelled.outputs[1]?.bytes)
})
