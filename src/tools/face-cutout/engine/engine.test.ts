import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { alphaOf } from '#engine/image/pixels.ts'
import { shareAbove } from '#engine/image/plane.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { photo } from '#tests/support/composites.ts'
import { checkWithTool, runOnce, runTool, toolPool } from '#tests/support/run-tool.ts'
import { testHost } from '#tests/support/test-host.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'
import { cutHeads, findHeads } from './heads.ts'

/** Three people; small, since cost grows with the pixels. */
const group = await sharp(photo('group.jpg')).resize(700).png().toBuffer()

const cut = (picture: Uint8Array, params: object = {}, kept?: EngineOutcome['kept']) =>
  runOnce('face-cutout', { inputs: { picture: [picture] }, params, kept })

async function pixels(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => [
    ...data.subarray(
      4 * (Math.round(y * info.height) * info.width + Math.round(x * info.width)),
      4 * (Math.round(y * info.height) * info.width + Math.round(x * info.width)) + 4,
    ),
  ]
  return { data, width: info.width, height: info.height, at }
}

/**
 * Share of opaque pixels that occur in the source in the same arrangement, located by the middle
 * row.
 */
async function isPartOf(bytes: Uint8Array, source: Uint8Array): Promise<boolean> {
  const [part, whole] = await Promise.all([pixels(bytes), pixels(source)])
  const middle = Math.floor(part.height / 2)
  const solid = Array.from({ length: part.width }, (_, x) => x).filter(
    (x) => part.data[4 * (middle * part.width + x) + 3] === 255,
  )
  const [from, to] = [solid[0]!, solid.at(-1)!]
  const row = part.data.subarray(4 * (middle * part.width + from), 4 * (middle * part.width + to))
  return Buffer.from(whole.data).includes(row)
}

describe('a face cut-out', () => {
  test('is the head with its hair, its own pixels, and neither neck, suit nor room', async () => {
    const source = photo('astronaut.jpg')
    const { outputs } = await cut(source)
    expect(outputs).toHaveLength(1)
    const { width, height, at } = await pixels(outputs[0]!.bytes)
    expect(height).toBeGreaterThan(160)
    expect(height).toBeLessThan(200)
    expect(width).toBeLessThan(height)
    expect([at(0.5, 0.1)[3], at(0.5, 0.5)[3], at(0.15, 0.35)[3]]).toEqual([255, 255, 255])
    expect([at(0.03, 0.03)[3], at(0.95, 0.05)[3], at(0.05, 0.95)[3], at(0.95, 0.95)[3]]).toEqual([0, 0, 0, 0])
    expect(await isPartOf(outputs[0]!.bytes, source)).toBe(true)
  })

  test('follows a network that parses the face: all hair stays, clothes are removed', async () => {
    const labels = Buffer.from(Array.from({ length: 512 * 512 }, (_, i) => (i < 150_000 ? 0 : i % 512 < 256 ? 17 : 16)))
    const bytes = await sharp(labels, { raw: { width: 512, height: 512, channels: 1 } })
      .toColourspace('b-w')
      .png()
      .toBuffer()
    const done = [{ label: 'parts/0/labels', contentType: 'image/png', bytes }]
    const { outputs } = await runTool(toolPool, 'face-cutout', { inputs: { picture: [photo('astronaut.jpg')] }, done })
    const { data, width, height } = await pixels(outputs[0]!.bytes)
    expect(height).toBeGreaterThan(220)
    const lowest = (from: number, to: number) => {
      const last = data.findLastIndex((alpha, i) => {
        const x = (i >> 2) % width
        return (i & 3) === 3 && alpha > 128 && x >= from * width && x < to * width
      })
      return Math.floor(last / 4 / width) / height
    }
    expect(lowest(0, 0.4)).toBeGreaterThan(0.9)
    expect(lowest(0.8, 1)).toBeLessThan(0.6)
  })

  test('keeps a cap, and removes the collar', { tags: 'soak' }, async () => {
    const { outputs } = await cut(photo('grace_hopper.jpg'))
    const { width, height, at } = await pixels(outputs[0]!.bytes)
    expect(height / width).toBeGreaterThan(1.2)
    expect(height / width).toBeLessThan(1.6)
    expect(at(0.5, 0.12)[3]).toBe(255)
    expect([at(0.1, 0.97)[3], at(0.9, 0.97)[3]]).toEqual([0, 0])
  })

  test('cuts out each head of a group; selection, squares, borders and sheet are free', async () => {
    const first = await cut(group)
    expect(first.outputs.map(({ label }) => label)).toEqual(['1', '2', '3'])
    const sizes = first.outputs.map(({ width, height }) => width * height)
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a))
    const options = { picked: [2], crop: 'square', border: 0.05, borderColor: '#00ff00', format: 'webp' }
    const { outputs } = await cut(group, options, first.kept)
    expect(outputs).toHaveLength(1)
    expect(outputs[0]).toMatchObject({ contentType: 'image/webp' })
    expect(outputs[0]!.width).toBe(outputs[0]!.height)
    const { data } = await pixels(outputs[0]!.bytes)
    let green = 0
    for (let i = 0; i < data.length; i += 4) if (data[i + 3] === 255 && data[i + 1]! > 230 && data[i]! < 40) green++
    expect(green / (data.length / 4)).toBeGreaterThan(0.04)
    const sheet = await cut(group, { output: 'sheet' }, first.kept)
    expect(sheet.outputs).toHaveLength(1)
    expect(sheet.outputs[0]!.width).toBeGreaterThan(first.outputs[0]!.width + first.outputs[1]!.width)
  })

  test('of a rotated picture stands upright', { tags: 'soak' }, async () => {
    const { outputs } = await cut(await sharp(photo('astronaut.jpg')).rotate(90).png().toBuffer())
    const [upright, lying] = [(await cut(photo('astronaut.jpg'))).outputs[0]!, outputs[0]!]
    expect(Math.abs(lying.height / upright.height - 1)).toBeLessThan(0.08)
    expect(Math.abs(lying.width / upright.width - 1)).toBeLessThan(0.08)
  })

  test('refuses a face that is mostly hidden', { tags: 'soak' }, async () => {
    const { data, info } = await sharp(photo('astronaut.jpg'))
      .extract({ left: 0, top: 0, width: 222, height: 400 })
      .png()
      .toBuffer({ resolveWithObject: true })
    const alone = await checkWithTool(toolPool, 'face-cutout', { inputs: { picture: [data] } })
    expect(alone.problems).toEqual([{ path: 'picture', code: 'engine.face_cut' }])
    const whole = sharp(photo('grace_hopper.jpg')).extend({ right: info.width, background: '#777' })
    const both = await whole
      .composite([{ input: data, left: 384, top: 50 }])
      .png()
      .toBuffer()
    const { outputs } = await cut(both)
    expect(outputs).toHaveLength(1)
  })

  test('tells before the charge where the faces are, the largest first, and that one at the edge is left out', async () => {
    const part = await sharp(photo('astronaut.jpg')).extract({ left: 60, top: 0, width: 172, height: 300 }).toBuffer()
    const whole = sharp(photo('grace_hopper.jpg')).resize(300).extend({ right: 172, background: '#777' })
    const both = await whole
      .composite([{ input: part, left: 300, top: 40 }])
      .png()
      .toBuffer()
    const check = (picture: Uint8Array) => checkWithTool(toolPool, 'face-cutout', { inputs: { picture: [picture] } })
    expect(await check(both)).toMatchObject({ faces: { length: 1 }, warnings: ['faces_cut'], problems: [] })
    const { faces = [], warnings } = await check(group)
    expect(warnings).not.toContain('faces_cut')
    expect(faces).toHaveLength(3)
    expect(faces[0]!.box.width).toBeGreaterThan(faces[2]!.box.width)
  })

  test('is refused before anything is paid where there is no face', async () => {
    for (const name of ['chelsea.jpg', ...(process.env.SOAK ? ['coffee.jpg'] : [])]) {
      const { problems } = await checkWithTool(toolPool, 'face-cutout', { inputs: { picture: [photo(name)] } })
      expect(problems).toEqual([{ path: 'picture', code: 'engine.no_face' }])
    }
    await expect(cut(photo('chelsea.jpg'))).rejects.toMatchObject({ code: 'engine.no_face' })
  })
})

test('an unsure face on an animal is none, and one of a person beside an animal is', async () => {
  const portrait = await decodePicture(await sharp(photo('astronaut.jpg')).resize(256).png().toBuffer())
  const host = testHost()
  const findIn = async (confidence: number, labels: readonly string[]) => {
    const { heads } = await findHeads(portrait, {
      ...host,
      faces: async (picture) => (await host.faces(picture)).map((face) => ({ ...face, confidence })),
      objects: async (picture) => labels.map((label) => ({ label, confidence: 0.4, box: wholeOf(picture) })),
    })
    return heads.length
  }
  expect(await findIn(0.7, ['dog'])).toBe(0)
  expect(await findIn(0.7, ['dog', 'person'])).toBe(1)
  expect(await findIn(0.9, ['dog'])).toBe(1)
})

test('finds a face of which the edge of the photo hides a quarter', async () => {
  const part = await sharp(photo('astronaut.jpg')).extract({ left: 205, top: 0, width: 307, height: 400 }).toBuffer()
  const { heads } = await findHeads(await decodePicture(part), testHost())
  expect(heads).toHaveLength(1)
  expect(heads[0]!.box.x).toBe(0)
})

/** A host whose person network gives `seen` for all pixels of the whole picture. */
function hostThatSees(seen: number): EngineHost {
  const host = testHost()
  let isWhole = true
  return {
    ...host,
    cacheForResizing: (picture) => {
      isWhole = picture.width > 600
      return host.cacheForResizing(picture)
    },
    personMask: (picture) =>
      isWhole ? Promise.resolve(createPlane(picture.width, picture.height, seen)) : host.personMask(picture),
  }
}

const solidShares = async (host: EngineHost) =>
  (await cutHeads(await decodePicture(group), [], host)).map(({ picture }) =>
    shareAbove(alphaOf(picture) as Plane, 0.5),
  )

test('heads that the view of the whole picture misses are found by a closer one', async () => {
  const shares = await solidShares(hostThatSees(0))
  expect(shares).toHaveLength(3)
  for (const share of shares) expect(share).toBeGreaterThan(0.4)
})

test('walls that the view of the whole group takes for people are removed by a closer one', async () => {
  const [right, mistaken] = [await solidShares(testHost()), await solidShares(hostThatSees(1))]
  for (const [i, share] of mistaken.entries()) expect(Math.abs(share - right[i]!)).toBeLessThan(0.02)
})
