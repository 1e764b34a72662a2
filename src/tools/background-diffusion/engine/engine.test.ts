import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { isLocation, locationIds, type RetiredSceneId, retiredScenes, surfaceIds } from '#engine/scenes.ts'
import { neutralWishes, readPrompt, renderScene, scenesFor, shownLocation } from '#engine/tasks/background/index.ts'
import { photo } from '#tests/support/composites.ts'
import { checkWithTool, runOnce, runTool, toolPool } from '#tests/support/run-tool.ts'
import { testHost } from '#tests/support/test-host.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'

const portrait = await sharp(photo('astronaut.jpg')).resize(256).png().toBuffer()
const make = (params: object, kept?: EngineOutcome['kept']) =>
  runOnce('background-diffusion', { params: { format: 'png', ...params }, inputs: { picture: [portrait] }, kept })
const soak = Boolean(process.env.SOAK)
const rgb = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer()
const mean = async (bytes: Uint8Array, left: number, top: number) => {
  const part = await sharp(bytes).extract({ left, top, width: 30, height: 30 }).png().toBuffer()
  const { channels } = await sharp(part).stats()
  return channels.map((channel) => channel.mean)
}
const difference = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length

describe('a new background', () => {
  test('a generation makes four variants, each with another background and seed, and without matched light no pixel inside the person changes', async () => {
    const { outputs, facts, kept } = await make({ prompt: 'lobi hotel hangat di sore hari', match: 0 })
    expect(outputs.map(({ label }) => label)).toEqual(['1', '2', '3', '4'])
    expect(facts).toMatchObject({ seed: '1, 2, 3, 4', studioScene: true, scene: 'esplanade' })
    const matte = kept.find(({ label }) => label === 'matte')!
    const [alpha, before, ...after] = await Promise.all([
      sharp(matte.bytes).toColourspace('b-w').raw().toBuffer(),
      rgb(portrait),
      ...outputs.map(({ bytes }) => rgb(bytes)),
    ])
    let inside = 0
    for (let i = 0; i < alpha.length; i++) {
      if (alpha[i] !== 255) continue
      inside++
      for (const picture of after) {
        for (let c = 0; c < 3; c++) if (picture[3 * i + c] !== before[3 * i + c]) throw new Error(`pixel ${i} changed`)
      }
    }
    expect(inside).toBeGreaterThan(0.3 * alpha.length)
    for (const [i, a] of after.entries())
      for (const b of after.slice(i + 1)) expect(difference(a, b)).toBeGreaterThan(1.5)
  })

  test('the light of a location falls on the person, who stays recognisable', async () => {
    const params = { scene: 'park', variants: 1, shadow: false }
    const [off, lit] = await Promise.all([make({ ...params, match: 0 }), make(params)])
    const [before, after] = await Promise.all([off, lit].map(({ outputs }) => rgb(outputs[0]!.bytes)))
    // The background is the same; the face changes, but little.
    expect(difference(before!.subarray(0, 300), after!.subarray(0, 300))).toBe(0)
    const part = (picture: Buffer) => {
      return Buffer.concat(
        Array.from({ length: 20 }, (_, y) => picture.subarray(3 * (256 * (50 + y) + 105), 3 * (256 * (50 + y) + 125))),
      )
    }
    const change = difference(part(before!), part(after!))
    expect(change).toBeGreaterThan(1)
    expect(change).toBeLessThan(30)
  })

  test('strokes correct the cut-out of a finished result', async () => {
    const params = { scene: 'plain', variants: 1, shadow: false }
    const { kept, outputs } = await make(params)
    const strokes = [{ mode: 'erase', shape: 'line', size: 30, points: [128, 200, 140, 200] }]
    const corrected = await make({ ...params, strokes }, kept)
    const [before, after] = [outputs, corrected.outputs].map((made) => made[0]!.bytes)
    const [person, wall] = [await mean(before!, 119, 185), await mean(after!, 119, 185)]
    expect(Math.max(...person.map((level, c) => Math.abs(level - wall[c]!)))).toBeGreaterThan(30)
    expect(await mean(after!, 0, 0)).toEqual(await mean(before!, 0, 0))
  })

  test('the same seed gives the same background again, another one does not', { tags: 'soak' }, async () => {
    const [first, again, other] = await Promise.all([
      make({ scene: 'leaves', variants: 1, seed: 77 }),
      make({ scene: 'leaves', variants: 2, seed: 76 }),
      make({ scene: 'leaves', variants: 1, seed: 78 }),
    ])
    expect(Buffer.compare(first.outputs[0]!.bytes, again.outputs[1]!.bytes)).toBe(0)
    expect(Buffer.compare(first.outputs[0]!.bytes, other.outputs[0]!.bytes)).not.toBe(0)
  })

  test('the prompt chooses the scene and its colours', async () => {
    const { outputs } = await make({ prompt: 'studio polos warna biru tua', variants: 1 })
    const [red, , blue] = await mean(outputs[0]!.bytes, 5, 5)
    expect(blue! - red!).toBeGreaterThan(15)
    const warm = await make({ prompt: 'plain red studio backdrop', variants: 1 })
    const [r, , b] = await mean(warm.outputs[0]!.bytes, 5, 5)
    expect(r! - b!).toBeGreaterThan(15)
  })

  test('the subject is made smaller and moved for free, and the background stays', async () => {
    const first = await make({ scene: 'studio', prompt: 'biru', variants: 1, shadow: false })
    const moved = await make(
      { scene: 'studio', prompt: 'biru', variants: 1, shadow: false, scale: 0.5, x: 0.2 },
      first.kept,
    )
    const [whole, small] = await Promise.all([rgb(first.outputs[0]!.bytes), rgb(moved.outputs[0]!.bytes)])
    // Blue paper replaces the head; the corner never changed.
    const at = (x: number, y: number) => 3 * (y * 256 + x)
    expect(small[at(105, 45) + 2]! - small[at(105, 45)]!).toBeGreaterThan(10)
    expect(whole.subarray(at(2, 2), at(12, 2))).toEqual(small.subarray(at(2, 2), at(12, 2)))
  })

  test('platform formats are drawn at their size for free, with the person on the lower edge', async () => {
    const { kept } = await make({ scene: 'studio', prompt: 'biru', variants: 1, shadow: false })
    const draw = { scene: 'studio', prompt: 'biru', variants: 1, shadow: false, shape: 'shopee' }
    const { outputs, facts } = await make(draw, kept)
    expect(outputs[0]).toMatchObject({ width: 1024, height: 1024 })
    const data = await rgb(outputs[0]!.bytes)
    const blue = (x: number, y: number) => data[3 * (1024 * y + x) + 2]! - data[3 * (1024 * y + x)]!
    expect(blue(20, 20)).toBeGreaterThan(10)
    const [placement] = facts.places as { scale: number }[]
    expect(placement!.scale).toBeGreaterThan(3)
    const alpha = await sharp(kept.find(({ label }) => label === 'matte')!.bytes)
      .toColourspace('b-w')
      .raw()
      .toBuffer()
    const below = Array.from({ length: 256 }, (_, x) => x).filter((x) => alpha[256 * 255 + x] === 255)
    expect(below.length).toBeGreaterThan(50)
    expect(blue(512, 1015)).toBeLessThan(10)
  })

  test('light from the left makes the left of a studio brighter', { tags: 'soak' }, async () => {
    const { kept } = await make({ scene: 'studio', variants: 1 })
    const side = async (light: string) => {
      const { outputs } = await make({ scene: 'studio', variants: 1, light, shadow: false }, kept)
      const [left, right] = [await mean(outputs[0]!.bytes, 10, 30), await mean(outputs[0]!.bytes, 215, 30)]
      return left[1]! - right[1]!
    }
    expect(await side('left')).toBeGreaterThan((await side('right')) + 20)
  })

  test('a picture without a clear subject is refused, and an uncertain one is warned of before the charge', async () => {
    const blank = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
    await expect(runTool(toolPool, 'background-diffusion', { inputs: { picture: [blank] } })).rejects.toMatchObject({
      code: 'engine.no_subject',
    })
    const [none, several, one] = await Promise.all(
      [blank, photo('rocket.jpg'), portrait].map((picture) =>
        checkWithTool(toolPool, 'background-diffusion', { inputs: { picture: [picture] } }),
      ),
    )
    expect(none).toMatchObject({ problems: [{ path: 'picture', code: 'engine.no_subject' }], warnings: [] })
    expect(several).toMatchObject({ problems: [], warnings: ['subject_unsure'] })
    expect(one).toMatchObject({ problems: [], warnings: [] })
  })
})

describe('prompts', () => {
  test.each([
    ['meja kayu jati', 'table'],
    ['kantor modern', 'bridge'],
    ['a cozy hotel lobby', 'esplanade'],
    ['dinding bata merah', 'brick'],
    ['tamannya', 'park'],
    ['taman saat matahari terbit', 'sunrise'],
    ['motif kawung', 'batik'],
    ['background without leaves, concrete', 'concrete'],
    ['hutan tropis', 'forest'],
  ])('"%s" means %s', (prompt, scene) => {
    expect(readPrompt(prompt).scenes).toContain(scene)
    expect(scenesFor('auto', readPrompt(prompt), 4)).toContain(scene)
  })

  test('moods and colours are read in both languages', () => {
    expect(readPrompt('lobi hotel hangat').wishesFor('esplanade').warmth).toBeGreaterThan(0)
    // A location that shows the time of day itself is not tinted for it.
    expect(readPrompt('padang rumput pagi').wishesFor('sunrise').warmth).toBe(0)
    expect(readPrompt('cold dark office').wishesFor('lobby')).toMatchObject({ warmth: -0.7, brightness: -0.6 })
    expect(readPrompt('tirai merah muda').wishesFor('curtain').colours).toHaveLength(1)
    expect(readPrompt('background red').wishesFor('studio').colours).toHaveLength(1)
    expect(new Set(scenesFor('auto', readPrompt(''), 4)).size).toBe(4)
  })

  test.each([
    ['lobi hotel dengan tirai merah', 'curtain', 'esplanade'],
    ['a green garden and a brick wall', 'park', 'brick'],
    ['tembok bata putih di taman', 'brick', 'park'],
    ['wooden wall, blue curtain', 'curtain', 'wood'],
  ] as const)('in "%s" the colour is that of the %s and not of the %s', (prompt, coloured, plain) => {
    const { wishesFor } = readPrompt(prompt)
    expect(wishesFor(coloured).colours).toHaveLength(1)
    expect(wishesFor(plain).colours).toHaveLength(0)
  })

  test.each([
    ['a green vineyard with bright sky', ['vineyard']],
    ['masjid', ['masjid']],
    ['di depan Borobudur saat pagi', ['borobudur']],
    ['coral reef', ['coral reef']],
    ['taman dengan mobil merah', ['mobil']],
    ['pantai Bali, langit biru', ['bali']],
    ['lobi hotel hangat di sore hari', []],
    ['plain red studio backdrop', []],
    ['garden without people', []],
  ])('words of "%s" that no scene can show are reported: %j', (prompt, unknown) => {
    const reading = readPrompt(prompt)
    expect(reading.unknown).toEqual(unknown)
    expect(reading.wishesFor('studio').colours.length).toBe(prompt.includes('red studio') ? 1 : 0)
  })

  test.each([
    ['without leaves', 'forest'],
    ['tanpa taman atau hotel', 'park', 'esplanade'],
    ['no windows', 'window-light', 'bridge', 'apartment'],
    ['kantor, jangan ada lampu', 'lobby', 'esplanade'],
    ['taman tanpa pohon', 'park', 'forest'],
    ['hutan tanpa daun', 'forest'],
    ['nature, not trees', 'forest', 'park'],
    ['tanpa bayangan', 'window-light'],
    ['studio tanpa bata dan kayu', 'brick', 'wood'],
  ] as const)('"%s" never gives what it excludes', (prompt, ...never) => {
    for (const count of [1, 4]) {
      const made = scenesFor('auto', readPrompt(prompt), count)
      expect(made).toHaveLength(count)
      for (const scene of never) expect(made).not.toContain(scene)
    }
  })

  test('a park without flowers is no unknown place, and a wall that must not be red is not', () => {
    expect(readPrompt('taman bunga').unfit).toBe(true)
    expect(readPrompt('taman tanpa bunga')).toMatchObject({ scenes: ['park'], unfit: false })
    expect(readPrompt('bata bukan merah').wishesFor('brick')).toMatchObject({
      colours: [],
      refused: [expect.anything()],
    })
    const redness = (prompt: string) => {
      const reading = readPrompt(prompt)
      const reds = [1, 2, 3, 4].map((seed) => {
        const { data } = renderScene({
          id: 'brick',
          width: 60,
          height: 60,
          seed,
          wishes: reading.wishesFor('brick'),
          side: 0,
        })
        let sum = 0
        for (let i = 0; i < data.length; i += 4) sum += data[i]! - data[i + 2]!
        return (4 * sum) / data.length
      })
      return Math.max(...reds)
    }
    expect(redness('bata')).toBeGreaterThan(30)
    expect(redness('bata bukan merah')).toBeLessThan(15)
  })
})

describe('scenes', () => {
  test('a whole person before a wall stands on a floor, and a cut-off one needs none', () => {
    const order = { id: 'brick', width: 120, height: 120, seed: 3, wishes: neutralWishes(), side: 0 } as const
    const [cut, whole] = [
      renderScene(order),
      renderScene({ ...order, stance: { bottom: 0.9, height: 0.6, width: 0.2 } }),
    ]
    const rows = (from: number, to: number) => {
      const part = (data: Uint8ClampedArray) => data.subarray(4 * 120 * from, 4 * 120 * to)
      const [before, after] = [part(cut.data), part(whole.data)]
      return before.reduce((sum, level, i) => sum + Math.abs(level - after[i]!), 0) / before.length
    }
    expect(rows(0, 60)).toBeLessThan(2)
    expect(rows(105, 120)).toBeGreaterThan(8)
  })

  const drawn = surfaceIds.filter((id) => id !== 'plain')
  /** Reading a location's light costs more than all else in these tests. */
  const locations = soak ? locationIds : locationIds.filter((_, i) => i % 6 === 0)
  const host = testHost()
  test.each([...locations, ...drawn])('%s has light and shade, no burnt lights, and grain', async (id) => {
    const location = shownLocation(id)
    const request = { id, width: 200, height: 150, seed: 2, wishes: neutralWishes(), side: 0.5 }
    const { data } = renderScene(request, location && (await host.surroundings(location)))
    let [sum, squares, burnt, grain] = [0, 0, 0, 0]
    for (let i = 0; i < data.length; i += 4) {
      const level = data[i + 1] as number
      sum += level
      squares += level * level
      if (Math.min(data[i]!, data[i + 1]!, data[i + 2]!) > 252) burnt++
      if (i > 0) grain += Math.abs(level - data[i - 3]!)
    }
    const count = data.length / 4
    expect(Math.sqrt(squares / count - (sum / count) ** 2)).toBeGreaterThan(6)
    expect(burnt / count).toBeLessThan(isLocation(id) ? 0.4 : 0.04)
    expect(grain / count).toBeGreaterThan(0.8)
  })

  test.each(Object.keys(retiredScenes) as RetiredSceneId[])('%s of an earlier result is still drawn', (id) => {
    const { data } = renderScene({ id, width: 60, height: 45, seed: 3, wishes: neutralWishes(), side: 0 })
    const greens = data.filter((_, i) => i % 4 === 1)
    expect(Math.max(...greens) - Math.min(...greens)).toBeGreaterThan(25)
    expect(scenesFor(id, readPrompt(''), 1)).toEqual([retiredScenes[id]])
  })

  test('plain white is white in every pixel, without grain or shadow', async () => {
    for (const prompt of ['putih polos', 'white']) {
      const { outputs, kept } = await make({ prompt, variants: 1 })
      const matte = kept.find(({ label }) => label === 'matte')!
      const alpha = await sharp(matte.bytes).toColourspace('b-w').raw().toBuffer()
      const after = await rgb(outputs[0]!.bytes)
      let outside = 0
      for (let i = 0; i < alpha.length; i++) {
        if (alpha[i] !== 0) continue
        outside++
        for (let c = 0; c < 3; c++) if (after[3 * i + c] !== 255) throw new Error(`pixel ${i} is not white`)
      }
      expect(outside).toBeGreaterThan(0.2 * alpha.length)
    }
  })

  test('no shadow falls where the prompt refuses it', async () => {
    const shaded = await make({ prompt: 'dinding beton', variants: 1 })
    const [without, off] = await Promise.all([
      make({ prompt: 'dinding beton tanpa bayangan', variants: 1 }),
      make({ prompt: 'dinding beton', variants: 1, shadow: false }),
    ])
    const [a, b, c] = await Promise.all([without, off, shaded].map(({ outputs }) => rgb(outputs[0]!.bytes)))
    expect(difference(a!, b!)).toBe(0)
    expect(difference(c!, b!)).toBeGreaterThan(0)
  })

  test('a thing stands on the wooden table: boards lie before and behind it, and its base is mirrored', async () => {
    const coffee = await sharp(photo('coffee.jpg')).resize(300).png().toBuffer()
    const { outputs } = await runOnce('background-diffusion', {
      params: { format: 'png', prompt: 'meja kayu', variants: 1 },
      inputs: { picture: [coffee] },
    })
    const [red, , blue] = await mean(outputs[0]!.bytes, 2, 165)
    expect(red! - blue!).toBeGreaterThan(20)
    const [top, , topBlue] = await mean(outputs[0]!.bytes, 250, 2)
    expect(top! - topBlue!).toBeLessThan(12)
  })

  test('variants of a location look in different directions, and a seed always in the same', async () => {
    const { probe } = await host.surroundings('park')
    expect(probe.data.length).toBe(3 * 512 * 256)
    const views = await Promise.all(
      [1, 2, 3, 4, 1].map(async (seed) => {
        const request = { id: 'city' as const, width: 90, height: 120, seed, wishes: neutralWishes(), side: 0 }
        return renderScene(request, await host.surroundings('city')).data
      }),
    )
    const apart = (a: number, b: number) =>
      difference(new Uint8Array(views[a]!.buffer), new Uint8Array(views[b]!.buffer))
    expect(apart(0, 4)).toBe(0)
    for (const [a, b] of [
      [0, 1],
      [0, 2],
      [0, 3],
      [1, 2],
      [1, 3],
      [2, 3],
    ] as const) {
      expect(apart(a, b)).toBeGreaterThan(8)
    }
  })
})
