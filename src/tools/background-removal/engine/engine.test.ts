import sharp, { type Sharp } from 'sharp'
import { describe, expect, test } from 'vitest'
import { boundsOf } from '#engine/image/geometry.ts'
import { platforms } from '#engine/platforms.ts'
import type { Box } from '#shared/media.ts'
import { backgrounds, compareAlpha, compose, photo } from '#tests/support/composites.ts'
import { checkWithTool, runOnce, runTool, type ToolTask, toolPool } from '#tests/support/run-tool.ts'
import type { Position } from '#tools/background-removal/contract/definition.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'

function remove(
  picture: Uint8Array,
  params: object = {},
  { background, logo, ...given }: { background?: Uint8Array; logo?: Uint8Array } & Pick<ToolTask, 'kept' | 'test'> = {},
): Promise<EngineOutcome> {
  const inputs = { picture: [picture], background: background ? [background] : [], logo: logo ? [logo] : [] }
  return runOnce('background-removal', { params, inputs, ...given })
}

async function pixels(bytes: Uint8Array) {
  const { data, info } = await sharp(bytes).ensureAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

async function cutOut(picture: Uint8Array, params: object = {}) {
  const outcome = await remove(picture, params)
  const result = await pixels(outcome.outputs[0]!.bytes)
  const alpha = Uint8Array.from({ length: result.width * result.height }, (_, i) => result.data[4 * i + 3]!)
  return { ...result, alpha, outcome }
}

describe('people', () => {
  test('a portrait keeps its size, and every opaque pixel is the input’s own', async () => {
    const source = await pixels(photo('astronaut.jpg'))
    const { width, height, data, alpha } = await cutOut(photo('astronaut.jpg'))
    expect([width, height]).toEqual([source.width, source.height])
    let opaque = 0
    let changed = 0
    for (let i = 0; i < alpha.length; i++) {
      if (alpha[i] !== 255) continue
      opaque++
      for (let c = 0; c < 3; c++) if (data[4 * i + c] !== source.data[4 * i + c]) changed++
    }
    expect(opaque).toBeGreaterThan(0.3 * alpha.length)
    expect(changed).toBe(0)
  })

  test('of a group only the person at a tap stays, whole', async () => {
    const { alpha, width, outcome } = await cutOut(photo('group.jpg'), {
      people: [{ x: 650, y: 120 }],
    })
    const at = (x: number, y: number) => alpha[y * width + x]
    expect(Math.min(...[at(650, 30), at(650, 120), at(520, 430), at(830, 430)].map(Number))).toBeGreaterThan(230)
    expect([at(200, 90), at(150, 350), at(1030, 130), at(1030, 300)]).toEqual([0, 0, 0, 0])
    expect(outcome.outputs).toHaveLength(1)
  })

  test('portraits on other backgrounds match their true alpha', { tags: 'soak' }, async () => {
    const composites = await Promise.all([
      compose('sky', 384, 384, 0.75, 0),
      compose('sunset', 384, 384, 0.69, 22),
      compose('studio', 315, 420, 0.58, 10),
      compose('tiles', 384, 384, 0.75, 0),
      compose('leaves', 450, 338, 0.56, 112),
      compose('table', 300, 375, 0.585, 0),
    ])
    const scores = await Promise.all(
      composites.map(async ({ png, alpha }) => compareAlpha((await cutOut(png)).alpha, alpha)),
    )
    const mean = (pick: 'overlap' | 'difference') => scores.reduce((sum, score) => sum + score[pick], 0) / scores.length
    expect(mean('overlap')).toBeGreaterThan(0.98)
    expect(mean('difference')).toBeLessThan(0.01)
  })

  test('clothes are told apart from patterns of their own colours, and hair from fur', { tags: 'soak' }, async () => {
    const composites = await Promise.all([
      compose('petals', 480, 390, 0.6, 45),
      compose('petals', 360, 450, 0.71, -15),
      compose('cat', 480, 390, 0.6, 105),
    ])
    const scores = await Promise.all(
      composites.map(async ({ png, alpha }) => compareAlpha((await cutOut(png)).alpha, alpha).overlap),
    )
    expect(Math.min(...scores)).toBeGreaterThan(0.96)
  })

  test('all three people of a group are kept, and the gaps between them are removed', async () => {
    const { width, alpha } = await cutOut(photo('group.jpg'))
    const at = (x: number, y: number) => alpha[y * width + x]
    for (const [x, y] of [
      [200, 110],
      [650, 170],
      [1032, 158],
      [180, 270],
      [640, 380],
      [1040, 260],
    ] as const) {
      expect([x, y, at(x, y)]).toEqual([x, y, 255])
    }
    for (const [x, y] of [
      [330, 60],
      [500, 60],
      [840, 60],
      [960, 40],
      [1190, 20],
      [870, 420],
    ] as const) {
      expect([x, y, at(x, y)]).toEqual([x, y, 0])
    }
  })

  test('no veil of the old background remains beside people of a group', { tags: 'soak' }, async () => {
    const { width, height, alpha } = await cutOut(photo('group.jpg'))
    let veiled = 0
    for (let y = 6; y < height - 6; y++) {
      for (let x = 6; x < width - 6; x++) {
        const value = alpha[y * width + x]!
        if (value < 20 || value > 200) continue
        const held = [-6, 0, 6].some((dy) => [-6, 0, 6].some((dx) => alpha[(y + dy) * width + x + dx]! > 240))
        if (!held) veiled++
      }
    }
    expect(veiled).toBeLessThan(0.0015 * alpha.length)
  })

  test('objects that a person holds are kept, unless only people are wanted', { tags: 'soak' }, async () => {
    const { png } = await compose('studio', 900, 600, 0.62, 300)
    const create = { width: 420, height: 26, channels: 3, background: '#2f6f4f' } as const
    const input = await sharp({ create }).png().toBuffer()
    const picture = await sharp(png)
      .composite([{ input, left: 440, top: 500 }])
      .png()
      .toBuffer()
    const [both, alone] = [await cutOut(picture), await cutOut(picture, { subject: 'person' })]
    // The helmet, which a board separates from the person.
    expect([both.alpha[562 * 900 + 544], alone.alpha[562 * 900 + 544]]).toEqual([255, 0])
    expect([both.alpha[450 * 900 + 410], alone.alpha[450 * 900 + 410]]).toEqual([255, 255])
  })

  test('a box keeps a person of the group and drops the others', { tags: 'soak' }, async () => {
    const { width, alpha } = await cutOut(photo('group.jpg'), {
      subject: 'person',
      box: { x: 470, y: 10, width: 360, height: 430 },
    })
    const at = (x: number, y: number) => alpha[y * width + x]
    expect([at(200, 110), at(650, 170), at(1032, 158)]).toEqual([0, 255, 0])
  })

  test('a person whose face is hidden is kept', { tags: 'soak' }, async () => {
    const source = await compose('studio', 512, 512, 1, 0)
    const { data } = await sharp(source.png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    for (let i = 0; i < 512 * 512; i++) {
      const [x, y] = [((i % 512) - 224) / 52, (i / 512 - 120) / 72]
      if (x * x + y * y < 1) data.set([90, 64, 48], 3 * i)
    }
    const raw = { width: 512, height: 512, channels: 3 } as const
    const hidden = await sharp(data, { raw }).png().toBuffer()
    expect(compareAlpha((await cutOut(hidden)).alpha, source.alpha).overlap).toBeGreaterThan(0.95)
  })

  test('a picture without people is refused when people are wanted', async () => {
    const wall = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#9ab' } })
      .png()
      .toBuffer()
    await expect(remove(wall, { subject: 'person' })).rejects.toMatchObject({ code: 'engine.no_subject' })
    await expect(remove(wall)).rejects.toMatchObject({ code: 'engine.no_subject' })
  })
})

describe('objects', () => {
  test('a cup on a table is cut out by itself', async () => {
    const { alpha, width } = await cutOut(photo('coffee.jpg'))
    expect([
      alpha[110 * width + 290],
      alpha[220 * width + 220],
      alpha[15 * width + 20],
      alpha[380 * width + 580],
    ]).toEqual([255, 255, 0, 0])
  })

  test('a small person beside a marked cup does not displace the cup', { tags: 'soak' }, async () => {
    const { png, alpha: matte } = await compose('sky', 460, 460, 460 / 512, 0)
    const person = await sharp(png)
      .removeAlpha()
      .joinChannel(matte, { raw: { width: 460, height: 460, channels: 1 } })
      .png()
      .toBuffer()
    const table = sharp(photo('coffee.jpg')).resize(1800, 1200)
    const { alpha, width } = await cutOut(
      await table
        .composite([{ input: person, left: 0, top: 0 }])
        .png()
        .toBuffer(),
      { box: { x: 200, y: 20, width: 1280, height: 1160 } },
    )
    const at = (x: number, y: number) => alpha[y * width + x]
    expect([at(870, 330), at(660, 660), at(170, 300), at(1740, 1140)]).toEqual([255, 255, 0, 0])
  })

  test('with several possible subjects the check reports it, with a box to begin with', async () => {
    const tower = { x: 205, y: 110, width: 50, height: 130 }
    const { problems, facts } = await checkWithTool(toolPool, 'background-removal', {
      inputs: { picture: [photo('rocket.jpg')] },
    })
    expect(problems).toEqual([{ path: 'box', code: 'engine.subject_unsure' }])
    const { x, y, width, height } = facts.likely as unknown as Box
    expect(Math.min(x, y, 1 - x - width, 1 - y - height)).toBeGreaterThanOrEqual(0)
    expect(width * height).toBeGreaterThan(0)
    await expect(remove(photo('rocket.jpg'))).rejects.toMatchObject({ code: 'engine.subject_unsure' })
    expect((await remove(photo('rocket.jpg'), { box: tower })).outputs).toHaveLength(1)
  })

  describe('a provider’s matte', () => {
    /** A box of one alpha, 0 to 255. */
    const matte = async (name: string, [left, top, width, height]: number[], alpha = 255) => {
      const size = await sharp(photo(name)).metadata()
      const background = (grey: number) => ({ r: grey, g: grey, b: grey })
      const plane = (size: { width?: number; height?: number }, grey: number) =>
        sharp({ create: { width: size.width!, height: size.height!, channels: 3, background: background(grey) } }).png()
      const input = await plane({ width, height }, alpha).toBuffer()
      const bytes = await plane(size, 0)
        .composite([{ input, left: left!, top: top! }])
        .removeAlpha()
        .toColourspace('b-w')
        .toBuffer()
      return [{ label: 'matte/0/alpha', contentType: 'image/png', bytes }]
    }
    const run = async (name: string, done: Awaited<ReturnType<typeof matte>>) => {
      const { outputs } = await runTool(toolPool, 'background-removal', { inputs: { picture: [photo(name)] }, done })
      return pixels(outputs[0]!.bytes)
    }

    test('answers an open question, also before the charge, only if it confirms the engine’s guess', async () => {
      const problems = async (done: Awaited<ReturnType<typeof matte>>) => {
        const inputs = { picture: [photo('rocket.jpg')] }
        return (await checkWithTool(toolPool, 'background-removal', { inputs, done })).problems
      }
      const rocket = [234, 110, 15, 195]
      const good = await matte('rocket.jpg', rocket)
      const { data, width } = await run('rocket.jpg', good)
      expect([data[4 * (width * 200 + 241) + 3], data[4 * (width * 180 + 100) + 3]]).toEqual([255, 0])
      expect(await problems(good)).toEqual([])
      const bad = [[rocket, 136], [[205, 110, 50, 130]], [[9, 9, 4, 4]]] as const
      for (const [index, [part, alpha]] of bad.entries()) {
        const given = await matte('rocket.jpg', [...part], alpha)
        expect(await problems(given)).toEqual([{ path: 'box', code: 'engine.subject_unsure' }])
        if (index > 0 && !process.env.SOAK) continue
        await expect(run('rocket.jpg', given)).rejects.toMatchObject({ code: 'engine.subject_unsure' })
      }
    })

    test('that misses what is certain is replaced by the engine’s own', async () => {
      const own = await cutOut(photo('coffee.jpg'))
      const { data } = await run('coffee.jpg', await matte('coffee.jpg', [0, 0, 60, 60]))
      expect(Buffer.compare(Buffer.from(data), Buffer.from(own.data))).toBe(0)
    })
  })

  test('the area that a frame leaves of a picture is not taken for an object', async () => {
    const frame = { top: 30, bottom: 30, left: 30, right: 30, background: '#000000' }
    const framed = await sharp(photo('brick.jpg')).extend(frame).png().toBuffer()
    const { problems } = await checkWithTool(toolPool, 'background-removal', { inputs: { picture: [framed] } })
    expect(problems).toEqual([{ path: 'box', code: 'engine.subject_unsure' }])
  })

  test('a box around cup and saucer keeps both', async () => {
    const truth = await sharp(photo('coffee.alpha.png')).toColourspace('b-w').raw().toBuffer()
    const { alpha } = await cutOut(photo('coffee.jpg'), {
      subject: 'object',
      box: { x: 70, y: 10, width: 418, height: 386 },
    })
    expect(compareAlpha(alpha, truth).overlap).toBeGreaterThan(0.95)
  })

  test('a cup on other grounds is found without a box, and matches its true alpha', { tags: 'soak' }, async () => {
    const margin = { top: 60, bottom: 60, left: 90, right: 90, background: '#000000' }
    const matte = await sharp(photo('coffee.alpha.png'))
      .resize(420, 280)
      .extend(margin)
      .toColourspace('b-w')
      .raw()
      .toBuffer()
    const cup = await sharp(photo('coffee.jpg'))
      .resize(420, 280)
      .extend(margin)
      .joinChannel(matte, { raw: { width: 600, height: 400, channels: 1 } })
      .png()
      .toBuffer()
    const grounds = [
      photo('brick.jpg'),
      ...(await Promise.all(['petals', 'tiles', 'leaves'].map((name) => backgrounds[name]!()))),
    ]
    const overlaps = await Promise.all(
      grounds.map(async (ground) => {
        const picture = sharp(ground)
          .resize(600, 400, { fit: 'cover' })
          .composite([{ input: cup }])
        return compareAlpha((await cutOut(await picture.png().toBuffer())).alpha, matte).overlap
      }),
    )
    expect(Math.min(...overlaps)).toBeGreaterThan(0.98)
  })

  test('a cat is kept and the room behind it is removed', async () => {
    const { alpha, width } = await cutOut(photo('chelsea.jpg'))
    const at = (x: number, y: number) => alpha[y * width + x]
    expect([at(170, 115), at(315, 135), at(265, 245), at(100, 80)]).toEqual([255, 255, 255, 255])
    expect(at(15, 40)).toBeLessThan(30)
    expect(at(430, 150)).toBe(0)
  })
})

describe('rendering again', () => {
  test('another background, crop or format is rendered from the kept layer and equals the first rendering', async () => {
    const first = await remove(photo('astronaut.jpg'))
    expect(first.kept.map((layer) => layer.label)).toEqual(['matte', 'data'])
    const again = await remove(photo('astronaut.jpg'), {}, { kept: first.kept })
    expect(Buffer.compare(again.outputs[0]!.bytes, first.outputs[0]!.bytes)).toBe(0)
    expect(again.kept).toEqual([])
    const red = await pixels(
      (await remove(photo('astronaut.jpg'), { background: { type: 'color', color: '#c8102e' } }, first)).outputs[0]!
        .bytes,
    )
    expect([...red.data.subarray(4 * 130, 4 * 130 + 4)]).toEqual([0xc8, 0x10, 0x2e, 255])
  })

  test('shops, feeds and messengers get their required shape, with the subject in its middle', async () => {
    const { kept } = await remove(photo('coffee.jpg'), { subject: 'object' })
    const shaped = async (params: object) => {
      const { outputs } = await remove(photo('coffee.jpg'), { subject: 'object', ...params }, { kept })
      const { bytes } = outputs[0]!
      return { ...(await pixels(bytes)), bytes: bytes.length, info: await sharp(bytes).metadata() }
    }
    const white = { type: 'color', color: '#ffffff' }
    const shop = await shaped({ shape: '1:1', background: white, margin: 0.1, shadow: true, format: 'jpeg' })
    expect(shop.width).toBe(shop.height)
    expect([...shop.data.subarray(0, 3)].every((value) => value > 250)).toBe(true)
    expect(shop.data[4 * (shop.width * (shop.height >> 1) + (shop.width >> 1))]).toBeLessThan(250)
    const feed = await shaped({ shape: '4:5', background: { type: 'blur' } })
    expect(feed.width / feed.height).toBeCloseTo(0.8, 2)
    for (const shape of ['shopee', 'tokopedia', 'tiktok-shop', 'instagram'] as const) {
      const { width, height, maxBytes } = platforms[shape]
      const made = await shaped({ shape, background: white, shadow: true, format: 'jpeg' })
      expect([shape, made.width, made.height, made.bytes <= maxBytes]).toEqual([shape, width, height, true])
    }
    const sticker = await shaped({ shape: 'sticker', format: 'png' })
    expect([sticker.width, sticker.height, sticker.info.format]).toEqual([512, 512, 'webp'])
    expect(sticker.bytes).toBeLessThanOrEqual(100 * 1024)
  })

  test('a person cut off by the lower edge of the photograph stands on the lower edge of the frame', {
    tags: 'soak',
  }, async () => {
    const { outputs } = await remove(photo('astronaut.jpg'), { shape: 'shopee' })
    const { data, width, height } = await pixels(outputs[0]!.bytes)
    const row = (y: number) => Array.from({ length: width }, (_, x) => data[4 * (y * width + x) + 3]!)
    expect(row(height - 3).filter((alpha) => alpha > 200).length).toBeGreaterThan(0.2 * width)
    expect(Math.max(...row(0))).toBe(0)
  })

  test('a translucent logo lies at the chosen position', async () => {
    const create = { width: 60, height: 30, channels: 3, background: '#0000ff' } as const
    const logo = await sharp({ create }).png().toBuffer()
    const first = await remove(photo('astronaut.jpg'))
    const params = { background: { type: 'color', color: '#ffffff' } }
    const draw = (corner: string, opacity: number) => {
      const options = { ...params, logo: { place: corner, opacity, size: 0.25, margin: 0.1 } }
      return remove(photo('astronaut.jpg'), options, { kept: first.kept, logo }).then(({ outputs }) =>
        pixels(outputs[0]!.bytes),
      )
    }
    const at = ({ data, width }: Awaited<ReturnType<typeof pixels>>, x: number, y: number) => [
      ...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 4),
    ]
    const plain = await draw('top-left', 1)
    // 512 pixels: 128 by 64, 51 from the edges.
    expect([at(plain, 55, 55), at(plain, 175, 110), at(plain, 45, 55), at(plain, 55, 120)]).toEqual([
      [0, 0, 255, 255],
      [0, 0, 255, 255],
      [255, 255, 255, 255],
      [255, 255, 255, 255],
    ])
    expect(at(await draw('top-right', 0.5), 400, 60)).toEqual([128, 128, 255, 255])
    await expect(
      remove(photo('astronaut.jpg'), { logo: { place: 'middle', opacity: 1, size: 0.2, margin: 0 } }),
    ).rejects.toThrow()
  })

  test('cropping leaves the subject with the requested margin', async () => {
    const first = await remove(await compose('sky', 600, 466, 0.47, 173).then(({ png }) => png))
    const crop = async (margin: number) => {
      const source = await compose('sky', 600, 466, 0.47, 173)
      return (await remove(source.png, { crop: true, margin }, first)).outputs[0]!
    }
    const [tight, wide] = [await crop(0), await crop(0.2)]
    expect(tight.width).toBeLessThan(267)
    expect(wide.width - tight.width).toBeGreaterThan(0.3 * tight.height)
    const { data, width, height } = await pixels(tight.bytes)
    const column = (x: number) => Array.from({ length: height }, (_, y) => data[4 * (y * width + x) + 3]!)
    expect(Math.max(...column(0))).toBeGreaterThan(0)
    expect(Math.max(...column(width - 1))).toBeGreaterThan(0)
  })

  test('a program names the margin of each side, also beyond the photograph', async () => {
    const first = await remove(photo('astronaut.jpg'))
    const boxOf = ({ facts }: EngineOutcome) => facts.foreground as unknown as Box
    const { x, width, height } = boxOf(first)
    const margins = { top: { pixels: 10 }, right: { pixels: 0 }, bottom: { share: 0.25 }, left: { pixels: x + 40 } }
    const cropped = await remove(photo('astronaut.jpg'), { crop: true, margins }, first)
    const [output] = cropped.outputs
    expect([output!.width, output!.height]).toEqual([width + x + 40, height + 10 + Math.round(0.25 * height)])
    expect(cropped.facts).toMatchObject({ foreground: boxOf(first), places: [{ scale: 1, x: 40 }] })
    const { data } = await pixels(output!.bytes)
    const visible = { width: output!.width, height: output!.height, data: data.filter((_, i) => i % 4 === 3) }
    expect(boundsOf(visible, 0.05 * 255)).toEqual({ x: x + 40, y: 10, width, height })
  })

  test('a program gets the result in at most so many pixels, and the matte alone', async () => {
    const first = await remove(photo('astronaut.jpg'))
    const whole = await pixels(first.outputs[0]!.bytes)
    const small = (await remove(photo('astronaut.jpg'), { maxPixels: 40_000 }, first)).outputs[0]!
    expect([small.width, small.height]).toEqual([200, 200])
    const matte = await pixels((await remove(photo('astronaut.jpg'), { channels: 'alpha' }, first)).outputs[0]!.bytes)
    const at = (x: number, y: number) => 4 * (y * whole.width + x)
    for (const place of [at(5, 5), at(256, 200), at(256, 500)]) {
      const alpha = whole.data[place + 3]
      expect([...matte.data.subarray(place, place + 4)]).toEqual([alpha, alpha, alpha, 255])
    }
  })

  test('a program gets colours and matte apart, which together are the result', async () => {
    const first = await remove(photo('astronaut.jpg'))
    const whole = await pixels(first.outputs[0]!.bytes)
    const { outputs } = await remove(photo('astronaut.jpg'), { channels: 'separate' }, first)
    expect(outputs.map(({ label, contentType }) => [label, contentType])).toEqual([
      ['color', 'image/jpeg'],
      ['alpha', 'image/png'],
    ])
    const [colours, matte] = [await pixels(outputs[0]!.bytes), await pixels(outputs[1]!.bytes)]
    let [error, visible, otherAlpha] = [0, 0, 0]
    for (let i = 0; i < whole.data.length; i += 4) {
      const alpha = whole.data[i + 3]!
      if (matte.data[i] !== alpha) otherAlpha += 1
      if (alpha === 0) continue
      visible += 1
      error += (Math.abs(whole.data[i]! - colours.data[i]!) * alpha) / 255
    }
    expect(otherAlpha).toBe(0)
    expect(error / visible).toBeLessThan(3)
  })

  test.each<Position>([
    { scale: 0.5, x: 0.5, y: 0.5 },
    { scale: 0.25, x: 0, y: 1 },
    { x: 1, y: 0 },
  ])('a program places the subject at %o', async (position) => {
    const first = await remove(photo('astronaut.jpg'))
    const boxOf = async (bytes: Uint8Array) => {
      const { data, width, height } = await pixels(bytes)
      const alpha = { width, height, data: new Uint8Array(width * height).map((_, i) => data[4 * i + 3]!) }
      return { ...boundsOf(alpha, 127)!, of: { width, height } }
    }
    const before = await boxOf(first.outputs[0]!.bytes)
    const { outputs } = await remove(photo('astronaut.jpg'), { position }, first)
    const after = await boxOf(outputs[0]!.bytes)
    const { width, height } = before.of
    expect(after.of).toEqual(before.of)
    const by = position.scale ? position.scale * Math.min(width / before.width, height / before.height) : 1
    // Half a pixel of soft edge a side.
    expect(Math.abs(after.width - by * before.width)).toBeLessThanOrEqual(4)
    expect(Math.abs(after.height - by * before.height)).toBeLessThanOrEqual(4)
    expect(Math.abs(after.x - position.x * (width - after.width))).toBeLessThanOrEqual(4)
    expect(Math.abs(after.y - position.y * (height - after.height))).toBeLessThanOrEqual(4)
  })

  test('a half transparent colour stays so behind the subject', async () => {
    const first = await remove(photo('astronaut.jpg'))
    const background = { type: 'color', color: '#ff000080' } as const
    const { outputs } = await remove(photo('astronaut.jpg'), { background }, first)
    const { data, width } = await pixels(outputs[0]!.bytes)
    expect([...data.subarray(4 * (5 * width + 5), 4 * (5 * width + 5) + 4)]).toEqual([255, 0, 0, 128])
    expect(data[4 * (500 * width + 256) + 3]).toBe(255)
  })

  test('a test key gets the result with a watermark and of at most a million pixels, also when it is rendered again', async () => {
    const first = await remove(photo('astronaut.jpg'))
    const plain = await pixels(first.outputs[0]!.bytes)
    for (const kept of [[], first.kept]) {
      const { outputs } = await remove(photo('astronaut.jpg'), {}, { ...(kept.length > 0 && { kept }), test: true })
      const marked = await pixels(outputs[0]!.bytes)
      let different = 0
      for (let i = 0; i < plain.data.length; i += 4) {
        if (plain.data[i + 3] === 255 && Math.abs(plain.data[i]! - marked.data[i]!) > 8) different += 1
      }
      expect(different).toBeGreaterThan(1000)
    }
    const side = 1010
    const large = await sharp(photo('astronaut.jpg')).resize(side).png().toBuffer()
    const { outputs, facts } = await remove(large, {}, { test: true })
    const { width, height } = outputs[0]!
    expect(width * height).toBeLessThanOrEqual(1_000_000)
    expect(facts).toMatchObject({ kind: 'person', places: [{ scale: width / side }] })
  })

  test('a blurred background contains no trace of the subject', async () => {
    const source = await compose('sky', 512, 512, 1, 0)
    const { outputs } = await remove(source.png, { background: { type: 'blur' } })
    const { data } = await pixels(outputs[0]!.bytes)
    let reddest = -255
    for (let y = 0; y < 512; y++) {
      for (let x = 0; x < 512; x++) {
        const i = y * 512 + x
        const nearby = [-12, 0, 12].some((dy) => [-12, 0, 12].some((dx) => source.alpha[i + dy * 512 + dx]! > 0))
        if (!nearby) reddest = Math.max(reddest, data[4 * i]! - data[4 * i + 2]!)
      }
    }
    expect(reddest).toBeLessThan(0)
  })

  test("the user's background covers the picture, and its file is required", async () => {
    const first = await remove(photo('astronaut.jpg'))
    const stripes = await sharp({ create: { width: 200, height: 80, channels: 3, background: '#00ff00' } })
      .png()
      .toBuffer()
    const params = { background: { type: 'image' }, format: 'jpeg' }
    const { outputs } = await remove(photo('astronaut.jpg'), params, { kept: first.kept, background: stripes })
    expect(outputs[0]).toMatchObject({ width: 512, height: 512, contentType: 'image/jpeg' })
    const { data } = await pixels(outputs[0]!.bytes)
    expect(data[4 * 130 + 1]).toBeGreaterThan(240)
    await expect(remove(photo('astronaut.jpg'), params, first)).rejects.toMatchObject({ code: 'upload.missing' })
  })

  test('a program chooses how dark the shadow is', async () => {
    const { png } = await compose('sky', 600, 466, 0.47, 173)
    const first = await remove(png)
    const darkness = async (params: object) => {
      const { data } = await pixels((await remove(png, { shadow: true, ...params }, first)).outputs[0]!.bytes)
      return data.reduce((sum, value, i) => sum + (i % 4 === 3 ? value : 0), 0)
    }
    const [none, usual, dark] = [
      await darkness({ shadowOpacity: 0 }),
      await darkness({}),
      await darkness({ shadowOpacity: 1 }),
    ]
    expect(usual).toBeGreaterThan(none)
    expect(dark).toBeGreaterThan(usual)
  })

  test('a shadow darkens the ground beside the subject and leaves the subject alone', async () => {
    const first = await remove(photo('astronaut.jpg'))
    const plain = await pixels((await remove(photo('astronaut.jpg'), {}, first)).outputs[0]!.bytes)
    const shaded = await pixels((await remove(photo('astronaut.jpg'), { shadow: true }, first)).outputs[0]!.bytes)
    let darkened = 0
    let touched = 0
    for (let i = 0; i < plain.data.length; i += 4) {
      if (plain.data[i + 3] === 0 && shaded.data[i + 3]! > 20) darkened++
      if (plain.data[i + 3] === 255 && plain.data.compare(shaded.data, i, i + 4, i, i + 4) !== 0) touched++
    }
    expect(darkened).toBeGreaterThan(500)
    expect(touched).toBe(0)
  })
})

describe('warnings', () => {
  const warningsOf = async (picture: Sharp) => (await remove(await picture.png().toBuffer())).warnings

  test('a good portrait has no warning', async () => {
    expect((await remove(photo('astronaut.jpg'))).warnings).toEqual([])
  })

  test('a dark portrait and a tiny one each have their warning', async () => {
    expect(await warningsOf(sharp(photo('astronaut.jpg')).linear(0.16, 4))).toContain('too_dark')
    expect(await warningsOf(sharp(photo('astronaut.jpg')).resize(128))).toContain('low_resolution')
  })

  test('an overexposed portrait and a blurred one each have their warning', { tags: 'soak' }, async () => {
    expect(await warningsOf(sharp(photo('astronaut.jpg')).linear(2, 60))).toContain('overexposed')
    expect(await warningsOf(sharp(photo('astronaut.jpg')).blur(7))).toContain('blurred')
  })
})

describe('bad files', () => {
  test.each([
    ['an empty file', Buffer.alloc(0), 'upload.empty'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'upload.not_image'],
    ['a cut-off photograph', photo('astronaut.jpg').subarray(0, 20_000), 'upload.unreadable'],
  ])('%s fails with its code, and the thread continues', async (_, bytes, code) => {
    await expect(remove(bytes)).rejects.toMatchObject({ code })
  })

  test('a box outside the picture is refused', async () => {
    const box = { x: 5000, y: 5000, width: 100, height: 100 }
    await expect(remove(photo('coffee.jpg'), { box })).rejects.toMatchObject({ code: 'params.invalid' })
  })
})
