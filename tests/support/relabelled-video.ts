import {
  BufferSource,
  BufferTarget,
  EncodedPacketSink,
  EncodedVideoPacketSource,
  Input,
  Output,
  WEBM,
  WebMOutputFormat,
} from 'mediabunny'

type Bytes = Uint8Array<ArrayBuffer>

export async function joinedVideo(clips: readonly Bytes[]): Promise<Bytes> {
  const target = new BufferTarget()
  const output = new Output({ format: new WebMOutputFormat(), target })
  const source = new EncodedVideoPacketSource('vp9')
  output.addVideoTrack(source)
  await output.start()
  let offset = 0
  let config: VideoDecoderConfig | undefined
  for (const bytes of clips) {
    const input = new Input({ formats: [WEBM], source: new BufferSource(bytes) })
    const track = await input.getPrimaryVideoTrack()
    config ??= (await track?.getDecoderConfig()) ?? undefined
    if (!track || !config) throw new Error('there is no picture')
    for await (const packet of new EncodedPacketSink(track).packets()) {
      await source.add(packet.clone({ timestamp: packet.timestamp + offset }), { decoderConfig: config })
    }
    offset += await track.computeDuration()
  }
  source.close()
  await output.finalize()
  if (!target.buffer) throw new Error('the video was not finished')
  return new Uint8Array(target.buffer)
}

/** The container claims another size, in pixels. */
export function relabelledVideo(bytes: Bytes, { width, height }: { width: number; height: number }): Bytes {
  const out = Buffer.from(bytes)
  if (out.includes('ftyp')) {
    for (const entry of ['avc1', 'hvc1', 'hev1', 'av01', 'vp09']) {
      const at = out.indexOf(entry, out.indexOf('stsd'))
      if (at < 0) continue
      out.writeUInt16BE(width, at + 28)
      out.writeUInt16BE(height, at + 30)
    }
    const header = out.indexOf('tkhd')
    const end = header - 4 + out.readUInt32BE(header - 4)
    out.writeUInt32BE(width * 65_536, end - 8)
    out.writeUInt32BE(height * 65_536, end - 4)
    return new Uint8Array(out)
  }
  // PixelWidth and PixelHeight in the element Video, two bytes each.
  const video = out.indexOf(Buffer.from([0xb0, 0x82]), out.indexOf('V_VP') - 200)
  out.writeUInt16BE(width, video + 2)
  out.writeUInt16BE(height, out.indexOf(Buffer.from([0xba, 0x82]), video) + 2)
  return new Uint8Array(out)
}

/** Copies the first track so many times. */
export function withTracks(bytes: Bytes, count: number): Bytes {
  const file = Buffer.from(bytes)
  const movie = file.indexOf('moov') - 4
  const track = file.indexOf('trak', movie) - 4
  const one = file.subarray(track, track + file.readUInt32BE(track))
  return insertedInMovie(bytes, Buffer.concat(Array<Buffer>(count).fill(one)))
}

export function isoBox(name: string, body: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + body.length)
  header.write(name, 4, 'latin1')
  return Buffer.concat([header, body])
}

export function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * i)
  return bytes
}

/** Adds another list of that name to the first sample table. */
export function withList(bytes: Bytes, name: string, body: Buffer): Bytes {
  const file = Buffer.from(bytes)
  const movie = file.indexOf('moov')
  const at = file.indexOf(name, movie) - 4
  const box = isoBox(name, body)
  const length = file.readUInt32BE(at)
  const changed = Buffer.concat([file.subarray(0, at), box, file.subarray(at + length)])
  for (const holder of ['moov', 'trak', 'mdia', 'minf', 'stbl']) {
    const place = changed.indexOf(holder, movie) - 4
    changed.writeUInt32BE(changed.readUInt32BE(place) + box.length - length, place)
  }
  return new Uint8Array(changed)
}

export function insertedInMovie(bytes: Bytes, boxes: Buffer): Bytes {
  const file = Buffer.from(bytes)
  const movie = file.indexOf('moov') - 4
  const length = file.readUInt32BE(movie)
  const end = movie + length
  file.writeUInt32BE(length + boxes.length, movie)
  return new Uint8Array(Buffer.concat([file.subarray(0, end), boxes, file.subarray(end)]))
}
