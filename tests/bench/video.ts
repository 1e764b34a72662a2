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
import { type Clip, makeClip } from '../support/clips.ts'
import { readClip } from '../support/read-clip.ts'
import { openToolPool, runTool } from '../support/run-tool.ts'

/** A minute at 720p: speed, memory, sound and the quality of alpha. `npm run bench -- video`. */
const once = 5
const repeats = 12
const frameRate = 30

/** The clip over and over, copied without encoding it again. */
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

const clip = await makeClip({ width: 1280, height: 720, seconds: once, frameRate })
const minute = await repeat(clip, repeats)
const pool = openToolPool(1)
// The first run of a thread loads the models.
const small = await makeClip({ width: 96, height: 96, seconds: 0.2 })
await runTool(pool, 'video-background-removal', { inputs: { video: [small.bytes] } }, 'video')

for (const [background, rounds] of [
  [{ type: 'transparent' }, repeats],
  [{ type: 'blur' }, 1],
] as const) {
  const before = process.cpuUsage()
  const begin = performance.now()
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 200)
  const run = runTool(
    pool,
    'video-background-removal',
    { inputs: { video: [rounds > 1 ? minute : clip.bytes] }, params: { background }, timeLimit: 3_600_000 },
    'video',
  )
  const { outputs, facts } = await run
  clearInterval(watch)
  const seconds = (performance.now() - begin) / 1000
  const { user, system } = process.cpuUsage(before)
  const frames = facts.frames as number
  const result = await readClip(outputs[0]?.bytes as Uint8Array)
  console.log(`video-background-removal, ${background.type}, 1280 × 720, ${once * rounds} s, one run`)
  console.log(`  ${(frames / seconds).toFixed(1)} frames/s (at least 12 on two idle cores)`)
  console.log(
    `  ${((user + system) / 1000 / frames).toFixed(0)} ms of processor time a frame (167 ms are 12 frames/s on two)`,
  )
  console.log(`  ${(peak / 1e9).toFixed(2)} GB at most (below 1.5 GB)`)
  console.log(`  ${result.times.length} of ${clip.times.length * rounds} frames`)
  const [heard, wanted] = [await result.toneStart(), await (await readClip(clip.bytes)).toneStart()]
  console.log(`  sound off by ${(1000 * Math.abs((heard ?? 0) - (wanted ?? 0))).toFixed(0)} ms (below 40)`)
  if (background.type !== 'transparent') continue
  let [difference, flicker, still, index] = [0, 0, 0, 0]
  let last: { found: Uint8Array; truth: Uint8Array } | undefined
  for await (const frame of result.alphas()) {
    if (index === clip.times.length) break
    const found = frame.slice()
    const truth = clip.alpha(index++)
    for (let i = 0; i < truth.length; i++) {
      difference += Math.abs((found[i] as number) - (truth[i] as number)) / 255 / truth.length
      if (last && last.truth[i] === truth[i]) {
        flicker += Math.abs((found[i] as number) - (last.found[i] as number)) / 255
        still++
      }
    }
    last = { found, truth }
  }
  console.log(
    `  mean |Δα| ${(difference / index).toFixed(4)} (at most 0.03), flicker ${(flicker / still).toFixed(4)} (at most 0.01)`,
  )
}
await pool.close()
