import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { fillPolygon } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { findFaces } from '#engine/tasks/faces/index.ts'
import { checkWithTool, runOnce, runTool, toolPool } from '#tests/support/run-tool.ts'
import { testHost } from '#tests/support/test-host.ts'
import { swapFaceTool } from '../contract/definition.ts'
import { isUsable } from './comparison.ts'
import { swapFaceEngine } from './engine.ts'
import { problemsOf } from './face-problems.ts'

const photos = join(import.meta.dirname, '..', '..', '..', '..', 'tests', 'fixtures', 'photos')
const photo = (name: string) => readFileSync(join(photos, name))
const astronaut = photo('astronaut.jpg')
const admiral = photo('grace_hopper.jpg')
const group = await sharp(photo('group.jpg')).resize(700).png().toBuffer()

interface Swap {
  likeness: number
  appearance: { source: number; target: number }
  embedding: { source: number; target: number }
  glasses: boolean
}

const swap = (target: Uint8Array, faces: Uint8Array[], params: object = {}) =>
  runOnce('swap-face', { inputs: { target: [target], faces }, params: { consent: true, ...params } })
const pixels = async (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true })

/** Mesh points of the beard area. */
const jaw = [58, 172, 136, 150, 149, 176, 148, 152, 377, 400, 378, 379, 365, 397, 288, 432, 287, 405, 17, 181, 57, 212]

async function pointsOf(target: Uint8Array) {
  const { faces } = await checkWithTool(toolPool, 'swap-face', {
    inputs: { target: [target], faces: [astronaut] },
    params: { consent: true },
  })
  const flat = faces![0]!.points!
  return Array.from({ length: flat.length / 2 }, (_, i) => ({ x: flat[2 * i]!, y: flat[2 * i + 1]! }))
}

async function withBeard(photo: Uint8Array): Promise<Uint8Array> {
  const points = await pointsOf(photo)
  const { data, info } = await sharp(photo).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const beard = createPlane(info.width, info.height)
  fillPolygon(
    beard,
    jaw.map((index) => points[index]!),
  )
  for (let i = 0; i < data.length; i++) if (beard.data[Math.floor(i / 3)] === 1) data[i]! *= 0.3
  return sharp(data, { raw: info }).png().toBuffer()
}

async function changes(before: Uint8Array, after: Uint8Array, box: { x: number; y: number; side: number }) {
  const [a, b] = [await pixels(before), await pixels(after)]
  expect([b.info.width, b.info.height]).toEqual([a.info.width, a.info.height])
  const [within, without] = [
    { all: 0, changed: 0 },
    { all: 0, changed: 0 },
  ]
  for (let i = 0; i < a.info.width * a.info.height; i++) {
    const [x, y] = [i % a.info.width, Math.floor(i / a.info.width)]
    const inside = x >= box.x && y >= box.y && x < box.x + box.side && y < box.y + box.side
    const count = inside ? within : without
    count.all++
    if ([0, 1, 2].some((c) => a.data[3 * i + c] !== b.data[3 * i + c])) count.changed++
  }
  return { inside: within.changed / within.all, outside: without.changed }
}

describe('a face swap', () => {
  test('changes the face and not one pixel around it, and looks like the source, not like the target', async () => {
    const { outputs, facts, warnings } = await swap(admiral, [astronaut], { format: 'png' })
    const points = await pointsOf(admiral)
    const [x, y] = [Math.min(...points.map((point) => point.x)), Math.min(...points.map((point) => point.y))]
    const side = Math.max(...points.map((point) => Math.max(point.x - x, point.y - y)))
    const { inside, outside } = await changes(admiral, outputs[0]!.bytes, { x: x - 1, y: y - 1, side: side + 2 })
    expect(outside).toBe(0)
    expect(inside).toBeGreaterThan(0.15)
    const [done] = facts.swaps as unknown as Swap[]
    expect(done!.appearance.source).toBeGreaterThan(done!.appearance.target)
    expect(facts.likeness).toBeUndefined()
    // Two women, one with glasses, which stay: as strangers they are at most 0.65 alike. Skin of
    // the target remains where hair covers the source's.
    expect(done!.embedding.target).toBeLessThan(0.7)
    expect(warnings).not.toContain('glasses')
  })

  test('copies the glasses of the new face to a target without glasses, up to their outline, with a warning', async () => {
    const { outputs, warnings, facts } = await swap(astronaut, [admiral], { format: 'png' })
    expect(warnings).toContain('glasses')
    const points = await pointsOf(astronaut)
    const xs = points.map(({ x }) => x)
    const [left, width] = [Math.round(Math.min(...xs)), Math.round(Math.max(...xs) - Math.min(...xs))]
    // Rims run across the whole face between brows and lids.
    const [brow, lid] = [points[105]!.y, points[159]!.y]
    const darkest = async (bytes: Uint8Array, from: number, to: number) => {
      const strip = {
        left: left + Math.round(from * width),
        width: Math.round((to - from) * width),
        top: Math.round(brow),
        height: Math.round(lid - brow),
      }
      return Math.min(...(await sharp(bytes).extract(strip).greyscale().raw().toBuffer()))
    }
    for (const [from, to] of [
      [0.06, 0.12],
      [0.66, 0.72],
    ] as const) {
      expect(await darkest(outputs[0]!.bytes, from, to)).toBeLessThan(0.6 * (await darkest(astronaut, from, to)))
    }
    const [done] = facts.swaps as unknown as Swap[]
    expect(done!.embedding.source).toBeGreaterThan(0.55)
    const [y, side] = [Math.min(...points.map((point) => point.y)), 1.4 * width]
    expect((await changes(astronaut, outputs[0]!.bytes, { x: left - 1, y: y - 1, side })).outside).toBe(0)
  })

  test('leaves a face with glasses its own eyes where the new one wears glasses too', { tags: 'soak' }, async () => {
    const { outputs } = await swap(admiral, [await sharp(admiral).flop().toBuffer()], { format: 'png' })
    const points = await pointsOf(admiral)
    for (const [from, to] of [
      [33, 133],
      [362, 263],
    ] as const) {
      const [left, right] = [points[from]!, points[to]!]
      const side = Math.round(right.x - left.x)
      const top = Math.round((left.y + right.y) / 2 - 0.2 * side)
      const region = { left: Math.round(left.x), top, width: side, height: Math.round(0.4 * side) }
      const seen = (bytes: Uint8Array) => sharp(bytes).removeAlpha().extract(region).raw().toBuffer()
      expect((await seen(outputs[0]!.bytes)).equals(await seen(admiral))).toBe(true)
    }
  })

  test('removes the target’s glasses on request: nearer to the source, and nothing beyond them changes', async () => {
    const kept = await swap(admiral, [astronaut], { format: 'png' })
    const off = await swap(admiral, [astronaut], { keepGlasses: false, format: 'png' })
    const [before, after] = [kept, off].map(({ facts }) => (facts.swaps as unknown as Swap[])[0]!)
    expect(before!.embedding.source).toBeLessThan(before!.embedding.target)
    expect(after!.embedding.source).toBeGreaterThan(after!.embedding.target)
    expect(kept.warnings).toContain('glasses_decide')
    for (const code of ['glasses_decide', 'little_alike']) expect(off.warnings).not.toContain(code)

    const points = await pointsOf(admiral)
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    const [unit, eyes] = [right - left, (points[33]!.y + points[263]!.y) / 2]
    const [a, b] = [await pixels(admiral), await pixels(off.outputs[0]!.bytes)]
    let [beside, elsewhere] = [0, 0]
    for (let i = 0; i < a.info.width * a.info.height; i++) {
      if ([0, 1, 2].every((c) => a.data[3 * i + c] === b.data[3 * i + c])) continue
      const [x, y] = [i % a.info.width, Math.floor(i / a.info.width)]
      if (x >= left - 1 && x <= right + 1 && y >= top - 1 && y <= bottom + 1) continue
      if (Math.abs(y - eyes) < 0.25 * unit && x > left - 0.2 * unit && x < right + 0.2 * unit) beside++
      else elsewhere++
    }
    expect(elsewhere).toBe(0)
    // Arms of the glasses reach the ears.
    expect(beside).toBeGreaterThan(0)
    expect(beside).toBeLessThan(0.03 * unit * unit)
  })

  test('puts glasses back and removes them again from the kept layers, as a new generation would', async () => {
    const params = { consent: true, format: 'png' }
    const paid = await swap(admiral, [astronaut], { format: 'png' })
    const again = async (keepGlasses: boolean) => {
      const inputs = { target: [admiral], faces: [astronaut] }
      return runTool(toolPool, 'swap-face', { inputs, params: { ...params, keepGlasses }, kept: paid.kept })
    }
    const alone = await swap(admiral, [astronaut], { keepGlasses: false, format: 'png' })
    const [off, on] = [await again(false), await again(true)]
    expect(off.outputs[0]!.bytes).toEqual(alone.outputs[0]!.bytes)
    expect([off.facts, off.warnings]).toEqual([alone.facts, alone.warnings])
    expect(on.outputs[0]!.bytes).toEqual(paid.outputs[0]!.bytes)
    expect([on.facts, on.warnings]).toEqual([paid.facts, paid.warnings])
  })

  test('reports before the charge if the target wears glasses, and changes nothing without them', async () => {
    const glasses = async (target: Uint8Array, face: Uint8Array) => {
      const inputs = { target: [target], faces: [face] }
      return (await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })).facts.glasses
    }
    expect([await glasses(admiral, astronaut), await glasses(astronaut, admiral)]).toEqual([true, false])
    const [on, off] = [
      await swap(astronaut, [admiral], { format: 'png' }),
      await swap(astronaut, [admiral], { keepGlasses: false, format: 'png' }),
    ]
    expect(on.facts.glasses).toBe(false)
    expect(off.outputs[0]!.bytes).toEqual(on.outputs[0]!.bytes)
  })

  test('a face by candlelight gets the colour of the new skin, without blots', { tags: 'soak' }, async () => {
    const warm = await sharp(astronaut)
      .removeAlpha()
      .recomb([
        [1, 0, 0],
        [0, 0.6, 0],
        [0, 0, 0.06],
      ])
      .jpeg({ quality: 50 })
      .toBuffer()
    const points = await pointsOf(admiral)
    /** Variation of the cheeks' colour. */
    const spread = async (bytes: Uint8Array) => {
      const found: number[] = []
      for (const index of [50, 280]) {
        const { x, y } = points[index]!
        const part = { left: Math.round(x) - 12, top: Math.round(y) - 12, width: 24, height: 24 }
        const seen = await sharp(bytes).removeAlpha().extract(part).raw().toBuffer()
        const blues = Array.from({ length: seen.length / 3 }, (_, i) =>
          Math.log((seen[3 * i + 2]! + 12) / (seen[3 * i + 1]! + 12)),
        )
        const mean = blues.reduce((sum, blue) => sum + blue, 0) / blues.length
        found.push(...blues.map((blue) => Math.abs(blue - mean)))
      }
      return found.reduce((sum, value) => sum + value, 0) / found.length
    }
    const { outputs } = await swap(admiral, [warm], { format: 'png' })
    expect(await spread(outputs[0]!.bytes)).toBeLessThan(2 * (await spread(admiral)))
  })

  test('a face in a sepia picture has its tint', { tags: 'soak' }, async () => {
    const sepia = await sharp(astronaut).greyscale().tint('#a08060').png().toBuffer()
    const { outputs } = await swap(sepia, [admiral], { format: 'png' })
    const { data } = await pixels(outputs[0]!.bytes)
    const before = await pixels(sepia)
    // Red over blue by brightness.
    const tint = new Map<number, number>()
    for (let i = 0; i < before.data.length; i += 3) {
      tint.set(before.data[i + 1]! >> 3, before.data[i]! - before.data[i + 2]!)
    }
    const away: number[] = []
    for (let i = 0; i < data.length; i += 3) {
      if (data[i] === before.data[i] && data[i + 1] === before.data[i + 1]) continue
      away.push(Math.abs(data[i]! - data[i + 2]! - (tint.get(data[i + 1]! >> 3) ?? 0)))
    }
    expect(away.sort((a, b) => a - b)[Math.floor(0.99 * away.length)]).toBeLessThan(16)
  })

  test('a face in a black and white picture has no colour either', async () => {
    const old = await sharp(astronaut).greyscale().toColourspace('srgb').png().toBuffer()
    const { outputs } = await swap(old, [admiral], { format: 'png' })
    const [before, after] = [await pixels(old), await pixels(outputs[0]!.bytes)]
    expect(after.data.equals(before.data)).toBe(false)
    for (let i = 0; i < after.data.length; i += 3) {
      const [red, green, blue] = after.data.subarray(i, i + 3)
      if (red !== green || green !== blue) expect([red, green, blue]).toEqual([red, red, red])
    }
  })

  test('a face with one side in shadow is refused before the charge, and not one in even light', async () => {
    const { width = 0, height = 0 } = await sharp(admiral).metadata()
    // Black that becomes transparent between 40 and 60 per cent of the width.
    const shadow = Buffer.alloc(4 * width * height)
    for (let i = 3; i < shadow.length; i += 4) {
      const across = ((i >> 2) % width) / width
      shadow[i] = 255 * 0.6 * Math.min(1, Math.max(0, (0.6 - across) / 0.2))
    }
    const halfDark = await sharp(admiral)
      .composite([{ input: shadow, raw: { width, height, channels: 4 } }])
      .png()
      .toBuffer()
    const problems = async (face: Uint8Array, target = astronaut) => {
      const inputs = { target: [target], faces: [face] }
      return (await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })).problems
    }
    expect(await problems(halfDark)).toEqual([{ path: 'faces', code: 'engine.face_badly_lit' }])
    expect(await problems(astronaut, halfDark)).toEqual([{ path: 'target', code: 'engine.face_badly_lit' }])
    expect(await problems(admiral)).toEqual([])
  })

  test('a dim face fits a dim photograph, and is refused where it would become far brighter', {
    tags: 'soak',
  }, async () => {
    const dimmed = (photograph: Uint8Array, by: number) => sharp(photograph).linear(by, 0).png().toBuffer()
    const problems = async (target: Uint8Array, face: Uint8Array) => {
      const inputs = { target: [target], faces: [face] }
      return (await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })).problems
    }
    const dim = await dimmed(astronaut, 0.36)
    expect(await problems(admiral, dim)).toEqual([{ path: 'faces', code: 'engine.face_badly_lit' }])
    expect(await problems(await dimmed(admiral, 0.6), dim)).toEqual([])
  })

  const problemsBetween = async (target: Uint8Array, face: Uint8Array) => {
    const inputs = { target: [target], faces: [face] }
    return (await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })).problems
  }
  const blurred = async () => {
    const xs = (await pointsOf(astronaut)).map(({ x }) => x)
    return sharp(astronaut)
      .blur(0.03 * (Math.max(...xs) - Math.min(...xs)))
      .png()
      .toBuffer()
  }

  test('a source face too small, blurred or cut by the picture is refused before the charge', async () => {
    const points = await pointsOf(astronaut)
    const { width = 0, height = 0 } = await sharp(astronaut).metadata()
    const faceWidth = Math.max(...points.map(({ x }) => x)) - Math.min(...points.map(({ x }) => x))
    const small = await sharp(astronaut)
      .resize(Math.round((45 / faceWidth) * width))
      .png()
      .toBuffer()
    const middle = points.reduce((sum, { x }) => sum + x, 0) / points.length
    const left = Math.round(middle - 0.3 * faceWidth)
    const cut = await sharp(astronaut)
      .extract({ left, top: 0, width: width - left, height })
      .png()
      .toBuffer()
    expect(await problemsBetween(admiral, small)).toEqual([{ path: 'faces', code: 'engine.face_too_small' }])
    expect(await problemsBetween(small, admiral)).toEqual([])
    expect(await problemsBetween(admiral, await blurred())).toEqual([{ path: 'faces', code: 'engine.face_blurred' }])
    expect(await problemsBetween(cut, admiral)).toEqual([{ path: 'target', code: 'engine.face_cut' }])
  })

  test('a source face is too small only for a larger or clearer one, and a blurred target is refused', {
    tags: 'soak',
  }, async () => {
    const { width = 0 } = await sharp(admiral).metadata()
    const large = await sharp(admiral)
      .resize(3 * width)
      .png()
      .toBuffer()
    const hazy = await sharp(astronaut).linear(0.5, 90).png().toBuffer()
    expect(await problemsBetween(large, astronaut)).toEqual([{ path: 'faces', code: 'engine.face_too_small' }])
    expect(await problemsBetween(admiral, astronaut)).toEqual([])
    expect(await problemsBetween(admiral, hazy)).toEqual([{ path: 'faces', code: 'engine.face_too_small' }])
    expect(await problemsBetween(await blurred(), admiral)).toEqual([{ path: 'target', code: 'engine.face_blurred' }])
  })

  test('a face with hair over a brow is refused before the charge', async () => {
    const points = await pointsOf(admiral)
    const [left, right] = [points[70]!, points[107]!]
    const width = Math.round(right.x - left.x)
    // A dark lock from above the forehead down over one brow.
    const [top, height] = [Math.round(left.y - 1.1 * width), Math.round(1.35 * width)]
    const lock = { width, height, channels: 3 as const, background: '#241a14' }
    const fringed = await sharp(admiral)
      .composite([{ input: { create: lock }, left: Math.round(left.x), top }])
      .png()
      .toBuffer()
    const problems = async (params: object) => {
      const inputs = { target: [group], faces: [fringed] }
      const check = await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true, ...params } })
      return check.problems.filter(({ code }) => code === 'engine.face_hidden')
    }
    const hidden = [{ path: 'faces', code: 'engine.face_hidden' }]
    expect(await problems({})).toEqual(hidden)
    // Warned once, however many targets it has.
    const pairs = [0, 1].map((target) => ({ source: 0, target }))
    expect(await problems({ pairs })).toEqual(hidden)
  })

  test('a face with strands of hair before a brow is refused before the charge, too', { tags: 'soak' }, async () => {
    const large = await sharp(astronaut).resize({ width: 1024 }).png().toBuffer()
    const points = await pointsOf(large)
    const [left, right] = [points[70]!, points[107]!]
    const width = right.x - left.x
    const line = { width: 5, height: Math.round(1.6 * width), channels: 3 as const, background: '#4a3524' }
    const top = Math.round(left.y - 0.9 * width)
    const strands = [0, 1, 2, 3, 4, 5].map((i) => ({
      input: { create: line },
      left: Math.round(left.x + (0.1 + 0.16 * i) * width),
      top,
    }))
    const covered = await sharp(large).composite(strands).png().toBuffer()
    const inputs = { target: [group], faces: [covered] }
    const { problems } = await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })
    expect(problems).toEqual([{ path: 'faces', code: 'engine.face_hidden' }])
  })

  test('a bearded and a beardless face are not swapped, which is reported before the charge', async () => {
    const bearded = await withBeard(astronaut)
    const problems = async (target: Uint8Array, face: Uint8Array) => {
      const inputs = { target: [target], faces: [face] }
      return (await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })).problems
    }
    expect(await problems(bearded, admiral)).toEqual([{ path: 'target', code: 'engine.face_bearded' }])
    expect(await problems(admiral, bearded)).toEqual([{ path: 'faces', code: 'engine.face_bearded' }])
    expect(await problems(bearded, bearded)).toEqual([])
  })

  test('a bearded face with a closed mouth does not fit an open one, which is reported before the charge', {
    tags: 'soak',
  }, async () => {
    const closed = await withBeard(admiral)
    const problems = async (target: Uint8Array) => {
      const inputs = { target: [target], faces: [closed] }
      return (await checkWithTool(toolPool, 'swap-face', { inputs, params: { consent: true } })).problems
    }
    expect(await problems(await withBeard(astronaut))).toEqual([{ path: 'target', code: 'engine.mouth_open' }])
    expect(await problems(closed)).toEqual([])
  })

  test('a wide open mouth fits only a wide open one', { tags: 'soak' }, async () => {
    const host = testHost()
    const [source, target] = await Promise.all([astronaut, admiral].map((bytes) => decodePicture(bytes)))
    const [[own], [other]] = [await findFaces(source!, host), await findFaces(target!, host)]
    // The lower lip is lowered by the mouth's width.
    const [corner, end] = [own!.points[78]!, own!.points[308]!]
    const points = own!.points.map((point, i) =>
      i === 14 ? ([point[0], point[1] + end[0] - corner[0], point[2]] as const) : point,
    )
    const wide = { picture: source!, face: { ...own!, points }, position: 0 }
    const found = { target: target!, targets: [other!], sources: [wide] }
    const problems = await problemsOf(found, [{ source: wide, target: other! }], host)
    expect(problems).toEqual([{ path: 'faces', code: 'engine.mouth_open' }])
  })

  test('a mixture of both faces is never delivered: the generation fails and is refunded', async () => {
    const points = await pointsOf(astronaut)
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)]
    const [left, width, top] = [Math.min(...xs), Math.max(...xs) - Math.min(...xs), Math.min(...ys)]
    const height = Math.round(1.3 * (Math.max(...ys) - top))
    // A post before the face, beside which the face is still detected.
    const post = { width: Math.round(0.16 * width), height, channels: 3 as const, background: '#2f6a2a' }
    const corner = { left: Math.round(left + 0.42 * width), top: Math.round(top) }
    const hidden = await sharp(astronaut)
      .composite([{ input: { create: post }, ...corner }])
      .png()
      .toBuffer()
    await expect(swap(hidden, [admiral])).rejects.toMatchObject({ code: 'engine.swap_unusable' })
  })

  test('a swap with misplaced eyes or mouth is not delivered', () => {
    const alike = { source: 0.9, target: 0.2 }
    const swap = { appearance: alike, embedding: alike, glasses: false, away: 0.02 }
    expect(isUsable(swap, { coverage: 0.9 })).toBe(true)
    expect(isUsable({ ...swap, away: 0.04 }, { coverage: 0.9 })).toBe(false)
  })

  test('another photo of the same person is accepted, although it resembles both', () => {
    const swap = { embedding: { source: 0.8, target: 0.83 }, glasses: false, away: 0.01 }
    expect(isUsable({ ...swap, appearance: { source: 0.95, target: 0.6 } }, { coverage: 0.9 })).toBe(true)
    expect(isUsable({ ...swap, appearance: { source: 0.8, target: 0.6 } }, { coverage: 0.9 })).toBe(false)
  })

  test('marks every file as edited by AI, and the picture only on request', async () => {
    const plain = await swap(admiral, [astronaut])
    for (const format of ['jpeg', 'png', 'webp']) {
      const { outputs } = await runTool(toolPool, 'swap-face', {
        inputs: { target: [admiral], faces: [astronaut] },
        params: { consent: true, format },
        kept: plain.kept,
      })
      const { xmp } = await sharp(outputs[0]!.bytes).metadata()
      expect(xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
    }
    const marked = await runTool(toolPool, 'swap-face', {
      inputs: { target: [admiral], faces: [astronaut] },
      params: { consent: true, mark: true, format: 'png' },
      kept: plain.kept,
    })
    const { width, height } = marked.outputs[0]!
    const corner = { x: width - 140, y: height - 140, side: 140 }
    const clean = await swap(admiral, [astronaut], { format: 'png' })
    const { inside, outside } = await changes(clean.outputs[0]!.bytes, marked.outputs[0]!.bytes, corner)
    expect(inside).toBeGreaterThan(0.02)
    expect(outside).toBe(0)
  })

  test('swaps the requested pairs', async () => {
    const params = { consent: true, pairs: [{ source: 0, target: 1 }] }
    const photoCheck = await checkWithTool(toolPool, 'swap-face', {
      inputs: { target: [group], faces: [admiral] },
      params,
    })
    const targets = photoCheck.faces!.filter(({ input }) => input === 'target')
    expect(targets.length).toBeGreaterThanOrEqual(2)
    const { outputs } = await swap(group, [admiral], { ...params, format: 'png' })
    const { box } = targets[1]!
    const side = Math.round(1.3 * Math.max(box.width, box.height))
    const around = { x: Math.round(box.x - 0.15 * side), y: Math.round(box.y - 0.15 * side), side }
    expect((await changes(group, outputs[0]!.bytes, around)).outside).toBe(0)
  })

  test.each([
    ['a cat', 'chelsea.jpg'],
    ...(process.env.SOAK
      ? ([
          ['a cup', 'coffee.jpg'],
          ['a wall', 'brick.jpg'],
        ] as const)
      : []),
  ] as const)('%s has no usable face, which is reported before the charge', async (_, name) => {
    const { problems } = await checkWithTool(toolPool, 'swap-face', {
      inputs: { target: [astronaut], faces: [photo(name)] },
      params: { consent: true },
    })
    expect(problems).toEqual([{ path: 'faces', code: 'engine.no_face' }])
  })

  test.each([
    ['a dog', ['dog'], ['engine.no_face']],
    ['a person with a dog', ['dog', 'person'], []],
  ])('an object that resembles a face and is named %s is checked again', { tags: 'soak' }, async (_, labels, codes) => {
    const [target, source] = await Promise.all([astronaut, admiral].map((bytes) => decodePicture(bytes)))
    const own = testHost()
    // Only the admiral's picture is upright.
    const objects = async ({ width, height }: Picture) =>
      height > width ? labels.map((label) => ({ label, confidence: 0.5, box: { x: 0, y: 0, width, height } })) : []
    const host = { ...own, objects }
    const params = { ...swapFaceTool.defaults, consent: true }
    const inputs = { target: [target!], faces: [source!] }
    const { problems } = await swapFaceEngine.check!({ params, inputs, done: {} }, host)
    expect(problems).toEqual(codes.map((code) => ({ path: 'faces', code })))
  })

  test('requires consent for every generation, and pairs of faces that exist', () => {
    const params = {
      pairs: [{ source: 3, target: 0 }],
      consent: false,
      keepGlasses: true,
      mark: false,
      format: 'jpeg' as const,
    }
    const face = { position: 0, box: { x: 0, y: 0, width: 90, height: 90 } }
    const photoCheck = {
      faces: [
        { ...face, input: 'target' },
        { ...face, input: 'faces' },
      ],
      warnings: [],
      problems: [],
      facts: {},
    }
    const facts = { inputs: { target: [], faces: [] }, photoCheck }
    expect(swapFaceTool.problems?.(params, facts).map(({ code }) => code)).toEqual(['swap.consent', 'swap.pairs'])
    expect(swapFaceTool.problems?.({ ...params, pairs: [], consent: true }, facts)).toEqual([])
    const several = {
      ...facts,
      photoCheck: { ...photoCheck, faces: [...photoCheck.faces, { ...face, input: 'target' }] },
    }
    expect(swapFaceTool.problems?.({ ...params, pairs: [], consent: true }, several)).toEqual([
      { path: 'pairs', code: 'engine.face_not_chosen' },
    ])
    expect(
      swapFaceTool.price(10, { ...params, pairs: [1, 2, 3].map((target) => ({ source: 0, target })) }, facts),
    ).toBe(30)
  })
})
