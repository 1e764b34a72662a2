import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { sceneIds } from '#contract/scenes.ts'
import { readPrompt, renderScene, scenesFor } from '#engine/tasks/background/index.ts'
import { photo } from '#tests/support/composites.ts'
import { runOnce, runTool, toolPool } from '#tests/support/run-tool.ts'
import type { EngineOutcome } from '#tools/threads/task.ts'

const portrait = await sharp(photo('astronaut.jpg')).resize(256).png().toBuffer()
const make = (params: object, kept?: EngineOutcome['kept']) =>
  runOnce('background-diffusion', { params: { format: 'png', ...params }, inputs: { picture: [portrait] }, kept })
const rgb = (bytes: Uint8Array) => sharp(bytes).removeAlpha().raw().toBuffer()
const mean = async (bytes: Uint8Array, left: number, top: number) => {
  const part = await sharp(bytes).extract({ left, top, width: 30, height: 30 }).png().toBuffer()
  const { channels } = await sharp(part).stats()
  return channels.map((channel) => channel.mean)
}
const difference = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, value, i) => sum + Math.abs(value - (b[i] as number)), 0) / a.length

describe('a new background', () => {
  test('four variants for one run, each with another background and its seed, and every pixel inside the person untouched', async () => {
    const { outputs, facts, kept } = await make({ prompt: 'kafe hangat di sore hari', match: 1 })
    expect(outputs.map(({ label }) => label)).toEqual(['1', '2', '3', '4'])
    expect(facts).toMatchObject({ seed: '1, 2, 3, 4', studioScene: true })
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

  test('the same seed gives the same background again, another one does not', async () => {
    const [first, again, other] = await Promise.all([
      make({ scene: 'leaves', variants: 1, seed: 77 }),
      make({ scene: 'leaves', variants: 2, seed: 76 }),
      make({ scene: 'leaves', variants: 1, seed: 78 }),
    ])
    expect(Buffer.compare(first.outputs[0]!.bytes, again.outputs[1]!.bytes)).toBe(0)
    expect(Buffer.compare(first.outputs[0]!.bytes, other.outputs[0]!.bytes)).not.toBe(0)
  })

  test('the words choose the scene and its colours', async () => {
    const { outputs } = await make({ prompt: 'studio polos warna biru tua', variants: 1 })
    const [red, , blue] = await mean(outputs[0]!.bytes, 5, 5)
    expect(blue! - red!).toBeGreaterThan(15)
    const warm = await make({ prompt: 'plain red studio backdrop', variants: 1 })
    const [r, , b] = await mean(warm.outputs[0]!.bytes, 5, 5)
    expect(r! - b!).toBeGreaterThan(15)
  })

  test('the subject is made smaller and moved for free, and the background stays', async () => {
    const first = await make({ scene: 'sky', variants: 1, shadow: false })
    const moved = await make({ scene: 'sky', variants: 1, shadow: false, scale: 0.5, x: 0.2 }, first.kept)
    const [whole, small] = await Promise.all([rgb(first.outputs[0]!.bytes), rgb(moved.outputs[0]!.bytes)])
    // Where the head was there is sky now, and the corner never changed.
    const at = (x: number, y: number) => 3 * (y * 256 + x)
    expect(small[at(105, 45) + 2]! - small[at(105, 45)]!).toBeGreaterThan(10)
    expect(whole.subarray(at(2, 2), at(12, 2))).toEqual(small.subarray(at(2, 2), at(12, 2)))
  })

  test('light from the left makes the left of a studio brighter', async () => {
    const { kept } = await make({ scene: 'studio', variants: 1 })
    const side = async (light: string) => {
      const { outputs } = await make({ scene: 'studio', variants: 1, light, shadow: false }, kept)
      const [left, right] = [await mean(outputs[0]!.bytes, 10, 30), await mean(outputs[0]!.bytes, 215, 30)]
      return left[1]! - right[1]!
    }
    expect(await side('left')).toBeGreaterThan((await side('right')) + 20)
  })

  test('a picture in which nothing stands out is refused', async () => {
    const blank = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#888' } })
      .png()
      .toBuffer()
    await expect(runTool(toolPool, 'background-diffusion', { inputs: { picture: [blank] } })).rejects.toMatchObject({
      code: 'engine.no_subject',
    })
  })
})

describe('prompts', () => {
  test.each([
    ['meja kayu jati', 'wood'],
    ['di pantai Bali waktu liburan', 'beach'],
    ['kantor modern', 'office'],
    ['a cozy coffee shop', 'cafe'],
    ['langit malam', 'night-bokeh'],
    ['langit biru cerah', 'sky'],
    ['dinding bata merah', 'brick'],
    ['kebunnya', 'garden'],
    ['pegunungan berkabut', 'mountains'],
    ['pesta ulang tahun', 'confetti'],
    ['motif kawung', 'batik'],
    ['cyberpunk city', 'neon'],
    ['golden hour', 'sunset'],
    ['background without leaves, marble', 'marble'],
  ])('"%s" means %s', (prompt, scene) => {
    expect(readPrompt(prompt).scenes).toContain(scene)
    expect(scenesFor('auto', readPrompt(prompt), 4)).toContain(scene)
  })

  test('moods, times of day and colours are read in both languages, and what is not wanted is left out', () => {
    expect(readPrompt('kafe hangat').wishes.warmth).toBeGreaterThan(0)
    expect(readPrompt('cold dark room').wishes).toMatchObject({ warmth: -0.7, brightness: -0.6 })
    expect(readPrompt('pantai saat senja').wishes.time).toBe('dusk')
    expect(readPrompt('tirai merah muda').wishes.colours).toHaveLength(1)
    expect(readPrompt('taman tanpa bunga').scenes).not.toContain('confetti')
    expect(scenesFor('auto', readPrompt('without leaves'), 4)).not.toContain('leaves')
    expect(new Set(scenesFor('auto', readPrompt(''), 4)).size).toBe(4)
  })
})

describe('scenes', () => {
  test('there is one for every choice', () => {
    expect(sceneIds.length).toBeGreaterThanOrEqual(16)
  })

  test.each([...sceneIds])('%s has light and shade, no burnt lights, and grain', (id) => {
    const { wishes } = readPrompt('')
    const { data } = renderScene({ id, width: 200, height: 150, seed: 3, wishes, side: 0.5 })
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
    expect(burnt / count).toBeLessThan(0.04)
    expect(grain / count).toBeGreaterThan(0.8)
  })
})
