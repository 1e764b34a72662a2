import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Region } from 'sharp'
import { describe, expect, test } from 'vitest'
import { runOnce } from '#tests/support/run-tool.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'
import { cartoonStyles } from '../contract/definition.ts'

const photos = join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'fixtures', 'photos')
const portrait = readFileSync(join(photos, 'astronaut.jpg'))

const draw = (params: object, kept?: EngineOutcome['kept']) =>
  runOnce('cartoonizer', { inputs: { picture: [portrait] }, params, kept })

/** Renders again from the layers of one generation, so that the tests generate once. */
const drawAgain = async (params: object) =>
  draw(params, (await draw({ background: { type: 'color', color: '#ffffff' } })).kept)

async function look(bytes: Uint8Array, side = 96): Promise<Buffer> {
  return sharp(bytes).flatten({ background: '#fff' }).resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer()
}

async function partOf(bytes: Uint8Array, region: Region) {
  // sharp's statistics use the whole input of a pipeline, not its crop.
  const part = await sharp(bytes).extract(region).png().toBuffer()
  return (await sharp(part).stats()).channels
}

function difference(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number))
  return sum / a.length
}

describe('a cartoon', () => {
  test('every style differs from the photograph and from all other styles', async () => {
    // At the size of the samples on the page.
    const picture = await sharp(portrait).resize(176).png().toBuffer()
    const looks: Buffer[] = [await look(picture)]
    const drawSmall = (params: object, kept?: EngineOutcome['kept']) =>
      runOnce('cartoonizer', { inputs: { picture: [picture] }, params, kept })
    const { kept } = await drawSmall({})
    for (const style of cartoonStyles) {
      const { outputs } = await drawSmall({ style }, kept)
      expect(outputs[0]).toMatchObject({ width: 176, height: 176, contentType: 'image/jpeg' })
      looks.push(await look(outputs[0]!.bytes))
    }
    for (const [i, a] of looks.entries()) {
      for (const [j, b] of looks.entries()) {
        if (i < j) expect([i, j, difference(a, b) > 12]).toEqual([i, j, true])
      }
    }
  })

  test('leaves white paper around a watercolour, unless the person is cut out of it', { tags: 'soak' }, async () => {
    const rim = { left: 0, top: 0, width: 3, height: 512 }
    const whole = await draw({ style: 'watercolour' })
    const paper = await partOf(whole.outputs[0]!.bytes, rim)
    expect(Math.min(...paper.map(({ mean }) => mean))).toBeGreaterThan(235)
    const alone = { style: 'watercolour', background: { type: 'color', color: '#204080' }, format: 'png' }
    const { outputs } = await drawAgain(alone)
    // The suit reaches the lower edge of the picture, where no paper is visible then.
    const suit = await partOf(outputs[0]!.bytes, { left: 60, top: 506, width: 200, height: 6 })
    expect(suit[2]!.mean).toBeLessThan(150)
  })

  test('frames a comic as a panel, unless the person is cut out of it', async () => {
    const edge = { left: 0, top: 0, width: 512, height: 5 }
    const frame = { left: 100, top: 11, width: 300, height: 1 }
    const whole = (await draw({ style: 'comic', format: 'png' })).outputs[0]!.bytes
    expect((await partOf(whole, edge))[1]!.mean).toBeGreaterThan(240)
    expect((await partOf(whole, frame))[1]!.mean).toBeLessThan(40)
    const alone = { style: 'comic', background: { type: 'color', color: '#204080' }, format: 'png' }
    const { outputs } = await drawAgain(alone)
    expect((await partOf(outputs[0]!.bytes, edge))[0]!.mean).toBeLessThan(60)
  })

  test('prints a poster with few inks, pop art in other colours than the photograph, and animation without black', async () => {
    const plain = async (style: string) => (await draw({ style, lines: false, format: 'png' })).outputs[0]!.bytes
    const counts = new Map<number, number>()
    const poster = await sharp(await plain('poster'))
      .removeAlpha()
      .raw()
      .toBuffer()
    for (let i = 0; i < poster.length; i += 3) {
      const colour = poster.readUIntBE(i, 3)
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    const most = [...counts.values()].sort((a, b) => b - a).slice(0, 12)
    expect(most.reduce((sum, count) => sum + count, 0)).toBeGreaterThan((0.8 * poster.length) / 3)
    // The suit is orange, and pink in pop art.
    const suit = { left: 60, top: 300, width: 40, height: 40 }
    const blueShare = async (bytes: Uint8Array) => {
      const [red, , blue] = await partOf(bytes, suit)
      return blue!.mean / red!.mean
    }
    expect(await blueShare(await plain('pop-art'))).toBeGreaterThan(1.4 * (await blueShare(portrait)))
    const anime = await sharp(await plain('anime'))
      .greyscale()
      .resize(128)
      .raw()
      .toBuffer()
    expect(Math.min(...anime)).toBeGreaterThan(40)
  })

  test('draws larger eyes with highlights in animation style only', async () => {
    const white = async (style: string) => {
      const { outputs } = await draw({ style, format: 'png' })
      const eyes = { left: 195, top: 88, width: 70, height: 22 }
      const { data } = await sharp(outputs[0]!.bytes)
        .extract(eyes)
        .greyscale()
        .raw()
        .toBuffer({ resolveWithObject: true })
      return data.reduce((count, level) => count + (level > 235 ? 1 : 0), 0)
    }
    expect(await white('anime')).toBeGreaterThan((await white('comic')) + 4)
  })

  test('keeps eyes and mouth of a face that it found', async () => {
    const { outputs } = await draw({ style: 'poster', strength: 1 })
    const eyes = { left: 195, top: 85, width: 70, height: 26 }
    const part = async (bytes: Uint8Array) => (await partOf(bytes, eyes))[1]!.stdev
    expect(await part(outputs[0]!.bytes)).toBeGreaterThan(0.5 * (await part(portrait)))
  })

  test('puts the person alone on rays, and adds a sticker that messengers take', async () => {
    const { outputs } = await drawAgain({ background: { type: 'burst', color: '#f4b400' }, sticker: true })
    expect(outputs.map(({ label }) => label)).toEqual(['', 'sticker'])
    const corner = await partOf(outputs[0]!.bytes, { left: 480, top: 4, width: 20, height: 20 })
    expect(corner[0]!.mean - corner[2]!.mean).toBeGreaterThan(60)
    const label = outputs[1]!
    expect(label).toMatchObject({ width: 512, height: 512, contentType: 'image/webp' })
    expect(label.bytes.length).toBeLessThan(100 * 1024)
    const { data, info } = await sharp(label.bytes).raw().toBuffer({ resolveWithObject: true })
    const alphaAt = (x: number, y: number) => data[(y * info.width + x) * info.channels + 3]
    expect([alphaAt(2, 2), alphaAt(509, 2)]).toEqual([0, 0])
    expect(alphaAt(256, 300)).toBe(255)
  })

  test('renders another style from the kept layers, as a new generation would', async () => {
    const first = await draw({ background: { type: 'color', color: '#ffffff' } })
    const other = { style: 'ink', background: { type: 'color', color: '#ffffff' } }
    const again = await draw(other, first.kept)
    const fresh = await draw(other)
    expect(difference(await look(again.outputs[0]!.bytes), await look(fresh.outputs[0]!.bytes))).toBeLessThan(1)
  })

  test('also draws pictures without a face', async () => {
    const coffee = readFileSync(join(photos, 'coffee.jpg'))
    const { outputs } = await runOnce('cartoonizer', {
      inputs: { picture: [coffee] },
      params: { style: 'pencil' },
    })
    expect(outputs[0]).toMatchObject({ width: 600, height: 400 })
  })
})
