interface Component {
  id: number
  across: number
  down: number
}

interface Frame {
  /** Huffman-coded: 0xc0 and 0xc1 are sequential, 0xc2 is progressive. */
  kind: number
  width: number
  height: number
  components: Component[]
}

interface Scan {
  /** Byte offset of the entropy-coded data. */
  from: number
  components: { id: number; dc: number; ac: number }[]
  first: number
  last: number
  shift: number
  tables: ReadonlyMap<number, HuffmanTable>
  /** Units between restarts; 0 without any. */
  restart: number
}

/** By code length in bits: the first code, the code behind the last one, and the first symbol. */
interface HuffmanTable {
  first: Int32Array
  end: Int32Array
  at: Int32Array
  symbols: Uint8Array
}

const [defineHuffman, defineRestart, startOfScan] = [0xc4, 0xdd, 0xda]
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
const isRestart = (marker: number) => marker >= 0xd0 && marker <= 0xd7

/**
 * Finds where a JPEG ends (ITU-T T.81 annex F) that has no end marker: some cameras and programs
 * forget it, and only the data tell that from a file that is cut off.
 */
export class JpegScans {
  #frame: Frame | undefined
  #restart = 0
  readonly #tables = new Map<number, HuffmanTable>()
  readonly #scans: Scan[] = []

  /** Reads a segment; `from` and `to` enclose its content. */
  note(marker: number, bytes: Uint8Array, from: number, to: number): void {
    const segment = bytes.subarray(from, to)
    const word = (at: number) => ((segment[at] ?? 0) << 8) | (segment[at + 1] ?? 0)
    if (isFrame(marker)) {
      const components: Component[] = []
      for (let at = 6; at + 3 <= segment.length; at += 3) {
        const sampling = segment[at + 1] as number
        components.push({ id: segment[at] as number, across: sampling >> 4, down: sampling & 15 })
      }
      this.#frame ??= { kind: marker, height: word(1), width: word(3), components }
    } else if (marker === defineHuffman) this.#noteTables(segment)
    else if (marker === defineRestart) this.#restart = word(0)
    else if (marker === startOfScan) {
      const count = segment[0] ?? 0
      const components = Array.from({ length: count }, (_, index) => {
        const tables = segment[2 + 2 * index] ?? 0
        return { id: segment[1 + 2 * index] ?? 0, dc: tables >> 4, ac: tables & 15 }
      })
      const [first = 0, last = 63, approximation = 0] = segment.subarray(1 + 2 * count)
      // Data behind a picture without an end may look like further tables.
      const [tables, restart] = [new Map(this.#tables), this.#restart]
      this.#scans.push({ from: to, components, first, last, shift: approximation & 15, tables, restart })
    }
  }

  #noteTables(segment: Uint8Array): void {
    for (let at = 0; at + 17 <= segment.length; ) {
      const [first, end, starts] = [new Int32Array(17), new Int32Array(17), new Int32Array(17)]
      const symbols = segment.slice(at + 17)
      let count = 0
      let code = 0
      for (let length = 1; length <= 16; length++) {
        first[length] = code
        starts[length] = count
        count += segment[at + length] as number
        code += segment[at + length] as number
        end[length] = code
        code <<= 1
      }
      this.#tables.set(segment[at] as number, { first, end, at: starts, symbols })
      at += 17 + count
    }
  }

  /**
   * Returns where the data of the picture's last scan begin and end; undefined if it is cut off. A
   * progressive picture without the rest of its last refinement looks complete; without a whole one
   * it is blurred.
   */
  last(bytes: Uint8Array): { from: number; to: number } | undefined {
    const frame = this.#frame
    if (!frame || frame.kind > 0xc2) return undefined
    const isProgressive = frame.kind === 0xc2
    const isDone = (scans: readonly Scan[], id: number, coefficient: number) =>
      scans.some(
        ({ components, first, last, shift }) =>
          components.some((one) => one.id === id) &&
          (!isProgressive || (shift === 0 && first <= coefficient && coefficient <= last)),
      )
    const count = this.#scans.findIndex((_, index) => {
      const scans = this.#scans.slice(0, index + 1)
      return frame.components.every(({ id }) => [0, 1, 63].every((coefficient) => isDone(scans, id, coefficient)))
    })
    const scan = this.#scans[count]
    if (!scan) return undefined
    if (!isProgressive) {
      const to = sequentialEnd(bytes, frame, scan)
      return to === undefined ? undefined : { from: scan.from, to }
    }
    let to = dataEnd(bytes, scan.from)
    // Half of an end marker.
    while (to > scan.from && bytes[to - 1] === 0xff) to -= 1
    return { from: scan.from, to }
  }
}

function sequentialEnd(bytes: Uint8Array, frame: Frame, scan: Scan): number | undefined {
  const most = (of: 'across' | 'down') => Math.max(1, ...frame.components.map((one) => one[of]))
  const units: { dc: HuffmanTable; ac: HuffmanTable }[] = []
  let across = Math.ceil(frame.width / (8 * most('across')))
  let down = Math.ceil(frame.height / (8 * most('down')))
  for (const { id, dc, ac } of scan.components) {
    const component = frame.components.find((one) => one.id === id)
    const tables = { dc: scan.tables.get(dc), ac: scan.tables.get(16 | ac) }
    if (!component || !tables.dc || !tables.ac) return undefined
    // A component alone is stored without the padding to whole units.
    const alone = scan.components.length === 1
    if (alone) {
      across = Math.ceil(Math.ceil((frame.width * component.across) / most('across')) / 8)
      down = Math.ceil(Math.ceil((frame.height * component.down) / most('down')) / 8)
    }
    const blocks = alone ? 1 : component.across * component.down
    for (let block = 0; block < blocks; block++) units.push({ dc: tables.dc, ac: tables.ac })
  }
  const reader = new BitReader(bytes, scan.from)
  for (let unit = 0; unit < across * down; unit++) {
    if (scan.restart > 0 && unit > 0 && unit % scan.restart === 0) reader.restart()
    for (const { dc, ac } of units) if (!skipBlock(reader, dc, ac)) return undefined
  }
  return reader.at
}

/** Returns false if the data end or break before the block does. */
function skipBlock(reader: BitReader, dc: HuffmanTable, ac: HuffmanTable): boolean {
  const size = reader.symbol(dc)
  if (size < 0 || !reader.skip(size)) return false
  for (let coefficient = 1; coefficient < 64; coefficient++) {
    const symbol = reader.symbol(ac)
    if (symbol < 0) return false
    const bits = symbol & 15
    if (bits === 0 && symbol !== 0xf0) return true
    coefficient += symbol >> 4
    if (!reader.skip(bits)) return false
  }
  return true
}

class BitReader {
  at: number
  readonly #bytes: Uint8Array
  #byte = 0
  #left = 0

  constructor(bytes: Uint8Array, from: number) {
    this.#bytes = bytes
    this.at = from
  }

  /** Returns -1 at the end of the data. */
  #bit(): number {
    if (this.#left === 0) {
      const byte = this.#bytes[this.at]
      if (byte === undefined) return -1
      if (byte === 0xff) {
        if (this.#bytes[this.at + 1] !== 0) return -1
        this.at += 1
      }
      this.at += 1
      this.#byte = byte
      this.#left = 8
    }
    this.#left -= 1
    return (this.#byte >> this.#left) & 1
  }

  skip(bits: number): boolean {
    for (let count = 0; count < bits; count++) if (this.#bit() < 0) return false
    return true
  }

  /** Returns -1 without a symbol. */
  symbol({ first, end, at, symbols }: HuffmanTable): number {
    let code = 0
    for (let length = 1; length <= 16; length++) {
      const bit = this.#bit()
      if (bit < 0) return -1
      code = (code << 1) | bit
      if (code < (end[length] as number))
        return symbols[(at[length] as number) + code - (first[length] as number)] ?? -1
    }
    return -1
  }

  restart(): void {
    this.#left = 0
    if (this.#bytes[this.at] === 0xff && isRestart(this.#bytes[this.at + 1] ?? 0)) this.at += 2
  }
}

/** The first marker that is neither a stuffed byte nor a restart; else the end of the bytes. */
export function dataEnd(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length - 1; at += 1) {
    if (bytes[at] !== 0xff) continue
    const following = bytes[at + 1] as number
    if (following !== 0 && following !== 0xff && !isRestart(following)) return at
  }
  return bytes.length
}

/**
 * Looks for the end of a JPEG: `marked`, `cut` if its data end before its picture does, or the
 * offset where the missing marker belongs.
 */
export function findJpegEnd(bytes: Uint8Array): 'marked' | 'cut' | number {
  const scans = new JpegScans()
  let scanned = false
  for (let at = 2; ; ) {
    const marker = bytes[at] === 0xff ? bytes[at + 1] : undefined
    if (marker === 0xd9) return 'marked'
    if (marker === undefined || at + 4 > bytes.length) return scanned ? (scans.last(bytes)?.to ?? 'cut') : 'marked'
    if (marker === 0xff || marker === 0xd8 || marker === 0x01 || isRestart(marker)) {
      at += marker === 0xff ? 1 : 2
      continue
    }
    const next = at + 2 + (((bytes[at + 2] as number) << 8) | (bytes[at + 3] as number))
    scans.note(marker, bytes, at + 4, next)
    at = marker === startOfScan ? dataEnd(bytes, next) : next
    scanned ||= marker === startOfScan
  }
}
