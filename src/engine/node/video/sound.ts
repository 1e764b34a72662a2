import * as codecs from '@napi-rs/webcodecs'
import {
  AudioSampleSink,
  AudioSampleSource,
  EncodedAudioPacketSource,
  EncodedPacketSink,
  type InputAudioTrack,
  type Output,
} from 'mediabunny'
import type { VideoFormat } from './write-video.ts'

export interface Sound {
  /** Writes everything up to this time of the input. Damaged sound ends the track. */
  advance(until: number): Promise<void>
  lost(): boolean
  /** May be called again. */
  close(): Promise<void>
}

const copiedCodecs: Record<VideoFormat, readonly string[]> = { mp4: ['aac', 'mp3'], webm: ['opus', 'vorbis'] }
const encoded = { mp4: 'aac', webm: 'opus' } as const
const bitrate = 128_000
/** A rate supported by both Opus and AAC. */
const sampleRate = 48_000

/** mediabunny expects the codecs as globals, as in browsers. */
function provideCodecs(): void {
  const { AudioEncoder, AudioDecoder, AudioData, EncodedAudioChunk, EncodedVideoChunk } = codecs
  for (const [name, value] of Object.entries({
    AudioEncoder,
    AudioDecoder,
    AudioData,
    EncodedAudioChunk,
    EncodedVideoChunk,
  })) {
    if (!(name in globalThis)) Object.assign(globalThis, { [name]: value })
  }
}

/**
 * Copies sound if the container supports its codec, else transcodes it; undefined if unreadable.
 */
export async function addSoundTrack(
  track: InputAudioTrack,
  output: Output,
  format: VideoFormat,
): Promise<Sound | undefined> {
  const codec = await track.getCodec()
  const config = await track.getDecoderConfig().catch(() => null)
  if (!codec || !config) return undefined
  const language = await track.getLanguageCode()
  if (copiedCodecs[format].includes(codec)) {
    const source = new EncodedAudioPacketSource(codec)
    output.addAudioTrack(source, { languageCode: language })
    return copySound(track, source, config)
  }
  provideCodecs()
  if (!(await track.canDecode())) return undefined
  const channels = Math.min(2, await track.getNumberOfChannels())
  const source = new AudioSampleSource({
    codec: encoded[format],
    bitrate,
    transform: { sampleRate, numberOfChannels: channels },
  })
  output.addAudioTrack(source, { languageCode: language })
  return encodeSound(track, source)
}

function copySound(track: InputAudioTrack, source: EncodedAudioPacketSource, decoderConfig: AudioDecoderConfig): Sound {
  let first = true
  return writeInStep(new EncodedPacketSink(track).packets(), source, async (packet) => {
    // Packets before the start only prime the decoder.
    if (packet.timestamp < 0) return
    await source.add(packet, first ? { decoderConfig } : undefined)
    first = false
  })
}

function encodeSound(track: InputAudioTrack, source: AudioSampleSource): Sound {
  return writeInStep(new AudioSampleSink(track).samples(), source, async (sample) => {
    try {
      if (sample.timestamp < 0) return
      await source.add(sample)
    } finally {
      sample.close()
    }
  })
}

function writeInStep<Item extends { timestamp: number }>(
  items: AsyncGenerator<Item, void, unknown>,
  source: { close(): void },
  take: (item: Item) => Promise<void>,
): Sound {
  let waiting: Item | undefined
  let state: 'open' | 'ended' | 'lost' = 'open'
  let closed = false

  async function step(until: number): Promise<boolean> {
    if (!waiting) {
      const next = await items.next()
      if (next.done) {
        state = 'ended'
        return false
      }
      waiting = next.value
    }
    if (waiting.timestamp >= until) return false
    const item = waiting
    waiting = undefined
    await take(item)
    return true
  }

  return {
    lost: () => state === 'lost',
    async advance(until) {
      try {
        while (state === 'open' && (await step(until)));
      } catch {
        state = 'lost'
      }
    },
    async close() {
      if (closed) return
      closed = true
      if (waiting && 'close' in waiting && typeof waiting.close === 'function') waiting.close()
      waiting = undefined
      await items.return()
      source.close()
    },
  }
}
