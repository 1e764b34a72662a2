import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import {
  BufferSource,
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  MP4,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import type { EngineOutcome } from '#tools/threads/task.ts'
import { type Clip, makeClip } from '../support/clips.ts'
import { compareVideoAlpha, flashStart } from '../support/judge-clip.ts'
import { readClip } from '../support/read-clip.ts'
import { openToolPool, runTool } from '../support/run-tool.ts'

/**
 * A minute at 720p: speed, memory, sound, alpha; other shapes, and the time to stop. `npm run bench
 * -- video`.
 */
const once = 5
const repeats = 12
const frameRate = 30

async function repeat(clip: Clip, times: number): Promise<Uint8Array> {
  const input = new Input({ formats: [MP4], source: new BufferSource(clip.bytes) })
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat(), target })
  const picture = await input.getPrimaryVideoTrack()
  const sound = await input.getPrimaryAudioTrack()
  if (!picture || !sound) throw new Error('the clip has no picture or no sound')
  const pictures = new EncodedVideoPacketSource('avc')
  const sounds = new EncodedAudioPacketSource('aac')
  output.addVideoTrack(pictures)
  output.addAudioTrack(sounds)
  await output.start()
  const configs = {
    picture: { decoderConfig: (await picture.getDecoderConfig()) ?? undefined },
    sound: { decoderConfig: (await sound.getDecoderConfig()) ?? undefined },
  }
  let heard = 0
  for (let round = 0; round < times; round++) {
    for await (const packet of new EncodedPacketSink(picture).packets()) {
      await pictures.add(packet.clone({ timestamp: packet.timestamp + round * once }), configs.picture)
    }
    for await (const packet of new EncodedPacketSink(sound).packets()) {
      if (heard >= (round + 1) * once) break
      await sounds.add(packet.clone({ timestamp: heard }), configs.sound)
      heard += packet.duration
    }
  }
  await output.finalize()
  return new Uint8Array(target.buffer as ArrayBuffer)
}

/** Milliseconds and bytes of child processes (Linux). */
function usage(): { milliseconds: number; bytes: number } {
  const total = { milliseconds: 0, bytes: 0 }
  const children = execFileSync('ps', ['-o', 'pid=,rss=', '--ppid', String(process.pid)], { encoding: 'utf8' })
  for (const line of children.trim().split('\n')) {
    const [pid = '', kilobytes = '0'] = line.trim().split(/\s+/)
    if (!existsSync(`/proc/${pid}/stat`)) continue
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    // Clock ticks of ten milliseconds.
    total.milliseconds += 10 * (Number(fields[11]) + Number(fields[12]))
    total.bytes += 1024 * Number(kilobytes)
  }
  return total
}

async function measured<Result>(work: () => Promise<Result>) {
  const before = usage()
  const begin = performance.now()
  let peak = before.bytes
  const watch = setInterval(() => {
    peak = Math.max(peak, usage().bytes)
  }, 500)
  const result = await work()
  clearInterval(watch)
  return { result, seconds: (performance.now() - begin) / 1000, cpu: usage().milliseconds - before.milliseconds, peak }
}

async function judgeAlpha(clip: Clip, result: Awaited<ReturnType<typeof readClip>>): Promise<string> {
  const judged = await compareVideoAlpha(clip, result.alphas())
  return `  mean |Δα| ${judged.difference.toFixed(4)} (at most 0.03), flicker ${judged.flicker.toFixed(4)} (at most 0.01)`
}

const tool = 'video-background-removal'
const pool = openToolPool(1)
const small = await makeClip({ width: 96, height: 96, seconds: 0.2 })
// The first run of a process loads the models.
await runTool(pool, tool, { inputs: { video: [small.bytes] } }, 'video')

const clip = await makeClip({ width: 1280, height: 720, seconds: once, frameRate, flash: true })
const minute = await repeat(clip, repeats)
const timeLimit = 3_600_000
const run = (bytes: Uint8Array, background: object, kept?: EngineOutcome['kept']) =>
  measured(() =>
    runTool(
      pool,
      tool,
      { inputs: { video: [bytes] }, params: { background }, timeLimit, ...(kept && { kept }) },
      'video',
    ),
  )

function report(name: string, seconds: number, { result, ...taken }: Awaited<ReturnType<typeof run>>): void {
  const frames = result.facts.frames as number
  console.log(`${name}, 1280 × 720, ${seconds} s`)
  console.log(`  ${(frames / taken.seconds).toFixed(1)} frames/s (at least 12 on two idle cores)`)
  console.log(`  ${(taken.cpu / frames).toFixed(0)} ms of processor time a frame (167 ms are 12 frames/s on two)`)
  console.log(`  ${(taken.peak / 1e9).toFixed(2)} GB at most in the engine's process (below 1.5 GB)`)
}

const transparent = await run(minute, { type: 'transparent' })
report('transparent', once * repeats, transparent)
const made = await readClip(transparent.result.outputs[0]?.bytes as Uint8Array)
console.log(`  ${made.times.length} of ${clip.times.length * repeats} frames`)
const [heard, seen] = [await made.toneStart(), await flashStart(made)]
console.log(`  tone and flash ${(1000 * Math.abs((heard ?? 0) - (seen ?? 0))).toFixed(0)} ms apart (below 40)`)
console.log(await judgeAlpha(clip, made))

const { kept } = (await run(clip.bytes, { type: 'transparent' })).result
report('blurred', once, await run(clip.bytes, { type: 'blur' }))
report('rendered again from its masks', once, await run(clip.bytes, { type: 'color', color: '#0090ff' }, kept))

for (const shape of [
  { width: 720, height: 1280, frameRate: 25 },
  { width: 1920, height: 1080, frameRate: 24 },
  { width: 640, height: 480, frameRate: 15, cutAt: 20 },
]) {
  const other = await makeClip({ ...shape, seconds: 2 })
  const { result } = await run(other.bytes, { type: 'transparent' })
  console.log(`${shape.width} × ${shape.height}, ${shape.frameRate} frames/s${shape.cutAt ? ', with a cut' : ''}`)
  console.log(await judgeAlpha(other, await readClip(result.outputs[0]?.bytes as Uint8Array)))
}

const stop = new AbortController()
const stopped = runTool(pool, tool, { inputs: { video: [minute] }, timeLimit }, 'video', stop.signal).catch(() => {})
await new Promise((resolve) => setTimeout(resolve, 3000))
const begin = performance.now()
stop.abort()
await stopped
const refused = performance.now() - begin
await runTool(pool, tool, { inputs: { video: [small.bytes] } }, 'video')
console.log(
  `stopped after ${refused.toFixed(0)} ms, the next run done after ${(performance.now() - begin).toFixed(0)} ms`,
)
await pool.close()
