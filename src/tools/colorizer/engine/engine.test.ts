import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { labOf } from '#engine/tasks/colorize/index.ts'
import { meanDifference } from '#tests/support/ciede2000.ts'
import { type Hint, hintsFor } from '#tests/support/colour-hints.ts'
import { photo } from '#tests/support/composites.ts'
import { checkWithTool, runOnce, type ToolTask, toolPool } from '#tests/support/run-tool.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'

const soak = Boolean(process.env.SOAK)
const small = (name: string, side = 240) => sharp(photo(name)).resize(side, side, { fit: 'inside' }).png().toBuffer()
const grey = (bytes: Uint8Array) => sharp(bytes).greyscale().png().toBuffer()
const colorize = (picture: Uint8Array, params: object = {}, kept?: EngineOutcome['kept']) =>
  runOnce('colorizer', { params: { format: 'png', ...params }, inputs: { picture: [picture] }, kept })

/** As a share of the grey picture's distance from the true colours. */
async function ratio(truth: Uint8Array, result: Uint8Array): Promise<number> {
  const [wanted, plain, found] = await Promise.all(
    [truth, await grey(truth), result].map((bytes) => decodePicture(bytes)),
  )
  return meanDifference(wanted!, found!) / meanDifference(wanted!, plain!)
}

describe('a coloured photograph', () => {
  test.each([
    ['astronaut.jpg', { left: 88, top: 40, width: 34, height: 44 }],
    ...(process.env.SOAK ? ([['grace_hopper.jpg', { left: 82, top: 78, width: 44, height: 62 }]] as const) : []),
  ] as const)(
    'the portrait %s is nearer to its true colours by itself, and its face much nearer',
    async (name, face) => {
      const truth = await small(name)
      const { outputs } = await colorize(await grey(truth))
      expect(outputs).toHaveLength(3)
      expect(await ratio(truth, outputs[0]!.bytes)).toBeLessThan(0.97)
      const [wanted, found] = await Promise.all(
        [truth, outputs[0]!.bytes].map((bytes) => sharp(bytes).extract(face).png().toBuffer()),
      )
      expect(await ratio(wanted!, found!)).toBeLessThanOrEqual(0.7)
    },
  )

  test.each(soak ? ['chelsea.jpg', 'coffee.jpg', 'seeding.jpg', 'brick.jpg'] : ['coffee.jpg'])(
    'a photograph whose colours cannot be known, such as %s, is refused until a hint is given',
    async (name) => {
      const picture = await grey(await small(name))
      await expect(colorize(picture)).rejects.toMatchObject({ code: 'engine.colours_unknown' })
      const hints = [{ color: '#c03030', size: 20, points: [120, 60] }]
      expect((await colorize(picture, { hints })).outputs).toHaveLength(3)
    },
  )

  test('five hints where the colours were wrong bring a portrait close to the truth', { tags: 'soak' }, async () => {
    const truth = await small('grace_hopper.jpg', 160)
    const picture = await grey(truth)
    const { kept } = await colorize(picture)
    const withHints = async (hints: Hint[]) => (await colorize(picture, { hints }, kept)).outputs[0]!.bytes
    const hints = await hintsFor(await decodePicture(truth), 5, async (some) => decodePicture(await withHints(some)))
    expect(await ratio(truth, await withHints(hints))).toBeLessThanOrEqual(0.5)
  })

  test('three variants differ, and lightness stays as it was', async () => {
    const picture = await grey(await small('astronaut.jpg'))
    const { outputs } = await colorize(picture)
    const decoded = await Promise.all(outputs.map(({ bytes }) => decodePicture(bytes)))
    expect(meanDifference(decoded[0]!, decoded[1]!)).toBeGreaterThan(1.5)
    expect(meanDifference(decoded[0]!, decoded[2]!)).toBeGreaterThan(1.5)
    const [before, after] = await Promise.all([picture, outputs[0]!.bytes].map((bytes) => decodePicture(bytes)))
    const luma = (data: Uint8ClampedArray, i: number) =>
      0.2126 * data[i]! + 0.7152 * data[i + 1]! + 0.0722 * data[i + 2]!
    let off = 0
    for (let i = 0; i < before!.data.length; i += 4) off += Math.abs(luma(before!.data, i) - luma(after!.data, i))
    expect(off / (before!.data.length / 4)).toBeLessThan(4)
  })

  test('without saturation nothing is coloured, and a hint colours what it touches', async () => {
    const picture = await grey(await small('coffee.jpg'))
    const hint = { color: '#c0281c', size: 5, points: [48, 84, 60, 96] }
    const plain = await colorize(picture, { saturation: 0, hints: [hint] })
    const { channels } = await sharp(plain.outputs[0]!.bytes).stats()
    expect(Math.abs(channels[0]!.mean - channels[2]!.mean)).toBeLessThan(1)
    const red = await colorize(picture, { hints: [hint] }, plain.kept)
    const { data, info } = await sharp(red.outputs[0]!.bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    const at = 3 * (90 * info.width + 54)
    expect(data[at]! - data[at + 2]!).toBeGreaterThan(25)
  })

  test('a hint on clothes colours them and leaves the face as it was', async () => {
    const picture = await grey(await small('astronaut.jpg'))
    const { outputs, kept } = await colorize(picture)
    const hint = { color: '#2050c0', size: 7, points: [94, 155, 112, 169] }
    const blue = await colorize(picture, { hints: [hint] }, kept)
    const [before, after] = await Promise.all([outputs, blue.outputs].map((made) => decodePicture(made[0]!.bytes)))
    const change = (x: number, y: number) => {
      const i = 4 * (y * before!.width + x) + 2
      return after!.data[i]! - before!.data[i]!
    }
    expect(change(101, 164)).toBeGreaterThan(40)
    expect(Math.abs(change(105, 66))).toBeLessThan(10)
    expect(Math.abs(change(96, 70))).toBeLessThan(10)
  })

  test('a tapped object has its colour everywhere', async () => {
    const picture = await grey(await small('coffee.jpg'))
    const outline = { color: '#2050c0', size: 1, points: [20, 20, 120, 20, 120, 110, 20, 110] }
    const coloured = async (shape: 'line' | 'area') => {
      const { outputs } = await colorize(picture, { hints: [{ ...outline, shape }] })
      const { data, width } = await decodePicture(outputs[0]!.bytes)
      const blues = Array.from({ length: 90 * 80 }, (_, i) => 4 * ((25 + Math.floor(i / 90)) * width + 25 + (i % 90)))
      return blues.filter((at) => labOf(data[at]!, data[at + 1]!, data[at + 2]!)[2] < -5).length / blues.length
    }
    const [line, area] = [await coloured('line'), await coloured('area')]
    expect(area).toBeGreaterThan(0.9)
    expect(area).toBeGreaterThan(line)
  })

  test('a vivid dot on the background does not flood the picture', async () => {
    const picture = await grey(await small('astronaut.jpg'))
    const { outputs, kept } = await colorize(picture)
    const dot = { color: '#d02030', size: 5, points: [165, 105] }
    const dotted = await colorize(picture, { hints: [dot] }, kept)
    const [before, after] = await Promise.all([outputs, dotted.outputs].map((made) => decodePicture(made[0]!.bytes)))
    const redness = ({ data }: Picture, i: number) => labOf(data[4 * i]!, data[4 * i + 1]!, data[4 * i + 2]!)[1]
    let [sum, count] = [0, 0]
    for (let i = 0; i < 240 * 240; i++) {
      if (Math.hypot((i % 240) - 165, Math.floor(i / 240) - 105) < 60) continue
      sum += Math.abs(redness(after!, i) - redness(before!, i))
      count++
    }
    expect(sum / count).toBeLessThan(3)
    const at = 105 * 240 + 165
    expect(redness(after!, at)).toBeGreaterThan(redness(before!, at) + 8)
  })

  test('toning is removed and faded contrast restored before colours are found', async () => {
    const faded = await sharp(await small('grace_hopper.jpg'))
      .greyscale()
      .linear(0.45, 90)
      .tint('#b08d57')
      .png()
      .toBuffer()
    const { outputs } = await colorize(faded)
    const { channels } = await sharp(outputs[0]!.bytes).greyscale().stats()
    const before = (await sharp(faded).greyscale().stats()).channels[0]!
    expect(channels[0]!.stdev).toBeGreaterThan(1.5 * before.stdev)
  })

  test('a photograph without a face, which would stay grey, is refused before the charge unless hints give colours', async () => {
    const picture = await grey(await small('chelsea.jpg'))
    const hints = [{ color: '#c0281c', size: 5, points: [48, 84] }]
    const problems = async (given: Pick<ToolTask, 'params' | 'done'>) =>
      (await checkWithTool(toolPool, 'colorizer', { ...given, inputs: { picture: [picture] } })).problems
    expect(await problems({})).toEqual([{ path: 'hints', code: 'engine.colours_unknown' }])
    expect(await problems({ params: { hints } })).toEqual([])
    const byProvider = (bytes: Uint8Array) => [{ label: 'coloured/0/picture', contentType: 'image/png', bytes }]
    expect(await problems({ done: byProvider(await small('chelsea.jpg')) })).toEqual([])
    expect(await problems({ done: byProvider(picture) })).toHaveLength(1)
  })

  test('so is one with a small face; beside a large one it warns that other parts stay grey', async () => {
    const codes = async (picture: Uint8Array) => {
      const { problems, warnings } = await checkWithTool(toolPool, 'colorizer', {
        inputs: { picture: [await grey(picture)] },
      })
      return [...problems.map(({ code }) => code), ...warnings]
    }
    const face = await small('grace_hopper.jpg')
    const { width, height } = await sharp(face).metadata()
    const beside = { background: '#777', left: width, right: width, top: height }
    expect(await codes(await sharp(face).extend(beside).png().toBuffer())).toEqual(['engine.colours_unknown'])
    expect(await codes(face)).toEqual(['colours_partial'])
    const close = await sharp(face)
      .extract({
        left: Math.round(0.28 * width),
        top: Math.round(0.18 * height),
        width: Math.round(0.45 * width),
        height: Math.round(0.5 * height),
      })
      .png()
      .toBuffer()
    expect(await codes(close)).toEqual([])
  })

  test('it warns that the few colours of a photograph are removed, or names them as the reason of a refusal, and not for a toned one', async () => {
    const warned = async (picture: Uint8Array) =>
      (await checkWithTool(toolPool, 'colorizer', { inputs: { picture: [picture] } })).warnings
    const face = await grey(await small('grace_hopper.jpg'))
    const toned = await sharp(face).tint('#a08060').png().toBuffer()
    const scarf = { width: 24, height: 24, channels: 3 as const, background: '#b04a4a' }
    const partly = await sharp(toned)
      .composite([{ input: { create: scarf }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    expect(await warned(toned)).not.toContain('colours_replaced')
    expect(await warned(partly)).toContain('colours_replaced')
    const faceless = await sharp(await grey(await small('chelsea.jpg')))
      .composite([{ input: { create: scarf }, left: 0, top: 0 }])
      .png()
      .toBuffer()
    const { problems } = await checkWithTool(toolPool, 'colorizer', { inputs: { picture: [faceless] } })
    expect(problems).toEqual([{ path: 'hints', code: 'engine.colours_faint' }])
  })

  test('a photograph that is in colour already is refused, before the charge too', async () => {
    const checked = await checkWithTool(toolPool, 'colorizer', { inputs: { picture: [photo('astronaut.jpg')] } })
    expect(checked.problems).toEqual([{ path: 'picture', code: 'engine.already_coloured' }])
    await expect(colorize(photo('astronaut.jpg'))).rejects.toMatchObject({ code: 'engine.already_coloured' })
  })
})
