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
