import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
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

function difference(a: Buffer, b: Buffer): number {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += Math.abs((a[i] as number) - (b[i] as number))
  return sum / a.length
}

describe('a cartoon', () => {
  test('every style looks unlike the photograph and unlike every other one', async () => {
    const looks: Buffer[] = [await look(portrait)]
    for (const style of cartoonStyles) {
      const { outputs } = await draw({ style })
      expect(outputs[0]).toMatchObject({ width: 512, height: 512, contentType: 'image/jpeg' })
      looks.push(await look(outputs[0]!.bytes))
    }
    for (const [i, a] of looks.entries()) {
      for (const [j, b] of looks.entries()) {
        if (i < j) expect([i, j, difference(a, b) > 5]).toEqual([i, j, true])
      }
    }
  })

  test('keeps eyes and mouth of a face that it found', async () => {
    const { outputs } = await draw({ style: 'poster', strength: 1 })
    const eyes = { left: 195, top: 85, width: 70, height: 26 }
    const part = async (bytes: Uint8Array) => (await sharp(bytes).extract(eyes).greyscale().stats()).channels[0]!.stdev
    expect(await part(outputs[0]!.bytes)).toBeGreaterThan(0.5 * (await part(portrait)))
  })

  test('puts the person alone on rays, and adds a sticker that messengers take', async () => {
    const { outputs } = await draw({ background: { type: 'burst', color: '#f4b400' }, sticker: true })
    expect(outputs.map(({ label }) => label)).toEqual(['', 'sticker'])
    const corner = await sharp(outputs[0]!.bytes).extract({ left: 480, top: 4, width: 20, height: 20 }).stats()
    expect(corner.channels[0]!.mean - corner.channels[2]!.mean).toBeGreaterThan(60)
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
