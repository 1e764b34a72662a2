import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { measureHead } from '#engine/tasks/faces/index.ts'
import { photo } from '#tests/support/composites.ts'
import { checkWithTool, runOnce, toolPool } from '#tests/support/run-tool.ts'
import { testHost } from '#tests/support/test-host.ts'
import type { PhotoCheck } from '#tools/contract/tool.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'
import { photoSize } from '../contract/definition.ts'
import { findPreset } from '../contract/presets.ts'
import { findPerson } from './portrait.ts'

const host = testHost()

const make = (picture: Uint8Array, params: object = {}, kept?: EngineOutcome['kept']) =>
  runOnce('passport-photo', { inputs: { picture: [picture] }, params, kept })
const check = (picture: Uint8Array, params: object = {}) =>
  checkWithTool(toolPool, 'passport-photo', { inputs: { picture: [picture] }, params })
const change = async (params: object) => {
  const { kept } = await make(photo('grace_hopper.jpg'))
  return make(photo('grace_hopper.jpg'), params, kept)
}
const turned = (name: string, degrees: number) =>
  sharp(photo(name)).rotate(degrees, { background: '#777' }).png().toBuffer()

const colourAt = async (bytes: Uint8Array, x: number, y: number) => [
  ...(await sharp(bytes).extract({ left: x, top: y, width: 1, height: 1 }).removeAlpha().raw().toBuffer()),
]

/** Shares of the photo's height, eyes from below, tilt in degrees; needs an even background. */
async function measure(bytes: Uint8Array, background: readonly number[]) {
  const picture = await decodePicture(bytes)
  const person = createPlane(picture.width, picture.height)
  for (let i = 0; i < person.data.length; i++) {
    const away = background.reduce((sum, value, c) => sum + Math.abs(value - (picture.data[4 * i + c] as number)), 0)
    person.data[i] = away > 60 ? 1 : 0
  }
  const { face } = await findPerson(picture, host)
  const head = measureHead(face!.points, person)
  return {
    head: head.height / picture.height,
    eyes: 1 - head.eyes.y / picture.height,
    aside: head.centre.x / picture.width - 0.5,
    tilt: (head.roll * 180) / Math.PI,
  }
}

/** A domestic rule, and the one with the largest head; in the soak also foreign ones. */
const rules: [preset: string, name: string, degrees: number][] = [
  ['4x6', 'grace_hopper.jpg', 0],
  ['hajj', 'astronaut.jpg', -20],
]
const others: typeof rules = [
  ['35x45', 'grace_hopper.jpg', -9],
  ['3x4', 'astronaut.jpg', 12],
  ['51x51', 'astronaut.jpg', 0],
]
const soak = Boolean(process.env.SOAK)
if (soak) rules.push(...others)

describe('a passport photo', () => {
  test.each(rules)(
    'by the rule %s of %s turned by %i° has its size, head, eyes and tilt',
    async (preset, name, degrees) => {
      const { outputs } = await make(await turned(name, degrees), { preset, background: { type: 'blue' } })
      const { rule } = findPreset(preset)!
      expect(outputs[0]).toMatchObject({ ...photoSize(rule), contentType: 'image/jpeg' })
      expect((await sharp(outputs[0]!.bytes).metadata()).density).toBe(300)
      const { head, eyes, aside, tilt } = await measure(outputs[0]!.bytes, [0, 0x90, 255])
      expect(head).toBeGreaterThan(0.98 * rule.head.min)
      expect(head).toBeLessThan(1.02 * rule.head.max)
      expect(Math.abs(head / ((rule.head.min + rule.head.max) / 2) - 1)).toBeLessThan(0.02)
      expect(eyes).toBeGreaterThan(0.98 * rule.eyes.min)
      expect(eyes).toBeLessThan(1.02 * rule.eyes.max)
      expect(Math.abs(aside)).toBeLessThan(0.03)
      expect(Math.abs(tilt)).toBeLessThan(1)
    },
  )

  test('has exactly the requested background colour, in every format', async () => {
    const colours = [
      [{ type: 'birth-year', year: 1991 }, [0xdb, 0x15, 0x14]],
      [{ type: 'birth-year', year: 1992 }, [0, 0x90, 0xff]],
      [{ type: 'birth-year', year: 1992, foreigner: true }, [0xff, 0x8a, 0]],
      [{ type: 'white' }, [255, 255, 255]],
    ] as const
    for (const [background, colour] of colours) {
      const { outputs } = await change({ background })
      expect(await colourAt(outputs[0]!.bytes, 3, 3)).toEqual(colour)
      expect(await colourAt(outputs[0]!.bytes, 468, 40)).toEqual(colour)
    }
    const { outputs } = await change({ format: 'png', background: { type: 'color', color: '#db1513' } })
    const { data, info } = await sharp(outputs[0]!.bytes).raw().toBuffer({ resolveWithObject: true })
    let even = 0
    for (let i = 0; i < data.length; i += info.channels) {
      if (data[i] === 0xdb && data[i + 1] === 0x15 && data[i + 2] === 0x13) even++
    }
    expect(even / (info.width * info.height)).toBeGreaterThan(0.35)
    expect((await sharp(outputs[0]!.bytes).metadata()).density).toBe(300)
  })

  test('has the file size that an office accepts, and another preset costs nothing', async () => {
    const sscasn = await change({ preset: 'sscasn' })
    expect(sscasn.outputs[0]!.bytes.length).toBeLessThanOrEqual(200 * 1024)
    const snpmb = await change({ preset: 'snpmb' })
    expect(snpmb.outputs[0]!.bytes.length).toBeGreaterThanOrEqual(80 * 1024)
    expect(snpmb.outputs[0]!.bytes.length).toBeLessThanOrEqual(300 * 1024)
    const { rule } = findPreset('4x6')!
    const own = { ...rule, unit: 'px', width: 320, height: 400, dpi: 96, kilobytes: { min: 30, max: 40 } }
    const small = await change({ preset: 'own', rule: own })
    expect(small.outputs[0]).toMatchObject({ width: 320, height: 400 })
    expect(small.outputs[0]!.bytes.length).toBeGreaterThanOrEqual(30 * 1024)
    expect(small.outputs[0]!.bytes.length).toBeLessThanOrEqual(40 * 1024)
    expect((await sharp(small.outputs[0]!.bytes).metadata()).density).toBe(96)
  })

  test.each([
    [6, 0.5, 0.8, 'engine.shoulders_missing'],
    // Ends within the face.
    [6, 0.5, 0.79, 'engine.portrait_cut'],
    ...(soak ? ([[0, 0.5, 0.8, 'engine.shoulders_missing']] as const) : []),
  ] as const)(
    'of a person cut off too soon, turned by %i°, is refused instead of continued',
    async (degrees, high, wide, code) => {
      const slanted = await sharp(photo('grace_hopper.jpg')).rotate(degrees).png().toBuffer()
      const { width, height } = await sharp(slanted).metadata()
      const part = {
        left: Math.round(0.5 * (1 - wide) * width),
        top: Math.round(0.1 * height * (wide < 0.8 ? 0 : 1)),
        width: Math.round(wide * width),
        height: Math.round(high * height),
      }
      const picture = await sharp(slanted).extract(part).png().toBuffer()
      expect((await check(picture, { preset: '4x6' })).problems).toEqual([{ path: 'picture', code }])
      await expect(make(picture, { preset: '4x6' })).rejects.toMatchObject({ code })
    },
  )

  test('keeps a head that touches the edge, with a warning', async () => {
    const close = sharp(photo('grace_hopper.jpg')).extract({ left: 10, top: 24, width: 360, height: 420 })
    const picture = await close.png().toBuffer()
    for (const { warnings } of [await check(picture, { preset: '35x45' }), await make(picture, { preset: '35x45' })]) {
      expect(warnings).toContain('head_at_edge')
    }
    expect((await check(photo('astronaut.jpg'), { preset: '35x45' })).warnings).not.toContain('head_at_edge')
  })

  test('makes print sheets in true millimetres', async () => {
    const sheets = [
      { paper: '4r', file: 'jpeg', photos: [{ preset: 'this', count: 0 }] },
      {
        paper: 'a4',
        file: 'pdf',
        photos: [
          { preset: '4x6', count: 4 },
          { preset: '2x3', count: 0 },
        ],
      },
    ]
    const { outputs } = await change({ preset: '3x4', sheets })
    expect(outputs.map(({ label, contentType }) => `${label} ${contentType}`)).toEqual([
      ' image/jpeg',
      '4R JPG image/jpeg',
      'A4 PDF application/pdf',
    ])
    const print = await sharp(outputs[1]!.bytes).metadata()
    expect([print.width, print.height].sort()).toEqual([1205, 1795])
    expect(print.density).toBe(300)
    const [, width, height] =
      /MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/.exec(Buffer.from(outputs[2]!.bytes).toString('latin1')) ?? []
    expect([Number(width), Number(height)].map((points) => Math.round((points * 25.4) / 72))).toEqual(
      expect.arrayContaining([210, 297]),
    )
  })
})

describe('the free check', () => {
  test('lists passed and failed checks, and reports the tilt of the head', async () => {
    const { checks = [], problems, warnings, facts } = await check(photo('grace_hopper.jpg'), { preset: '4x6' })
    expect(problems).toEqual([])
    const status = Object.fromEntries(checks.map((check) => [check.code, check.status]))
    expect(status).toMatchObject({
      one_face: 'ok',
      head_height: 'ok',
      eye_line: 'ok',
      tilt: 'ok',
      centre: 'ok',
      facing: 'ok',
      eyes_open: 'ok',
      mouth_closed: 'ok',
      glasses: 'warning',
      light: 'ok',
      shadow: 'ok',
      sharpness: 'ok',
      colour: 'ok',
    })
    expect(warnings).toContain('glasses')
    expect(facts).toMatchObject({ portrait: { width: 384, height: 450 }, sample: { width: 72 } })
    const smile = await check(photo('astronaut.jpg'), { preset: '3x4' })
    const smiling = Object.fromEntries((smile.checks ?? []).map((check) => [check.code, check.status]))
    expect(smiling).toMatchObject({ mouth_closed: 'warning', glasses: 'ok' })
  })

  test('takes teeth between barely open lips for an open mouth, and no dark gap', async () => {
    const bar = (width: number, height: number, background: string) => ({
      input: { create: { width, height, channels: 3 as const, background } },
      left: 201 - Math.ceil(width / 2),
      top: 206,
    })
    const [gap, teeth] = [bar(39, 7, '#4a2018'), bar(33, 6, '#e6dccb')]
    const mouthOf = async (...drawn: (typeof gap)[]) => {
      const opened = sharp(photo('grace_hopper.jpg')).composite(drawn)
      const { checks = [] } = await check(await opened.png().toBuffer(), { preset: '3x4' })
      return checks.find(({ code }) => code === 'mouth_closed')!
    }
    const [closed, smiling] = [await mouthOf(gap), await mouthOf(gap, teeth)]
    expect([closed.status, smiling.status]).toEqual(['ok', 'warning'])
    for (const { measured } of [closed, smiling]) expect(Math.abs(measured! - 0.085)).toBeLessThan(0.035)
  })

  test('takes a line across the nose without lenses for no glasses', async () => {
    const line = { create: { width: 22, height: 4, channels: 3 as const, background: '#402010' } }
    const fringed = sharp(photo('astronaut.jpg')).composite([{ input: line, left: 216, top: 118 }])
    const { checks = [], warnings } = await check(await fringed.png().toBuffer(), { preset: '3x4' })
    expect(checks.find(({ code }) => code === 'glasses')).toMatchObject({ status: 'ok', measured: 0.2 })
    expect(warnings).not.toContain('glasses')
  })

  test('notices a dark photograph, and one that is grey and blurred', async () => {
    const of = async (picture: Sharp) => check(await picture.png().toBuffer(), { preset: '3x4' })
    const grace = () => sharp(photo('grace_hopper.jpg'))
    const colour = ({ checks = [] }: PhotoCheck) => checks.find(({ code }) => code === 'colour')?.status
    const dark = await of(grace().linear(0.3, 0))
    expect([dark.warnings.includes('too_dark'), dark.warnings.includes('blurred')]).toEqual([true, false])
    expect(colour(dark)).toBe('ok')
    const grey = await of(grace().blur(6).greyscale().toColourspace('srgb'))
    expect([grey.warnings.includes('too_dark'), grey.warnings.includes('blurred')]).toEqual([false, true])
    expect(colour(grey)).toBe('warning')
  })

  test('refuses unusable photos like the generation does, with a reason each', async () => {
    const bad = async (picture: Uint8Array) => {
      const { problems } = await check(picture)
      const [found] = problems
      await expect(make(picture)).rejects.toMatchObject({ code: found?.code })
      return found?.code
    }
    expect(await bad(photo('chelsea.jpg'))).toBe('engine.no_face')
    expect(await bad(await sharp(photo('group.jpg')).resize(600).png().toBuffer())).toBe('engine.several_faces')
    expect(await bad(await sharp(photo('astronaut.jpg')).resize(96).png().toBuffer())).toMatch(
      /engine\.(face_too_small|no_face)/,
    )
    const cut = sharp(photo('grace_hopper.jpg')).extract({ left: 40, top: 62, width: 240, height: 380 })
    expect(await bad(await cut.png().toBuffer())).toBe('engine.head_cut')
  })

  test('reports by preset if the shoulders are wide enough', async () => {
    const head = sharp(photo('grace_hopper.jpg')).extract({ left: 10, top: 0, width: 360, height: 300 })
    const picture = await head.png().toBuffer()
    const problems = async (preset: string) => (await check(picture, { preset })).problems.map(({ code }) => code)
    expect(await problems('4x6')).toEqual(['engine.shoulders_missing'])
    expect(await problems('35x45')).toEqual([])
  })
})
