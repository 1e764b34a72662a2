import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { decodePicture } from '#engine/node/codecs.ts'
import { platforms } from '#engine/platforms.ts'
import { layoutCounts, layoutTemplates } from '#engine/tasks/layout/index.ts'
import type { Box } from '#shared/media.ts'
import { photo } from '#tests/support/composites.ts'
import { checkWithTool, runTool, toolPool } from '#tests/support/run-tool.ts'
import { firstLogo } from '#tools/contract/logo.ts'
import { pageOf, photoLayout } from '../contract/definition.ts'
import { partInCell, renderPage } from './compose.ts'

const names = ['astronaut.jpg', 'chelsea.jpg', 'coffee.jpg', 'group.jpg', 'rocket.jpg', 'brick.jpg', 'seeding.jpg']
const photos = (count: number) => names.concat('grace_hopper.jpg').slice(0, count).map(photo)
const lay = (params: object, pictures = photos(4), background?: Uint8Array) =>
  runTool(toolPool, 'photo-layout', { params, inputs: { pictures, ...(background && { background: [background] }) } })
const pixels = async (bytes: Uint8Array) => (await decodePicture(bytes)).data

function largestDifference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let most = a.length === b.length ? 0 : 255
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs((a[i] as number) - (b[i] as number)))
  return most
}

async function checked(pictures: Uint8Array[]): Promise<Box[][]> {
  const { faces = [] } = await checkWithTool(toolPool, 'photo-layout', { inputs: { pictures } })
  return pictures.map((_, i) => faces.filter(({ position }) => position === i).map(({ box }) => box))
}

describe('a photo layout', () => {
  test('the preview of the device is the finished page, pixel by pixel, with automatic crops and with moved ones', async () => {
    const files = photos(5)
    const [pictures, faces] = await Promise.all([
      Promise.all(files.map((bytes) => decodePicture(bytes))),
      checked(files),
    ])
    for (const change of [
      { template: 'hero-left', text: 'Lebaran 2026 · Yogya' },
      { shape: '4:5', radius: 0.6, order: [4, 2, 0, 1, 3], views: [null, { zoom: 2.3, x: 0.2, y: 0.9 }], gap: 0.05 },
    ] as const) {
      const params = { ...photoLayout.defaults, ...change }
      const { outputs } = await lay({ ...change, format: 'png' }, files)
      const preview = renderPage({ pictures, faces }, params, pageOf(params))
      expect(largestDifference(preview.data, await pixels(outputs[0]!.bytes))).toBeLessThanOrEqual(1)
    }
  })

  test('every template of every number of pictures shows all of them', async () => {
    const small = (bytes: Uint8Array) => sharp(bytes).resize(160, 160, { fit: 'inside' }).png().toBuffer()
    const decoded = await Promise.all(photos(8).map(async (bytes) => decodePicture(await small(bytes))))
    const blank = decoded.map((one) => ({ ...one, data: new Uint8ClampedArray(one.data.length).fill(255) }))
    for (const count of layoutCounts) {
      for (const { id } of layoutTemplates[count]) {
        const page = (without?: number) =>
          renderPage(
            { pictures: decoded.slice(0, count).map((one, i) => (i === without ? blank[i]! : one)), faces: [] },
            { ...photoLayout.defaults, template: id.slice(2) },
            { width: 96, height: 96 },
          )
        const whole = page()
        for (let i = 0; i < count; i++) {
          expect([id, i, largestDifference(whole.data, page(i).data) > 40]).toEqual([id, i, true])
        }
      }
    }
  })

  test('the finished page shows every face uncropped', async () => {
    const files = [photo('grace_hopper.jpg'), photo('astronaut.jpg'), photo('coffee.jpg'), photo('brick.jpg')]
    for (const template of ['columns', 'hero-top']) {
      const { outputs } = await lay({ template, shape: '3:2', gap: 0 }, files)
      const page = outputs[0]!.bytes
      expect((await checked([page, page, page, page]))[0]).toHaveLength(2)
    }
  })

  test('two faces that just fit a cell are both shown, as faces are measured without hair and background', async () => {
    const head = await sharp(photo('astronaut.jpg')).extract({ left: 120, top: 20, width: 220, height: 230 }).toBuffer()
    const size = { width: 900, height: 600 }
    const pair = await sharp({ create: { ...size, channels: 3, background: '#8a8f96' } })
      .composite([88, 570].map((left) => ({ input: head, left, top: 150 })))
      .png()
      .toBuffer()
    const [faces] = await checked([pair, ...photos(3)])
    const part = partInCell(size, { width: 300, height: 300 }, photoLayout.defaults, 0, faces!)
    // The outer edges of the two faces are 575 of the cell's 600 pixels apart.
    expect([part.x < 149, part.x + part.width > 720]).toEqual([true, true])
  })

  test('paper has its true millimetres in the file and in the PDF, upright and on its side', async () => {
    const { outputs } = await lay({ shape: 'a4', pdf: true })
    expect(outputs[0]).toMatchObject({ width: 2480, height: 3508, contentType: 'image/jpeg' })
    expect((await sharp(outputs[0]!.bytes).metadata()).density).toBe(300)
    expect(outputs[1]).toMatchObject({ label: 'A4 PDF', contentType: 'application/pdf', extension: 'pdf' })
    expect(millimetres(outputs[1]!.bytes)).toEqual([210, 297])
    const turned = await lay({ shape: '4r', turned: true, pdf: true })
    expect(turned.outputs[0]).toMatchObject({ width: 1795, height: 1205 })
    expect(millimetres(turned.outputs[1]!.bytes)).toEqual([152, 102])
  })

  test('a page for a platform has its pixels and bytes, and carries the logo in its corner', async () => {
    const logo = await sharp({ create: { width: 40, height: 40, channels: 3, background: '#0000ff' } })
      .png()
      .toBuffer()
    const lowerRight = { ...firstLogo, place: 'bottom-right' }
    const params = { shape: 'instagram', format: 'png', gap: 0.1, logo: lowerRight }
    const { outputs } = await runTool(toolPool, 'photo-layout', {
      params,
      inputs: { pictures: photos(4), logo: [logo] },
    })
    expect(outputs[0]).toMatchObject({ width: 1080, height: 1350 })
    const data = await pixels(outputs[0]!.bytes)
    const at = (x: number, y: number) => [...data.slice(4 * (1080 * y + x), 4 * (1080 * y + x) + 3)]
    // 1080 pixels: 216 square, 43 from the edges.
    expect([at(1030, 1300), at(1045, 1300)]).toEqual([
      [0, 0, 255],
      [255, 255, 255],
    ])
    const sticker = (await lay({ shape: 'sticker' })).outputs[0]!
    expect(sticker).toMatchObject({ width: 512, height: 512, contentType: 'image/webp' })
    expect(sticker.bytes.length).toBeLessThanOrEqual(platforms.sticker.maxBytes)
  })

  test("the user's background picture is shown, and another arrangement is rendered from the kept layers", {
    tags: 'soak',
  }, async () => {
    const red = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#c81e1e' } })
      .png()
      .toBuffer()
    const first = await lay({ background: { type: 'image' }, gap: 0.1, format: 'png' }, photos(4), red)
    expect([...(await pixels(first.outputs[0]!.bytes)).slice(0, 3)]).toEqual([200, 30, 30])
    const change = { order: [3, 2, 1, 0] }
    const inputs = { pictures: photos(4) }
    const again = await runTool(toolPool, 'photo-layout', { params: change, inputs, kept: first.kept })
    const fresh = await lay(change)
    expect(Buffer.compare(again.outputs[0]!.bytes, fresh.outputs[0]!.bytes)).toBe(0)
  })

  test('three or nine pictures, an order with a picture twice and print without paper are refused', async () => {
    await expect(lay({}, photos(3))).rejects.toMatchObject({ code: 'upload.four_to_eight' })
    await expect(lay({}, [...photos(8), photo('brick.jpg')])).rejects.toMatchObject({ code: 'upload.four_to_eight' })
    const file = { width: 100, height: 100, seconds: 0, bytes: 1, contentType: 'image/png' }
    const facts = { inputs: { pictures: [file, file, file, file], background: [], logo: [] } }
    const problems = (change: object) => photoLayout.problems!({ ...photoLayout.defaults, ...change }, facts)
    expect(problems({})).toEqual([])
    expect(problems({ order: [0, 1, 2, 2] })).toMatchObject([{ path: 'order' }])
    expect(problems({ order: [0, 1, 2, 4] })).toMatchObject([{ path: 'order' }])
    expect(problems({ pdf: true })).toMatchObject([{ path: 'pdf' }])
    expect(problems({ background: { type: 'image' } })).toMatchObject([{ path: 'background' }])
    expect(problems({ logo: firstLogo })).toMatchObject([{ path: 'logo', code: 'upload.missing' }])
  })
})

function millimetres(pdf: Uint8Array): number[] {
  const [, width, height] = /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(Buffer.from(pdf).toString('latin1')) ?? []
  return [width, height].map((points) => Math.round(((Number(points) * 25.4) / 72) * 100) / 100)
}
