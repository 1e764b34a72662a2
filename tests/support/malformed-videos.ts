import { BufferSource, EncodedPacketSink, Input, MP4, WEBM } from 'mediabunny'
import sharp from 'sharp'
import { makeClip, soundFile } from './clips.ts'
import { photo } from './composites.ts'
import { relabelledVideo, withTracks } from './relabelled-video.ts'
import { makePicture } from './submit.ts'

type Bytes = Uint8Array<ArrayBuffer>

export interface MalformedVideo {
  name: string
  bytes: () => Bytes | Promise<Bytes>
  code: string
}

/** Disguised, broken, cut off, contradictory or oversized files. */
export async function malformedVideos(): Promise<MalformedVideo[]> {
  const size = { width: 96, height: 96, seconds: 1, frameRate: 10 }
  const [{ bytes: mp4 }, { bytes: webm }] = await Promise.all([
    makeClip(size),
    makeClip({ ...size, format: 'webm' as const }),
  ])
  const empty = { width: 96, height: 96, seconds: 0.2, sounds: 0, empty: true }
  const clip = async (options: Partial<Parameters<typeof makeClip>[0]>) =>
    (await makeClip({ ...empty, ...options })).bytes
  const list: [string, MalformedVideo['bytes'], string?][] = [
    ['text', () => latin('not a video at all'), 'not_video'],
    ['a page of HTML', () => latin('<!doctype html><script>alert(1)</script>'), 'not_video'],
    ['an SVG', () => latin('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'not_video'],
    ['a playlist', () => latin('#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/secret.ts\n'), 'not_video'],
    ['a PDF', () => latin(`%PDF-1.7\n${'x'.repeat(400)}`), 'not_video'],
    ['a ZIP', () => latin(`PK\x03\x04${'\0'.repeat(400)}`), 'not_video'],
    ['a program', () => latin(`\x7fELF${'\0'.repeat(400)}`), 'not_video'],
    ['a WAV', () => latin(`RIFF\x24\x01\0\0WAVEfmt ${'\0'.repeat(400)}`), 'not_video'],
    ['an AVI', () => latin(`RIFF\x24\x01\0\0AVI LIST${'\0'.repeat(400)}`), 'not_video'],
    ['an MP3', () => latin(`ID3\x03\0\0\0\0\0\x21${'\xff\xfb\x90\0'.repeat(100)}`), 'not_video'],
    ['an Ogg', () => latin(`OggS\0\x02${'\0'.repeat(400)}`), 'not_video'],
    ['an FLV', () => latin(`FLV\x01\x05\0\0\0\x09${'\0'.repeat(400)}`), 'not_video'],
    ['an MPEG transport stream', () => latin(`G@\0\x10${'\xff'.repeat(184)}`.repeat(4)), 'not_video'],
    ['one byte', () => latin('\0'), 'not_video'],
    ['a kilobyte of zeros', () => new Uint8Array(1024), 'not_video'],
    ['noise', () => Uint8Array.from({ length: 5000 }, (_, i) => (i * i * 31 + i * 7) % 251), 'not_video'],
    ['a whole JPEG', () => new Uint8Array(photo('astronaut.jpg')), 'not_video'],
    ['a JPEG cut off', () => new Uint8Array(photo('astronaut.jpg')).slice(0, 4000)],
    ['a whole PNG', () => makePicture(), 'not_video'],
    [
      'a whole WebP',
      async () =>
        new Uint8Array(
          await sharp(await makePicture())
            .webp()
            .toBuffer(),
        ),
      'not_video',
    ],
    ['a HEIC’s beginning', () => latin(`\0\0\0\x18ftypheic\0\0\0\0heicmif1${'\0'.repeat(200)}`)],
    ['only sound', () => soundFile(0.5), 'not_video'],

    ['the beginning of an MP4', () => mp4.slice(0, 40)],
    ['an MP4 cut off in the middle', () => mp4.slice(0, mp4.length / 2)],
    ['an MP4 cut off in its index', () => mp4.slice(0, mp4.length - 200)],
    ['an MP4 without its last byte', () => mp4.slice(0, -1)],
    ['zeros behind a right beginning', () => overwritten(mp4, 64, mp4.length, () => 0)],
    ['an MP4 whose index has another name', () => renamed(mp4, 'moov', 'moox')],
    ['an MP4 whose tracks have another name', () => renamed(mp4, 'trak', 'free')],
    ['an MP4 with an unknown codec', () => renamed(mp4, 'avc1', 'xxxx'), 'video_codec'],
    ['an MP4 without what its codec needs', () => renamed(mp4, 'avcC', 'free')],
    ['a box that never ends', () => sized(mp4, 'moov', 0xffffffff)],
    ['a box shorter than its head', () => sized(mp4, 'moov', 4)],
    ['a track that is longer than its movie', () => sized(mp4, 'trak', 0x7fffffff)],
    ['an index of nonsense', () => after(mp4, 'stbl', 400, (i) => (i * 37) % 251)],
    ['four thousand million frames', () => after(mp4, 'stsz', 12, (i) => (i < 8 ? 0 : 255))],
    ['no frames at all', () => after(mp4, 'stsz', 12, () => 0)],
    ['frames beyond the end of the file', () => after(mp4, 'stco', 60, (i) => (i < 4 ? 0 : i < 8 ? i & 1 : 127))],
    ['a clock that stands still', () => after(mp4, 'mdhd', 24, () => 0)],
    ['frames that last no time', () => after(mp4, 'stts', 16, (i) => (i === 7 ? 1 : i === 11 ? 10 : 0))],
    ['codec settings of nonsense', () => after(mp4, 'avcC', 24, (i) => 200 + i)],
    ['a thousand boxes in each other', () => nested('moov', 1000)],

    ['a WebM of nothing', () => new Uint8Array([0x1a, 0x45, 0xdf, 0xa3, 0x80])],
    ['a WebM cut off in its head', () => webm.slice(0, 120)],
    ['a WebM of another kind', () => renamed(webm, 'webm', 'xxxx')],
    ['a WebM with an unknown codec', () => renamed(webm, 'V_VP9', 'V_XXX'), 'video_codec'],
    ['a WebM whose tracks are nonsense', () => after(webm, 'V_VP9', 200, (i) => (i * 91) % 256)],
    ['a WebM with a head that never ends', () => overwritten(webm, 4, 12, () => 0xff)],
    ['zeros behind a WebM’s beginning', () => overwritten(webm, 60, webm.length, () => 0)],

    ['five thousand tracks', () => withTracks(mp4, 5000)],
    [
      'frames larger than their container says',
      async () => relabelledVideo(await clip({ width: 2304, height: 1296 }), { width: 640, height: 360 }),
      'video_too_large',
    ],
    ['tiny frames', () => clip({ width: 48, height: 48 }), 'video_too_small'],
    ['frames larger than 1080p', () => clip({ width: 2560, height: 64 }), 'video_too_large'],
    ['more than a minute', () => clip({ times: [0, 30, 61.5] }), 'video_too_long'],
    ['more than 60 frames a second', () => clip({ seconds: 1.5, frameRate: 100 }), 'video_too_fast'],

    ['an MP4 whose frames are nonsense', () => withoutFrames(mp4, MP4, 0xa5)],
    ['an MP4 whose frames are zeros', () => withoutFrames(mp4, MP4, 0)],
    ['a WebM whose frames are nonsense', () => withoutFrames(webm, WEBM, 0xa5)],
  ]
  return list.map(([name, bytes, code = 'video_unreadable']) => ({ name, bytes, code: `upload.${code}` }))
}

const latin = (content: string): Bytes => new Uint8Array(Buffer.from(content, 'latin1'))

function overwritten(bytes: Bytes, from: number, to: number, value: (i: number) => number): Bytes {
  const out = bytes.slice()
  for (let i = from; i < Math.min(to, out.length); i++) out[i] = value(i - from)
  return out
}

function offsetOf(bytes: Bytes, word: string): number {
  const at = Buffer.from(bytes).indexOf(word, 0, 'latin1')
  if (at < 0) throw new Error(`there is no ${word}`)
  return at
}

function after(bytes: Bytes, word: string, count: number, value: (i: number) => number): Bytes {
  const from = offsetOf(bytes, word) + word.length
  return overwritten(bytes, from, from + count, value)
}

function renamed(bytes: Bytes, word: string, other: string): Bytes {
  const out = Buffer.from(bytes)
  for (let at = out.indexOf(word); at >= 0; at = out.indexOf(word, at + 1)) out.write(other, at, 'latin1')
  return new Uint8Array(out)
}

function sized(bytes: Bytes, box: string, length: number): Bytes {
  const out = Buffer.from(bytes)
  out.writeUInt32BE(length, offsetOf(bytes, box) - 4)
  return new Uint8Array(out)
}

function nested(box: string, count: number): Bytes {
  const out = Buffer.alloc(8 * count)
  for (let i = 0; i < count; i++) {
    out.writeUInt32BE(8 * (count - i), 8 * i)
    out.write(box, 8 * i + 4, 'latin1')
  }
  return new Uint8Array(out)
}

/** A valid container with invalid frames. */
async function withoutFrames(bytes: Bytes, format: typeof MP4 | typeof WEBM, value: number): Promise<Bytes> {
  const input = new Input({ formats: [format], source: new BufferSource(bytes.slice()) })
  const track = await input.getPrimaryVideoTrack()
  if (!track) throw new Error('there is no picture')
  const out = Buffer.from(bytes)
  for await (const { data } of new EncodedPacketSink(track).packets()) {
    const from = out.indexOf(data.subarray(0, 64))
    out.fill(value, from, from + data.length)
  }
  return new Uint8Array(out)
}
