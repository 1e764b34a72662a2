import * as codecs from '@napi-rs/webcodecs'
import { ALL_FORMATS, AudioSampleSink, BufferSource, EncodedPacketSink, Input } from 'mediabunny'

export interface ReadClip {
  width: number
  height: number
  codec: string | null
  times: number[]
  sounds: { codec: string | null; seconds: number }[]
  /** 0 to 255; opaque where there is none. */
  alphas(): AsyncGenerator<Uint8Array>
  frames(): AsyncGenerator<Uint8Array>
  /** Seconds; undefined when the track is silent. */
  toneStart(track?: number): Promise<number | undefined>
}

/** Independent of the engine's pipeline. */
export async function readClip(bytes: Uint8Array): Promise<ReadClip> {
  const input = new Input({ formats: ALL_FORMATS, source: new BufferSource(bytes) })
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new Error('there is no picture')
  const config = await track.getDecoderConfig()
  if (!config) throw new Error('the codec is not known')
  const [width, height] = [await track.getCodedWidth(), await track.getCodedHeight()]
  const packets = await all(new EncodedPacketSink(track).packets())
  const sounds = await input.getAudioTracks()

  async function* decode(pick: (packet: (typeof packets)[number]) => Uint8Array | undefined) {
    const ready: codecs.VideoFrame[] = []
    let failure: unknown
    const decoder = new codecs.VideoDecoder({
      output: (frame) => ready.push(frame),
      error: (error) => {
        failure = error
      },
    })
    decoder.configure(config as Parameters<typeof decoder.configure>[0])
    let next = 0
    let flushing = false
    let done = false
    while (true) {
      if (failure) throw failure
      while (next < packets.length && decoder.decodeQueueSize < 4 && ready.length < 4) {
        const packet = packets[next++]!
        const data = pick(packet)
        if (!data) throw new Error('a frame has no such part')
        decoder.decode(
          new codecs.EncodedVideoChunk({ type: packet.type, timestamp: packet.microsecondTimestamp, data }),
        )
      }
      if (next === packets.length && !flushing) {
        flushing = true
        void decoder.flush().then(() => {
          done = true
        })
      }
      const frame = ready.shift()
      if (frame) {
        const out = new Uint8Array(width * height * 1.5)
        await frame.copyTo(out, { format: 'I420' })
        frame.close()
        yield out
      } else if (failure) throw failure
      else if (done) break
      else await new Promise((resolve) => setTimeout(resolve, 2))
    }
    decoder.close()
  }

  return {
    width,
    height,
    codec: await track.getCodec(),
    times: packets.map(({ timestamp }) => timestamp).toSorted((a, b) => a - b),
    sounds: await Promise.all(
      sounds.map(async (sound) => ({ codec: await sound.getCodec(), seconds: await sound.computeDuration() })),
    ),
    async *alphas() {
      for await (const frame of decode(({ sideData }) => sideData.alpha)) yield frame.subarray(0, width * height)
    },
    frames: () => decode(({ data }) => data),
    async toneStart(index = 0) {
      const sound = sounds[index]
      if (!sound) return undefined
      const { AudioDecoder, AudioData, EncodedAudioChunk, EncodedVideoChunk } = codecs
      Object.assign(globalThis, { AudioDecoder, AudioData, EncodedAudioChunk, EncodedVideoChunk })
      // A codec's pending work does not keep the process alive.
      const alive = setInterval(() => {}, 1000)
      try {
        for await (const sample of new AudioSampleSink(sound).samples()) {
          const values = new Float32Array(sample.numberOfFrames)
          sample.copyTo(values, { planeIndex: 0, format: 'f32-planar' })
          sample.close()
          const at = values.findIndex((value) => Math.abs(value) > 0.2)
          if (at >= 0) return sample.timestamp + at / sample.sampleRate
        }
        return undefined
      } finally {
        clearInterval(alive)
      }
    },
  }
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const out: Item[] = []
  for await (const item of items) out.push(item)
  return out
}
