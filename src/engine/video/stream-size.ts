import type { Size } from '#engine/image/picture.ts'
import { BitReader, largerSize, nalSize } from './bitstream.ts'

export const videoCodecs = ['avc', 'hevc', 'vp8', 'vp9', 'av1'] as const
export type VideoCodec = (typeof videoCodecs)[number]

/**
 * From the decoder's configuration (`description`) or a packet; decoders follow these headers, not
 * the container's size.
 */
export function announcedSize(
  codec: VideoCodec,
  { description, packet }: { description?: Uint8Array | undefined; packet?: Uint8Array | undefined },
): Size | undefined {
  if (codec === 'avc' || codec === 'hevc') return nalSize(codec, description, packet)
  if (codec === 'av1') return largerSize(description && av1Size(description.subarray(4)), packet && av1Size(packet))
  if (!packet) return undefined
  return codec === 'vp8' ? vp8Size(packet) : vp9Size(packet)
}

/** VP8 key frames and VP9 intra frames. */
const vp8Start = 0x9d012a
const vp9Start = 0x498342

/** Only key frames (RFC 6386, 9.1). */
function vp8Size(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 10 || ((bytes[0] as number) & 1) === 1) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  if ((view.getUint32(2) & 0xffffff) !== vp8Start) return undefined
  return { width: view.getUint16(6, true) & 0x3fff, height: view.getUint16(8, true) & 0x3fff }
}

/** Largest of all frames in a packet (VP9 bitstream specification, 6.2 and annex B). */
function vp9Size(packet: Uint8Array): Size | undefined {
  return framesOf(packet).map(vp9FrameSize).reduce(largerSize, undefined)
}

function framesOf(packet: Uint8Array): Uint8Array[] {
  const marker = packet.at(-1) ?? 0
  if (marker >> 5 !== 0b110) return [packet]
  const [count, wide] = [(marker & 7) + 1, ((marker >> 3) & 3) + 1]
  const index = packet.length - 2 - count * wide
  if (index < 0 || packet[index] !== marker) return [packet]
  const frames: Uint8Array[] = []
  for (let i = 0, at = 0; i < count; i++) {
    const bytes = packet.subarray(index + 1 + i * wide, index + 1 + (i + 1) * wide)
    const length = bytes.reduceRight((sum, byte) => 256 * sum + byte, 0)
    frames.push(packet.subarray(at, Math.min(index, at + length)))
    at += length
  }
  return frames
}

/** Undefined for frames that reuse an earlier frame's size. */
function vp9FrameSize(frame: Uint8Array): Size | undefined {
  const reader = new BitReader(frame)
  if (reader.bits(2) !== 2) return undefined
  const profile = reader.bit() + 2 * reader.bit()
  if (profile === 3) reader.skip(1)
  if (reader.bit() === 1) return undefined
  const isKey = reader.bit() === 0
  const isShown = reader.bit() === 1
  const isResilient = reader.bit() === 1
  const size = () => ({ width: reader.bits(16) + 1, height: reader.bits(16) + 1 })
  if (isKey) {
    if (reader.bits(24) !== vp9Start) return undefined
    skipColours(reader, profile)
    return size()
  }
  const isIntra = isShown ? false : reader.bit() === 1
  if (!isResilient) reader.skip(2)
  if (isIntra) {
    if (reader.bits(24) !== vp9Start) return undefined
    if (profile > 0) skipColours(reader, profile)
    reader.skip(8)
    return size()
  }
  reader.skip(8 + 3 * 4)
  for (let i = 0; i < 3; i++) if (reader.bit() === 1) return undefined
  return size()
}

function skipColours(reader: BitReader, profile: number): void {
  if (profile >= 2) reader.skip(1)
  const space = reader.bits(3)
  const isRgb = space === 7
  if (!isRgb) reader.skip(1)
  if (profile % 2 === 1) reader.skip(isRgb ? 1 : 3)
}

const sequenceHeader = 1

/** The largest size that AV1 sequence headers allow (AV1 bitstream specification, 5.3 to 5.5). */
function av1Size(units: Uint8Array): Size | undefined {
  let found: Size | undefined
  for (let at = 0; at < units.length; ) {
    const header = units[at] as number
    const hasSize = (header & 2) !== 0
    at += (header & 4) !== 0 ? 2 : 1
    let length = units.length - at
    if (hasSize) {
      const [value, bytes] = leb128(units, at)
      at += bytes
      length = Math.min(value, units.length - at)
    }
    if (((header >> 3) & 15) === sequenceHeader) {
      found = largerSize(found, sequenceSize(units.subarray(at, at + length)))
    }
    at += length
  }
  return found
}

function leb128(bytes: Uint8Array, from: number): [value: number, bytes: number] {
  let value = 0
  for (let i = 0; i < 8; i++) {
    const byte = bytes[from + i] ?? 0
    value += (byte & 127) * 2 ** (7 * i)
    if (byte < 128) return [value, i + 1]
  }
  return [value, 8]
}

function sequenceSize(bytes: Uint8Array): Size {
  const reader = new BitReader(bytes)
  reader.skip(3 + 1)
  if (reader.bit() === 1) reader.skip(5)
  else skipOperatingPoints(reader)
  const [wide, high] = [reader.bits(4) + 1, reader.bits(4) + 1]
  return { width: reader.bits(wide) + 1, height: reader.bits(high) + 1 }
}

function skipOperatingPoints(reader: BitReader): void {
  let delayBits = 0
  const hasTiming = reader.bit() === 1
  if (hasTiming) {
    reader.skip(64)
    if (reader.bit() === 1) reader.golomb()
    if (reader.bit() === 1) {
      delayBits = reader.bits(5) + 1
      reader.skip(32 + 5 + 5)
    }
  }
  const hasDisplayDelay = reader.bit() === 1
  const points = reader.bits(5) + 1
  for (let i = 0; i < points; i++) {
    reader.skip(12)
    if (reader.bits(5) > 7) reader.skip(1)
    if (delayBits > 0 && reader.bit() === 1) reader.skip(2 * delayBits + 1)
    if (hasDisplayDelay && reader.bit() === 1) reader.skip(4)
  }
}
