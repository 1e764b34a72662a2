import sharp from 'sharp'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Clip, closeUpClip, makeClip } from '#tests/support/clips.ts'
import { photo } from '#tests/support/composites.ts'
import { compareVideoAlpha, flashStart } from '#tests/support/judge-clip.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { checkWithTool, runTool, toolPool } from '#tests/support/run-tool.ts'

const id = 'video-background-removal'

/** Transparent by default, which shows the cut-out. */
const run = (bytes: Uint8Array, asked: object = {}, background: Uint8Array[] = []) => {
  const params = { background: { type: 'transparent' }, ...asked }
  return runTool(toolPool, id, { inputs: { video: [bytes], background }, params }, 'video')
}
const made = async (bytes: Uint8Array, params: object = {}, background: Uint8Array[] = []) => {
  const { outputs } = await run(bytes, params, background)
  return readClip(outputs[0]!.bytes)
}

describe('a portrait that moves over a moving background', () => {
  let clip: Clip
  let outcome: Awaited<ReturnType<typeof run>>
  let result: Awaited<ReturnType<typeof readClip>>

  beforeAll(async () => {
    clip = await makeClip({ width: 384, height: 216, seconds: 0.7, frameRate: 20, flash: true })
    outcome = await run(clip.bytes)
    result = await readClip(outcome.outputs[0]!.bytes)
  })

  test('becomes a WebM whose alpha is right and does not flicker', async () => {
    expect(outcome.outputs).toMatchObject([{ contentType: 'video/webm', extension: 'webm', width: 384, height: 216 }])
    const { difference, flicker } = await compareVideoAlpha(clip, result.alphas())
    expect(difference).toBeLessThan(0.03)
    expect(flicker).toBeLessThan(0.01)
  })

  test('keeps every frame at its time', () => {
    expect(result.codec).toBe('vp9')
    expect(result.times).toHaveLength(clip.times.length)
    // WebM counts milliseconds.
    for (const [i, time] of result.times.entries()) expect(Math.abs(time - clip.times[i]!)).toBeLessThan(0.001)
  })

  test('keeps its sound in step', async () => {
    expect(result.sounds).toMatchObject([{ codec: 'opus' }])
    const [heard, seen] = [(await result.toneStart()) as number, (await flashStart(result)) as number]
    expect(Math.abs(heard - seen)).toBeLessThan(0.04)
  })

  test('gets another background from its masks, frame by frame the same person', async () => {
    const params = { background: { type: 'color', color: '#0090ff' } }
    const { outputs, kept } = await runTool(
      toolPool,
      id,
      { inputs: { video: [clip.bytes] }, params, kept: outcome.kept },
      'video',
    )
    expect(kept).toEqual([])
    const again = await readClip(outputs[0]!.bytes)
    expect(again).toMatchObject({ codec: 'avc', sounds: [{ codec: 'aac' }] })
    expect(again.times).toHaveLength(clip.times.length)
    // The luma of #0090ff by BT.601 marks the background.
    const alphas = result.alphas()
    for await (const frame of again.frames()) {
      const { value: alpha } = await alphas.next()
      let [behind, count] = [0, 0]
      for (let i = 0; i < alpha!.length; i++) {
        if (alpha![i]! > 5) continue
        behind += Math.abs(frame[i]! - 114)
        count++
      }
      expect(behind / count).toBeLessThan(4)
    }
  })

  test('has a poster, in which the background is gone', async () => {
    const { data, info } = await sharp(outcome.thumbnail!.bytes).raw().toBuffer({ resolveWithObject: true })
    expect(info).toMatchObject({ width: 320, channels: 4 })
    expect(data[3]).toBeLessThan(10)
    expect(outcome).toMatchObject({ warnings: [], facts: { frames: clip.times.length, preview: false } })
  })
})

test('a portrait that fills a tall frame is found with the objects it holds', async () => {
  const clip = await makeClip({ width: 216, height: 384, seconds: 0.4, frameRate: 20, sounds: 0 })
  const { difference, flicker } = await compareVideoAlpha(clip, (await made(clip.bytes)).alphas())
  expect(difference).toBeLessThan(0.03)
  expect(flicker).toBeLessThan(0.01)
})

test('no mask is carried over a scene cut', async () => {
  const clip = await makeClip({ width: 320, height: 180, seconds: 0.5, frameRate: 20, sounds: 0, cutAt: 6 })
  const result = await made(clip.bytes)
  let frame = 0
  for await (const alpha of result.alphas()) {
    const truth = clip.alpha(frame)
    if (frame++ !== 6) continue
    const difference = truth.reduce((sum, value, i) => sum + Math.abs(value - alpha[i]!) / 255, 0) / truth.length
    expect(difference).toBeLessThan(0.05)
  }
  expect(frame).toBe(10)
})

describe('a video of another kind', () => {
  const small = { width: 192, height: 144, seconds: 0.4, frameRate: 10 } as const

  test('gets its new background as an MP4 of even size, sound copied', async () => {
    const clip = await makeClip({ ...small, height: 144, sounds: 2 })
    const result = await made(clip.bytes, { background: { type: 'color', color: '#0090ff' } })
    expect(result).toMatchObject({
      width: 192,
      height: 144,
      codec: 'avc',
      sounds: [{ codec: 'aac' }, { codec: 'aac' }],
    })
    const [first] = await firstFrame(result)
    // The luma of #0090ff by BT.601.
    expect(Math.abs((first![10] as number) - 114)).toBeLessThan(6)
  })

  test('accepts a picture of the user or a blur as background', async () => {
    const clip = await makeClip({ ...small, sounds: 0 })
    const white = await sharp({ create: { width: 50, height: 90, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
    const [pictured] = await firstFrame(await made(clip.bytes, { background: { type: 'image' } }, [white]))
    expect(pictured![5]).toBeGreaterThan(225)
    const [blurred] = await firstFrame(await made(clip.bytes, { background: { type: 'blur' } }))
    const row = [...blurred!.subarray(0, 60)]
    // The joints between the tiles are gone.
    expect(Math.max(...row) - Math.min(...row)).toBeLessThan(60)
  })

  test('stands upright when players turn it', async () => {
    const clip = await makeClip({ ...small, rotation: 90, sounds: 0 })
    expect(await made(clip.bytes)).toMatchObject({ width: 144, height: 192 })
  })

  test('keeps uneven times between its frames', async () => {
    const times = [0, 0.04, 0.2, 0.233, 0.5, 0.51]
    const clip = await makeClip({ ...small, times, sounds: 0 })
    for (const background of [{ type: 'transparent' }, { type: 'blur' }]) {
      const found = (await made(clip.bytes, { background })).times
      expect(found.map((time) => Math.round(time * 1000))).toEqual(times.map((time) => time * 1000))
    }
  })

  test('loses its last column and row at odd sizes', async () => {
    const clip = await makeClip({ ...small, width: 190, height: 146, format: 'webm', oddBy: 1 })
    expect(await made(clip.bytes)).toMatchObject({ width: 188, height: 144, sounds: [{ codec: 'opus' }] })
  })
})

test('the free preview is three seconds, small, and marked all over', async () => {
  const clip = await makeClip({ width: 800, height: 450, seconds: 4, frameRate: 2 })
  const { outputs, facts } = await run(clip.bytes, { preview: true })
  const result = await readClip(outputs[0]!.bytes)
  expect(result).toMatchObject({ width: 640, height: 360 })
  expect(result.times).toHaveLength(6)
  expect(result.sounds[0]!.seconds).toBeLessThan(3.1)
  expect(facts).toMatchObject({ preview: true })
  const { value: alpha } = await result.alphas().next()
  const corners = [0, 540].map((left) => {
    const marks = alpha!.filter(
      (level: number, i: number) => i % 640 >= left && i % 640 < left + 100 && i < 640 * 100 && level > 30,
    )
    return marks.length > 200
  })
  expect(corners).toEqual([true, true])
})

describe('before the charge', () => {
  test('videos with and without a person are distinguished', async () => {
    const size = { width: 320, height: 240, seconds: 0.3, frameRate: 10, sounds: 0 } as const
    const [empty, full] = await Promise.all([makeClip({ ...size, empty: true }), makeClip(size)])
    const check = (bytes: Uint8Array) => checkWithTool(toolPool, id, { inputs: { video: [bytes] } })
    expect((await check(empty.bytes)).problems).toEqual([{ path: 'video', code: 'engine.no_subject' }])
    expect(await check(full.bytes)).toMatchObject({ problems: [], warnings: [] })
    await expect(run(empty.bytes)).rejects.toMatchObject({ code: 'engine.no_subject' })
  })
})

test('a subject that fills the frame and cannot be separated is refused with an explanation', async () => {
  const close = await closeUpClip('chelsea.jpg', { width: 320, height: 214 })
  for (const subject of ['auto', 'object']) {
    const { problems } = await checkWithTool(toolPool, id, { inputs: { video: [close] }, params: { subject } })
    expect(problems).toEqual([{ path: 'video', code: 'engine.too_close' }])
  }
})

test('an uncertain subject is asked about until the user chooses its kind', async () => {
  const clip = await closeUpClip('rocket.jpg', { width: 214, height: 320 })
  const problemsOf = async (subject: string) =>
    (await checkWithTool(toolPool, id, { inputs: { video: [clip] }, params: { subject } })).problems
  expect(await problemsOf('auto')).toEqual([{ path: 'video', code: 'engine.video_subject_unsure' }])
  await expect(run(clip)).rejects.toMatchObject({ code: 'engine.video_subject_unsure' })
  expect(await problemsOf('object')).toEqual([])
})

test('a cancelled run ends, and the next one starts', async () => {
  const clip = await makeClip({ width: 192, height: 144, seconds: 3, sounds: 0 })
  const stop = new AbortController()
  const running = runTool(toolPool, id, { inputs: { video: [clip.bytes] } }, 'video', stop.signal)
  setTimeout(() => stop.abort(new Error('stopped')), 300)
  await expect(running).rejects.toThrow('stopped')
  const short = await makeClip({ width: 96, height: 96, seconds: 0.1, frameRate: 10, sounds: 0 })
  expect((await run(short.bytes)).outputs).toHaveLength(1)
})

describe('a damaged video', () => {
  test('is refused with an explanation, and does not affect the thread', async () => {
    const clip = await makeClip({ width: 96, height: 96, seconds: 0.5, frameRate: 10, sounds: 1 })
    const garbled = clip.bytes.slice()
    // The container's structure is intact, its samples are not pictures.
    const mdat = Buffer.from(garbled).indexOf('mdat')
    garbled.fill(0xa5, mdat + 12, Math.min(garbled.length, mdat + 4000))
    for (const bytes of [
      garbled,
      clip.bytes.subarray(0, 200),
      new Uint8Array(photo('astronaut.jpg')),
      new Uint8Array(100),
    ]) {
      const failure = await run(bytes).catch((error: { code: string }) => error.code)
      expect(failure).toMatch(/^upload\.(video_|not_video)/)
    }
    expect((await run(clip.bytes)).outputs).toHaveLength(1)
  })
})

async function firstFrame(result: Awaited<ReturnType<typeof readClip>>): Promise<Uint8Array[]> {
  for await (const frame of result.frames()) return [frame]
  return []
}
