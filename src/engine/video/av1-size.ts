import { BitReader, type FrameSize, larger } from './bits.ts'

const sequenceHeader = 1

/**
 * The largest frames that a sequence header among the units of an AV1 stream allows (AV1 bitstream
 * specification, 5.3 to 5.5); undefined where there is none.
 */
export function av1Size(units: Uint8Array): FrameSize | undefined {
  let found: FrameSize | undefined
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
      found = larger(found, sequenceSize(units.subarray(at, at + length)))
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

function sequenceSize(bytes: Uint8Array): FrameSize {
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
