import sharp from 'sharp'
import { expect, test } from 'vitest'
import type { Stroke } from '#shared/media.ts'
import { photo, portrait } from '#tests/support/composites.ts'
import { checkWithTool, runOnce, runTool, toolPool } from '#tests/support/run-tool.ts'

const pixels = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer()

/** The dandelion photograph with a magenta square of 60 pixels, its corner at 400, 200. */
async function withSquare() {
  const truth = await pixels(photo('seeding.jpg'))
  const { width = 0, height = 0 } = await sharp(photo('seeding.jpg')).metadata()
  const square = { create: { width: 60, height: 60, channels: 3, background: '#ff00ff' } } as const
  const png = await sharp(photo('seeding.jpg'))
    .composite([{ input: square, left: 400, top: 200 }])
    .png()
    .toBuffer()
  return { truth, png, width, height }
}

const square: Stroke = { mode: 'keep', shape: 'area', size: 4, points: [400, 200, 460, 200, 460, 260, 400, 260] }

test('marked areas are removed without a trace, and all other pixels stay exactly', async () => {
  const { png, width } = await withSquare()
  const { outputs } = await runOnce('object-removal', {
    params: { strokes: [square] },
    inputs: { picture: [png] },
  })
  const [before, after] = await Promise.all([pixels(png), pixels(outputs[0]!.bytes)])
  expect(after.length).toBe(before.length)
  let [changedOutside, traces] = [0, 0]
  for (let i = 0; i < before.length; i++) {
    const [x, y] = [Math.floor(i / 3) % width, Math.floor(i / 3 / width)]
    const near = x > 385 && x < 475 && y > 185 && y < 275
    if (!near && before[i] !== after[i]) changedOutside++
    if (near && i % 3 === 0 && Math.min(after[i]!, after[i + 2]!) - after[i + 1]! >= 60) traces++
  }
  expect([changedOutside, traces]).toEqual([0, 0])
})

test('a provider’s fill that does not continue its surroundings is replaced by the engine’s own', async () => {
  const { png } = await withSquare()
  const task = { params: { strokes: [square] }, inputs: { picture: [png] } }
  const { outputs: own } = await runOnce('object-removal', task)
  const bytes = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#000' } })
    .png()
    .toBuffer()
  const done = [{ label: 'filled/0/picture', contentType: 'image/png', bytes }]
  const { outputs, rejected } = await runTool(toolPool, 'object-removal', { ...task, done })
  expect(rejected).toEqual(['filled'])
  expect(await pixels(outputs[0]!.bytes)).toEqual(await pixels(own[0]!.bytes))
})

test('a mask gives the same result as strokes, at any size', async () => {
  const { png, width, height } = await withSquare()
  const white = { create: { width: 64, height: 64, channels: 3, background: '#fff' } } as const
  const large = await sharp({ create: { width, height, channels: 3, background: '#000' } })
    .composite([{ input: white, left: 398, top: 198 }])
    .png()
    .toBuffer()
  const mask = await sharp(large)
    .resize(width / 2)
    .png()
    .toBuffer()
  const { outputs } = await runOnce('object-removal', { inputs: { picture: [png], mask: [mask] } })
  const after = await pixels(outputs[0]!.bytes)
  const centre = 3 * (230 * width + 430)
  expect(Math.min(after[centre]!, after[centre + 2]!) - after[centre + 1]!).toBeLessThan(60)
})

test('another format is rendered from the kept layers, and is the same picture', async () => {
  const { png } = await withSquare()
  const first = await runOnce('object-removal', { params: { strokes: [square] }, inputs: { picture: [png] } })
  const again = await runOnce('object-removal', {
    params: { strokes: [square], format: 'jpeg' },
    inputs: { picture: [png] },
    kept: first.kept,
  })
  expect(again.outputs[0]!.contentType).toBe('image/jpeg')
  const [lossless, lossy] = await Promise.all([pixels(first.outputs[0]!.bytes), pixels(again.outputs[0]!.bytes)])
  const off = lossless.reduce((sum, value, i) => sum + Math.abs(value - lossy[i]!), 0) / lossless.length
  expect(off).toBeLessThan(6)
})

test('a request without marks is refused', async () => {
  const { png } = await withSquare()
  const erased = { ...square, mode: 'erase' }
  await expect(
    runOnce('object-removal', { params: { strokes: [square, erased] }, inputs: { picture: [png] } }),
  ).rejects.toMatchObject({ code: 'upload.missing' })
})

test('it warns before the charge when a face is cut, or a large part is removed of which people would leave a ghost', async () => {
  const marks = (points: number[]): Stroke => ({ mode: 'keep', shape: 'area', size: 4, points })
  const box = (left: number, top: number, right: number, bottom: number) =>
    marks([left, top, right, top, right, bottom, left, bottom])
  const picture = await sharp(photo('astronaut.jpg')).resize(256).png().toBuffer()
  const warned = async (...strokes: Stroke[]) => {
    const run = { params: { strokes }, inputs: { picture: [picture] } }
    return (await checkWithTool(toolPool, 'object-removal', run)).warnings
  }
  // The face is around 112, 60.
  expect(await warned(box(100, 45, 120, 65))).toEqual(['face_marked'])
  expect(await warned(box(80, 15, 150, 90))).toEqual(['face_marked', 'large_hole'])
  const done = await runOnce('object-removal', {
    params: { strokes: [box(80, 15, 150, 90)] },
    inputs: { picture: [picture] },
  })
  expect(done.warnings).toEqual(['face_marked', 'large_hole'])
  expect(await warned(box(200, 20, 235, 60))).toEqual([])
  expect(await warned(box(10, 10, 220, 255))).toEqual(['large_hole'])
  // An erased oval frees the whole face, or leaves its middle inside the hole.
  const oval = (width: number, height: number): Stroke => {
    const turns = Array.from({ length: 40 }, (_, i) => (i * Math.PI) / 20)
    const points = turns.flatMap((turn) => [113 + width * Math.cos(turn), 60 + height * Math.sin(turn)])
    return { ...marks(points.map(Math.round)), mode: 'erase' }
  }
  expect(await warned(box(60, 10, 190, 150), oval(27, 34))).toEqual(['large_hole'])
  expect(await warned(box(60, 10, 190, 250), oval(20, 27))).toEqual(['face_marked', 'large_hole'])
})

test('behind a removed person the background goes on, without parts of the person beside', async () => {
  const [width, height, side] = [560, 300, 300]
  const wall = await sharp(photo('brick.jpg'))
    .resize(width, height, { fit: 'cover' })
    .toColourspace('srgb')
    .raw()
    .toBuffer()
  const person = await portrait(side)
  const picture = Buffer.from(wall)
  const mask = Buffer.alloc(width * height)
  for (const left of [0, 190]) {
    for (let i = 0; i < side * side; i++) {
      const at = Math.floor(i / side) * width + left + (i % side)
      const alpha = person[4 * i + 3]! / 255
      for (let c = 0; c < 3; c++) picture[3 * at + c] = alpha * person[4 * i + c]! + (1 - alpha) * picture[3 * at + c]!
      if (alpha > 0.5) mask[at] = left === 0 ? 255 : 0
    }
  }
  const inputs = {
    picture: [
      await sharp(picture, { raw: { width, height, channels: 3 } })
        .png()
        .toBuffer(),
    ],
    mask: [
      await sharp(mask, { raw: { width, height, channels: 1 } })
        .toColourspace('b-w')
        .png()
        .toBuffer(),
    ],
  }
  const { outputs } = await runOnce('object-removal', { params: {}, inputs })
  const after = await pixels(outputs[0]!.bytes)
  // The wall is grey; skin and the orange suit are not.
  const coloured = mask.filter((value, i) => value > 0 && Math.abs(after[3 * i]! - after[3 * i + 2]!) > 30)
  expect(coloured.length / mask.filter((value) => value > 0).length).toBeLessThan(0.01)
})

test('a thing on the clothes is replaced by the clothes, not by what is behind the person', async () => {
  const badge = { create: { width: 14, height: 14, channels: 3, background: '#00ff00' } } as const
  const picture = await sharp(photo('astronaut.jpg'))
    .resize(256)
    .composite([{ input: badge, left: 70, top: 170 }])
    .png()
    .toBuffer()
  const strokes: Stroke[] = [{ mode: 'keep', shape: 'area', size: 4, points: [70, 170, 84, 170, 84, 184, 70, 184] }]
  const { outputs } = await runOnce('object-removal', { params: { strokes }, inputs: { picture: [picture] } })
  const after = await pixels(outputs[0]!.bytes)
  const [red, green, blue] = [0, 1, 2].map((c) => after[3 * (177 * 256 + 77) + c]!) as [number, number, number]
  expect([red - blue > 60, red > green]).toEqual([true, true])
})
