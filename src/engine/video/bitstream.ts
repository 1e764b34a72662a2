import type { Size } from '#engine/image/picture.ts'

/** Reads numbers of any bit width, most significant bit first; bits after the end are zeros. */
export class BitReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  bit(): number {
    const byte = this.#bytes[this.#at >> 3] ?? 0
    return (byte >> (7 - (this.#at++ & 7))) & 1
  }

  /** At most 32 bits. */
  bits(count: number): number {
    let value = 0
    for (let i = 0; i < count; i++) value = 2 * value + this.bit()
    return value
  }

  skip(count: number): void {
    this.#at += count
  }

  /** Exponential Golomb code, unsigned (ISO/IEC 14496-10, 9.1). */
  golomb(): number {
    let zeros = 0
    while (zeros < 32 && this.bit() === 0) zeros++
    return 2 ** zeros - 1 + this.bits(zeros)
  }

  signedGolomb(): number {
    const code = this.golomb()
    return code % 2 === 1 ? (code + 1) / 2 : -code / 2
  }
}

/** The maximum of both widths and both heights. */
export function largerSize(a: Size | undefined, b: Size | undefined): Size | undefined {
  if (!a || !b) return a ?? b
  return { width: Math.max(a.width, b.width), height: Math.max(a.height, b.height) }
}

const unitTypes = { avc: 7, hevc: 33 } as const
type Codec = keyof typeof unitTypes

/**
 * The largest cropped size in the parameter sets of H.264 or H.265 (ISO/IEC 14496-10, 7.3.2.1;
 * 23008-2, 7.3.2.2), from the configuration record (14496-15) or a packet.
 */
export function nalSize(codec: Codec, record: Uint8Array | undefined, packet: Uint8Array | undefined) {
  const units: Uint8Array[] = record ? [...recordUnits(codec, record)] : []
  if (packet) {
    const lengthBytes = record ? ((record[codec === 'avc' ? 4 : 21] ?? 3) & 3) + 1 : undefined
    units.push(...(lengthBytes ? prefixedUnits(packet, lengthBytes) : startCodeUnits(packet)))
  }
  let found: Size | undefined
  for (const unit of units) {
    const head = unit[0] ?? 0
    if ((codec === 'avc' ? head & 31 : (head >> 1) & 63) !== unitTypes[codec]) continue
    const reader = new BitReader(withoutEmulation(unit.subarray(codec === 'avc' ? 1 : 2)))
    found = largerSize(found, codec === 'avc' ? avcSize(reader) : hevcSize(reader))
  }
  return found
}

const u16 = (bytes: Uint8Array, at: number) => 256 * (bytes[at] ?? 0) + (bytes[at + 1] ?? 0)

function* recordUnits(codec: Codec, record: Uint8Array): Generator<Uint8Array> {
  let at = codec === 'avc' ? 6 : 23
  const arrays = codec === 'avc' ? 1 : (record[22] ?? 0)
  for (let array = 0; array < arrays; array++) {
    const count = codec === 'avc' ? (record[5] ?? 0) & 31 : u16(record, at + 1)
    if (codec === 'hevc') at += 3
    for (let i = 0; i < count && at < record.length; i++) {
      const length = u16(record, at)
      yield record.subarray(at + 2, at + 2 + length)
      at += 2 + length
    }
  }
}

function* prefixedUnits(packet: Uint8Array, lengthBytes: number): Generator<Uint8Array> {
  for (let at = 0; at + lengthBytes < packet.length; ) {
    const length = packet.subarray(at, at + lengthBytes).reduce((sum, byte) => 256 * sum + byte, 0)
    at += lengthBytes
    yield packet.subarray(at, at + length)
    at += length
  }
}

/** Each unit extends to the packet's end, because only its first fields are read. */
function* startCodeUnits(packet: Uint8Array): Generator<Uint8Array> {
  for (let at = 2; at < packet.length - 1; at++) {
    if (packet[at] === 1 && packet[at - 1] === 0 && packet[at - 2] === 0) yield packet.subarray(at + 1)
  }
}

/** More bytes than any parameter set needs up to its size. */
const readBytes = 1024

function withoutEmulation(unit: Uint8Array): Uint8Array {
  const out: number[] = []
  let zeros = 0
  for (const byte of unit.subarray(0, readBytes)) {
    if (zeros >= 2 && byte === 3) {
      zeros = 0
      continue
    }
    zeros = byte === 0 ? zeros + 1 : 0
    out.push(byte)
  }
  return Uint8Array.from(out)
}

const plainProfiles = new Set([66, 77, 88])
/** Profiles with additional sample information (7.3.2.1.1). */
const highProfiles = new Set([44, 83, 86, 100, 110, 118, 122, 128, 134, 135, 138, 139, 244])

function avcSize(reader: BitReader): Size | undefined {
  const profile = reader.bits(8)
  if (!plainProfiles.has(profile) && !highProfiles.has(profile)) return undefined
  reader.skip(16)
  reader.golomb()
  let chroma = 1
  if (highProfiles.has(profile)) {
    chroma = reader.golomb()
    if (chroma === 3) reader.skip(1)
    reader.golomb()
    reader.golomb()
    reader.skip(1)
    if (reader.bit() === 1) skipScaling(reader, chroma === 3 ? 12 : 8)
  }
  reader.golomb()
  const order = reader.golomb()
  if (order === 0) reader.golomb()
  else if (order === 1) {
    reader.skip(1)
    reader.signedGolomb()
    reader.signedGolomb()
    for (let i = Math.min(255, reader.golomb()); i > 0; i--) reader.signedGolomb()
  }
  reader.golomb()
  reader.skip(1)
  const [columns, rows] = [reader.golomb() + 1, reader.golomb() + 1]
  const fields = 2 - reader.bit()
  if (fields === 2) reader.skip(1)
  reader.skip(1)
  const [across, down] = [chroma === 1 || chroma === 2 ? 2 : 1, chroma === 1 ? 2 : 1]
  return cropped(reader, { width: 16 * columns, height: 16 * rows * fields }, across, down * fields)
}

function skipScaling(reader: BitReader, lists: number): void {
  for (let list = 0; list < lists; list++) {
    if (reader.bit() === 0) continue
    let [last, next] = [8, 8]
    for (let i = 0; i < (list < 6 ? 16 : 64); i++) {
      if (next !== 0) next = (last + reader.signedGolomb() + 256) % 256
      if (next !== 0) last = next
    }
  }
}

function hevcSize(reader: BitReader): Size {
  reader.skip(4)
  const layers = reader.bits(3)
  reader.skip(1)
  skipProfile(reader, layers)
  reader.golomb()
  const chroma = reader.golomb()
  if (chroma === 3) reader.skip(1)
  const size = { width: reader.golomb(), height: reader.golomb() }
  return cropped(reader, size, chroma === 1 || chroma === 2 ? 2 : 1, chroma === 1 ? 2 : 1)
}

function skipProfile(reader: BitReader, layers: number): void {
  reader.skip(88 + 8)
  const present = Array.from({ length: layers }, () => [reader.bit(), reader.bit()] as const)
  if (layers > 0) reader.skip(2 * (8 - layers))
  for (const [profile, level] of present) reader.skip(88 * profile + 8 * level)
}

/** Larger cropping is ignored, because a decoder allocates whole frames. */
const maxCropped = 64

/** In units of `across` × `down` pixels. */
function cropped(reader: BitReader, { width, height }: Size, across: number, down: number): Size {
  if (reader.bit() === 0) return { width, height }
  const [left, right, top, bottom] = [reader.golomb(), reader.golomb(), reader.golomb(), reader.golomb()]
  const [columns, rows] = [across * (left + right), down * (top + bottom)]
  if (columns > maxCropped || rows > maxCropped) return { width, height }
  return { width: width - columns, height: height - rows }
}
