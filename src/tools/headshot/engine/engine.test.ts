import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { decodePicture } from '#engine/node/codecs.ts'
import { cameraOf } from '#engine/tasks/background/index.ts'
import { labOf } from '#engine/tasks/colorize/index.ts'
import { findFaces, headFrame, uprightFace } from '#engine/tasks/faces/index.ts'
import { renderBackdrop } from '#engine/tasks/headshot/index.ts'
import { checkWithTool, runOnce, toolPool } from '#tests/support/run-tool.ts'
import { testHost } from '#tests/support/test-host.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'
import { backdropNames, type HeadshotParams, headshot } from '../contract/definition.ts'

const photos = join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'fixtures', 'photos')
const photo = (name: string) => readFileSync(join(photos, name))
/**
 * Regions are cut out of the large picture; the others are small, since cost grows with the pixels.
 */
const large = photo('astronaut.jpg')
const astronaut = await sharp(large).resize(352).png().toBuffer()
const admiral = await sharp(photo('grace_hopper.jpg')).resize(352).png().toBuffer()
const group = await sharp(photo('group.jpg')).resize(800).png().toBuffer()
const soak = Boolean(process.env.SOAK)

const make = (picture: Uint8Array, params: object = {}, kept?: EngineOutcome['kept']) =>
  runOnce('headshot', { inputs: { picture: [picture] }, params, kept })
const check = (picture: Uint8Array, params: object = {}) =>
  checkWithTool(toolPool, 'headshot', { inputs: { picture: [picture] }, params })

const pixels = (bytes: Uint8Array) => sharp(bytes).resize(60, 80, { fit: 'fill' }).removeAlpha().raw().toBuffer()
function difference(a: Buffer, b: Buffer): number {
  return a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length
}

/** Measured by a new detection. */
async function headIn(bytes: Uint8Array) {
  const host = testHost()
  const picture = await decodePicture(bytes)
  const [found] = await findFaces(picture, host)
  const face = await uprightFace(picture, found!, host)
  return { frame: headFrame(face.points), width: picture.width, height: picture.height }
}

describe('a headshot', () => {
  test('of a person behind another head shows the whole face', { tags: 'soak' }, async () => {
    const inFront = await sharp(photo('grace_hopper.jpg'))
      .extract({ left: 90, top: 20, width: 190, height: 250 })
      .resize(130)
      .toBuffer()
    const picture = await sharp(large)
      .composite([{ input: inFront, left: 190, top: 165 }])
      .png()
      .toBuffer()
    const { faces } = await check(picture)
    const behind = faces!.findIndex(({ box }) => box.y < 120)
    const { facts } = await make(picture, { faces: [behind] })
    expect(facts.likeness).toBeGreaterThanOrEqual(0.95)
  })

  const portraits: [name: string, bytes: Uint8Array, tilt: number][] = [
    ['one that was taken with a tilted camera', astronaut, 11],
  ]
  if (soak) portraits.push(['a portrait', astronaut, 0], ['one with a hat and glasses', admiral, 0])
  test.each(portraits)(
    'of %s has the eyes on the upper third, stands upright and keeps the likeness',
    async (_, bytes, tilt) => {
      const turned = tilt ? await sharp(bytes).rotate(tilt, { background: '#8a8780' }).jpeg().toBuffer() : bytes
      const { outputs, facts } = await make(turned, { format: 'png' })
      const { frame, width, height } = await headIn(outputs[0]!.bytes)
      expect(width / height).toBeCloseTo(3 / 4, 2)
      expect(frame.eyes.y / height).toBeGreaterThan(0.31)
      expect(frame.eyes.y / height).toBeLessThan(0.36)
      expect(Math.abs(frame.centre.x / width - 0.5)).toBeLessThan(0.03)
      expect(Math.abs((frame.roll * 180) / Math.PI)).toBeLessThanOrEqual(1)
      // Eyes to chin is a little less than half of a head, which must fill 45 to 55 % of the
      // picture.
      const part = frame.eyesToChin / height
      expect(part).toBeGreaterThan(0.45 * 0.37)
      expect(part).toBeLessThan(0.55 * 0.53)
      expect(facts.likeness).toBeGreaterThanOrEqual(0.8)
    },
  )

  test('of a rotated photograph looks like that of the upright one', { tags: 'soak' }, async () => {
    const upright = await pixels((await make(astronaut, { format: 'png' })).outputs[0]!.bytes)
    for (const angle of soak ? [90, 180, 270] : [90, 180]) {
      const turned = await sharp(astronaut).rotate(angle).png().toBuffer()
      const { outputs } = await make(turned, { format: 'png' })
      expect([angle, difference(await pixels(outputs[0]!.bytes), upright) < 6]).toEqual([angle, true])
    }
  })

  test('all backdrops differ, and none is flat', async () => {
    const host = testHost()
    const size = { width: 120, height: 160 }
    const request = { ...size, camera: cameraOf(size, { eyes: 1 / 3, head: 0.5 }), view: 1 }
    const looks: Buffer[] = []
    // Reading a location's light costs most of this test.
    for (const name of soak ? backdropNames : backdropNames.filter((_, i) => i % 3 === 0))
      looks.push(Buffer.from((await renderBackdrop(name, request, host)).data))
    for (const [i, a] of looks.entries()) {
      expect(
        Math.max(...a.filter((_, k) => k % 4 === 1)) - Math.min(...a.filter((_, k) => k % 4 === 1)),
      ).toBeGreaterThan(25)
      for (const [j, b] of looks.entries()) if (i < j) expect([i, j, difference(a, b) > 4]).toEqual([i, j, true])
    }
  })

  test('gets crops, light and retouch for free, as a new generation would make them', async () => {
    const first = await make(astronaut, { format: 'png' })
    const other: Partial<HeadshotParams> = { ratio: '1:1', backdrop: 'park', view: 2, retouch: 1, light: 0.2 }
    const again = await make(astronaut, other, first.kept)
    const fresh = await make(astronaut, other)
    expect(again.outputs[0]!.width).toBe(again.outputs[0]!.height)
    expect(difference(await pixels(again.outputs[0]!.bytes), await pixels(fresh.outputs[0]!.bytes))).toBeLessThan(1)
  })

  test('hides the edge at which the photograph cuts off the body', { tags: 'soak' }, async () => {
    // Cut directly below the chin and beside the ears: no usual frame can be filled.
    const tight = await sharp(large)
      .extract({ left: 150, top: 10, width: 150, height: 190 })
      .resize(400)
      .png()
      .toBuffer()
    const { outputs, warnings } = await make(tight, { backdrop: 'white', format: 'png' })
    expect(warnings).toContain('tight_frame')
    expect((await check(tight)).warnings).toContain('tight_frame')
    const { data, info } = await sharp(outputs[0]!.bytes).greyscale().raw().toBuffer({ resolveWithObject: true })
    const rowMean = (y: number) => {
      const row = data.subarray(y * info.width, (y + 1) * info.width)
      return row.reduce((sum, value) => sum + value, 0) / row.length
    }
    // The nearly white backdrop must not appear below the body.
    expect(rowMean(info.height - 2)).toBeLessThan(200)
  })

  test.each([
    ['of ruddy skin', [1.12, 1, 0.9]],
    ...(soak
      ? ([
          ['in white light', [1, 1, 1]],
          ['of pale skin', [0.97, 1, 1.12]],
        ] as const)
      : []),
  ] as const)('white clothes stay white %s', async (_, tint) => {
    for (const portrait of soak ? [astronaut, admiral] : [astronaut]) {
      const { data, info } = await sharp(portrait).removeAlpha().raw().toBuffer({ resolveWithObject: true })
      const clothes = portrait === astronaut ? 0.43 : 0.74
      for (let i = 0; i < data.length; i += 3) {
        const white = Math.floor(i / 3 / info.width) > clothes * info.height
        const shade = 0.9 + 0.1 * Math.sin(i / 90)
        for (let c = 0; c < 3; c++)
          data[i + c] = white ? shade * [222, 221, 220][c]! : Math.min(255, data[i + c]! * tint[c]!)
      }
      const picture = await sharp(data, { raw: { width: info.width, height: info.height, channels: 3 } })
        .png()
        .toBuffer()
      const { outputs } = await make(picture, { backdrop: 'white', format: 'png' })
      const result = outputs[0]!
      const shirt = {
        left: Math.round(0.4 * result.width),
        top: Math.round(0.92 * result.height),
        width: Math.round(0.2 * result.width),
        height: Math.round(0.06 * result.height),
      }
      const seen = await sharp(result.bytes).extract(shirt).removeAlpha().resize(1, 1).raw().toBuffer()
      const [red, green, blue] = [...seen] as [number, number, number]
      const [, a, b] = labOf(red, green, blue)
      expect(green).toBeGreaterThan(150)
      expect(Math.hypot(a, b)).toBeLessThan(2)
    }
  })

  test('makes a headshot of each picked face, or one of the whole group', async () => {
    const { faces } = await check(group)
    expect(faces!.length).toBeGreaterThanOrEqual(3)
    const each = await make(group, { faces: [0, 1] })
    expect(each.outputs.map(({ label }) => label)).toEqual(['1', '2'])
    const together = await make(group, { mode: 'group', backdrop: 'sage', format: 'png' })
    const { width, height } = await sharp(group).metadata()
    expect(together.outputs).toHaveLength(1)
    expect(together.outputs[0]!.width / together.outputs[0]!.height).toBeCloseTo(width / height, 1)
  })

  test('of a group leaves no face unretouched where some were selected, since all are charged', {
    tags: 'soak',
  }, async () => {
    const params = { mode: 'group', backdrop: 'sage', format: 'png' }
    const [together, chosen] = [await make(group, params), await make(group, { ...params, faces: [0] })]
    expect(Buffer.from(chosen.outputs[0]!.bytes).equals(together.outputs[0]!.bytes)).toBe(true)
  })

  test('of a rotated group photograph looks like that of the upright one', { tags: 'soak' }, async () => {
    const together = async (picture: Uint8Array) =>
      (await make(picture, { mode: 'group', backdrop: 'sage', format: 'png' })).outputs[0]!
    const upright = await together(group)
    for (const angle of soak ? [90, 180, 270] : [270]) {
      const result = await together(await sharp(group).rotate(angle).png().toBuffer())
      expect([angle, result.width, result.height]).toEqual([angle, upright.width, upright.height])
      const away = difference(await pixels(result.bytes), await pixels(upright.bytes))
      expect([angle, away < 6]).toEqual([angle, true])
    }
  })

  test('has warnings for light and blur that cannot be repaired, and none for a good photograph', async () => {
    const bad = (change: (picture: Sharp) => Sharp) => change(sharp(astronaut)).png().toBuffer()
    expect((await check(astronaut)).warnings).toEqual(['low_resolution'])
    expect((await check(await bad((picture) => picture.linear(0.16, 0)))).warnings).toContain('too_dark')
    expect((await check(await bad((picture) => picture.blur(3)))).warnings).toContain('blurred')
    if (soak) expect((await check(await bad((picture) => picture.linear(1.7, 60)))).warnings).toContain('overexposed')
  })

  test.each([
    ['a cat', 'chelsea.jpg'],
    ...(soak
      ? ([
          ['a cup', 'coffee.jpg'],
          ['a rocket', 'rocket.jpg'],
        ] as const)
      : []),
  ] as const)('%s is refused before the charge', async (_, name) => {
    expect((await check(photo(name))).problems).toEqual([{ path: 'picture', code: 'engine.no_face' }])
  })

  test('refuses a face that is cut off by the edge or too small before the charge', async () => {
    const left = await sharp(large).extract({ left: 0, top: 0, width: 240, height: 400 }).png().toBuffer()
    expect((await check(left)).problems).toEqual([{ path: 'picture', code: 'engine.face_cut' }])
    const small = await sharp(photo('astronaut.jpg')).resize(140).png().toBuffer()
    expect((await check(small)).problems).toEqual([{ path: 'picture', code: 'engine.face_too_small' }])
  })

  test('charges by face, refuses unknown faces, and asks where several were found and none was chosen', () => {
    const face = { input: 'picture', position: 0, box: { x: 0, y: 0, width: 90, height: 90 } }
    const photoCheck = { faces: [face, face, face], warnings: [], problems: [], facts: {} }
    const facts = { inputs: { picture: [] }, photoCheck }
    const { defaults } = headshot
    expect(headshot.price(20, defaults, facts)).toBe(20)
    expect(headshot.price(20, { ...defaults, faces: [0, 2] }, facts)).toBe(40)
    expect(headshot.price(20, { ...defaults, mode: 'group' }, facts)).toBe(60)
    expect(headshot.problems?.({ ...defaults, faces: [3] }, facts)).toHaveLength(1)
    expect(headshot.problems?.(defaults, facts)).toEqual([{ path: 'faces', code: 'engine.face_not_chosen' }])
    const group = { ...defaults, mode: 'group' } as const
    expect(headshot.problems?.(group, facts)).toEqual([])
    expect(headshot.problems?.({ ...defaults, faces: [2] }, facts)).toEqual([])
  })
})
