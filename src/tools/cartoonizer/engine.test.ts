import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Region } from 'sharp'
import { afterAll, describe, expect, test } from 'vitest'
import { openToolPool, runTool } from '#tests/support/run-tool.ts'
import { cartoonStyles } from './contract.ts'

const photos = join(import.meta.dirname, '..', '..', '..', 'tests', 'fixtures', 'photos')
const portrait = readFileSync(join(photos, 'astronaut.jpg'))
const pool = openToolPool()
afterAll(() => pool.close())

const draw = (params: object, kept?: Parameters<typeof runTool>[2]['kept']) =>
  runTool(pool, 'cartoonizer', { inputs: { picture: [portrait] }, params, kept })

/** Pixels of an encoded picture, small and over white. */
async function look(bytes: Uint8Array, side = 96): Promise<Buffer> {
  return sharp(bytes).flatten({ background: '#fff' }).resize(side, side, { fit: 'fill' }).removeAlpha().raw().toBuffer()
}

/** Mean and deviation of each channel of a part of a picture. */
async function partOf(bytes: Uint8Array, region: Region) {
  // Statistics are of what a pipeline reads, not of what it cuts out of it.
  const part = await sharp(bytes).extract(region).png().toBuffer()
  return (await sharp(part).stats()).channels
}

function difference(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number))
  return sum / a.length
}

describe('a cartoon', () => {
  test('every style looks unlike the photograph and unlike every other one', async () => {
    const looks: Buffer[] = [await look(portrait)]
    const { kept } = await draw({})
    for (const style of cartoonStyles) {
      const { outputs } = await draw({ style }, kept)
      expect(outputs[0]).toMatchObject({ width: 512, height: 512, contentType: 'image/jpeg' })
      looks.push(await look(outputs[0]!.bytes))
    }
    for (const [i, a] of looks.entries()) {
      for (const [j, b] of looks.entries()) {
        if (i < j) expect([i, j, difference(a, b) > 5]).toEqual([i, j, true])
      }
    }
  })

  test('leaves white paper around a watercolour, unless the person is cut out of it', async () => {
    const rim = { left: 0, top: 0, width: 3, height: 512 }
    const whole = await draw({ style: 'watercolour' })
    const paper = await partOf(whole.outputs[0]!.bytes, rim)
    expect(Math.min(...paper.map(({ mean }) => mean))).toBeGreaterThan(235)
    const alone = { style: 'watercolour', background: { type: 'color', color: '#204080' }, format: 'png' }
    const { outputs } = await draw(alone)
    // The suit goes on to the lower rim of the picture, where there is no paper then.
    const suit = await partOf(outputs[0]!.bytes, { left: 60, top: 506, width: 200, height: 6 })
    expect(suit[2]!.mean).toBeLessThan(150)
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
    const { outputs } = await draw({ background: { type: 'burst', color: '#f4b400' }, sticker: true })
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

  test('draws another style from what was kept, as a new run would', async () => {
    const first = await draw({ background: { type: 'color', color: '#ffffff' } })
    const other = { style: 'ink', background: { type: 'color', color: '#ffffff' } }
    const again = await draw(other, first.kept)
    const fresh = await draw(other)
    expect(difference(await look(again.outputs[0]!.bytes), await look(fresh.outputs[0]!.bytes))).toBeLessThan(1)
  })

  test('draws what has no face too', async () => {
    const coffee = readFileSync(join(photos, 'coffee.jpg'))
    const { outputs } = await runTool(pool, 'cartoonizer', {
      inputs: { picture: [coffee] },
      params: { style: 'pencil' },
    })
    expect(outputs[0]).toMatchObject({ width: 600, height: 400 })
  })
})
