// Checked before the demuxer reads the file: a video of a minute needs little.

const headerId = 0x1a45dfa3
const segment = 0x18538067
const cluster = 0x1f43b675
const tracks = 0x1654ae6b
const trackEntry = 0xae

/** CRC-32 and Void. */
const globalElements = [0xbf, 0xec]
/** SeekHead, Info, Tracks, Cluster, Cues, Attachments, Chapters and Tags. */
const inSegment = [0x114d9b74, 0x1549a966, tracks, cluster, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367]
/** Timestamp, SilentTracks, Position, PrevSize, SimpleBlock, BlockGroup and EncryptedBlock. */
const inCluster = [0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0, 0xaf]

/** The longest identifier plus the longest length. */
const elementHeaderBytes = 12
/** Fewer bytes at the end are ignored. */
const minBytes = 8
/** A minute of video with sound has about ten thousand blocks. */
const maxElements = 1_000_000
/** Phones write at most ten tracks, most of them with motion data of the camera. */
const maxTracks = 64
/** A minute of video with sound has a few hundred kilobytes. */
const maxIndexBytes = 4 * 1024 * 1024

/** Needs the first four bytes. */
export const isMatroska = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === headerId

/**
 * True if a Matroska or WebM segment has known elements only (RFC 8794, RFC 9559), few tracks and
 * little index data: the demuxer searches other data for the next element and might never stop.
 * Truncated files pass. Rejects if reading fails.
 */
export async function hasValidElements(file: RandomAccessFile): Promise<boolean> {
  const readAt = bufferedReader(file, elementHeaderBytes)
  let end = file.size
  let inOpenCluster = false
  let at = 0
  let [trackCount, indexBytes] = [0, 0]
  for (let count = 0; end - at >= minBytes; count++) {
    const element = parseHeader(await readAt(at))
    if (!element || count === maxElements) return false
    const { id, length } = element
    const begins = at + element.bytes
    if (id === segment) {
      if (length !== undefined) end = Math.min(end, begins + length)
      at = begins
    } else if (id === cluster && length === undefined) {
      inOpenCluster = true
      at = begins
    } else {
      if (length === undefined) return false
      if (id === trackEntry && ++trackCount > maxTracks) return false
      if (inSegment.includes(id)) {
        inOpenCluster = false
        indexBytes += id === cluster ? 0 : length
        if (indexBytes > maxIndexBytes) return false
      } else if (![headerId, ...globalElements, ...(inOpenCluster ? inCluster : [trackEntry])].includes(id))
        return false
      at = id === tracks ? begins : begins + length
    }
  }
  return true
}

interface Header {
  id: number
  /** Of the data, in bytes; undefined if unknown, as in an unfinished recording. */
  length: number | undefined
  bytes: number
}

/** Undefined if no element starts here. */
function parseHeader(bytes: Uint8Array): Header | undefined {
  const idBytes = Math.clz32(bytes[0] as number) - 23
  const lengthBytes = Math.clz32(bytes[idBytes] as number) - 23
  if (idBytes > 4 || lengthBytes > 8) return undefined
  const id = bigEndian(bytes.subarray(0, idBytes))
  const [first = 0, ...rest] = bytes.subarray(idBytes, idBytes + lengthBytes)
  const marker = 0x80 >> (lengthBytes - 1)
  // Compare bit by bit, because eight bytes of ones exceed JavaScript's integers.
  const isOpen = first === 2 * marker - 1 && rest.every((byte) => byte === 0xff)
  const length = isOpen ? undefined : bigEndian([first - marker, ...rest])
  return { id, length, bytes: idBytes + lengthBytes }
}

const bigEndian = (bytes: ArrayLike<number>): number => Array.from(bytes).reduce((sum, byte) => sum * 256 + byte, 0)

/** Size, name and 64-bit size. */
const headerBytes = 16
const containerBoxes = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'mvex', 'moof', 'traf'])
/** The demuxer creates an object for each frame in these boxes. */
const indexBoxes = new Set(['stbl', 'moof', 'sidx', 'mfra'])
const maxBoxes = 200_000

/**
 * True if an MP4 or QuickTime file (ISO/IEC 14496-12) fits a video of a minute; the demuxer reads
 * all lists of frames at first. Data that is no box ends the check. Rejects if reading fails.
 */
export async function isWithinBoxLimits(file: RandomAccessFile): Promise<boolean> {
  const readAt = bufferedReader(file, headerBytes)
  let [boxes, tracks, indexBytes] = [0, 0, 0]
  const fragments = emptyTable()

  async function fewBetween(from: number, to: number, table: SampleTable): Promise<boolean> {
    for (let at = from; at + 8 <= to; ) {
      const header = await readAt(at)
      const view = new DataView(header.buffer, header.byteOffset, header.byteLength)
      const short = view.getUint32(0)
      const long = short === 1 && header.length === headerBytes
      const length = short === 0 ? to - at : long ? Number(view.getBigUint64(8)) : short
      const name = String.fromCharCode(...header.subarray(4, 8))
      if (length < 8) return true
      if (name === 'trak') tracks++
      if (indexBoxes.has(name)) indexBytes += Math.min(length, to - at)
      if (++boxes > maxBoxes || tracks > maxTracks || indexBytes > maxIndexBytes) return false
      const [begins, ends] = [at + (long ? 16 : 8), Math.min(to, at + length)]
      if (tableBoxes.has(name)) {
        const body = name === 'trun' ? Math.min(ends, begins + headerBytes) : ends
        if (body - begins > maxIndexBytes) return false
        readTable(table, name, await file.read(begins, body))
        if (!hasFewSamples(table)) return false
      }
      const inner = name === 'stbl' ? emptyTable() : table
      if (containerBoxes.has(name) && !(await fewBetween(begins, ends, inner))) return false
      at += length
    }
    return true
  }
  return fewBetween(0, file.size, fragments)
}

/** A minute of uncompressed sound has some millions of samples, other tracks some thousands. */
const maxSamples = { alike: 10_000_000, listed: 100_000, chunks: 1_000_000 }

interface SampleTable {
  samples: number
  perChunk: number
  /** True if sizes or times are listed for each sample, because the demuxer iterates over them. */
  isListed: boolean
  isInOrder: boolean
}

const emptyTable = (): SampleTable => ({ samples: 0, perChunk: 0, isListed: false, isInOrder: true })

/** A few bytes can declare billions of samples, which the demuxer would process. */
function hasFewSamples({ samples, perChunk, isListed, isInOrder }: SampleTable): boolean {
  const limit = isListed ? maxSamples.listed : maxSamples.alike
  return isInOrder && samples <= limit && perChunk <= limit
}

const tableBoxes = new Set(['stts', 'ctts', 'stsc', 'stsz', 'trun'])

/** ISO/IEC 14496-12 §8.6 to §8.8, without header; truncated boxes count as far as they go. */
function readTable(table: SampleTable, name: string, body: Uint8Array): void {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  const word = (at: number) => (at + 4 <= view.byteLength ? view.getUint32(at) : 0)
  const entries = (bytes: number) => Math.min(word(4), Math.floor((view.byteLength - 8) / bytes))
  if (name === 'stts' || name === 'ctts') {
    let samples = 0
    for (let i = 0; i < entries(8); i++) samples += word(8 + 8 * i)
    table.samples = Math.max(table.samples, samples)
    table.isListed ||= name === 'ctts'
  } else if (name === 'stsz') {
    table.isListed ||= word(4) === 0
    table.samples = Math.max(table.samples, word(8))
  } else if (name === 'trun') {
    table.samples += word(4)
    table.isListed = true
  } else {
    for (let i = 0, before = 0; i < entries(12); i++) {
      const chunk = word(8 + 12 * i)
      table.isInOrder &&= chunk >= before && chunk <= maxSamples.chunks
      table.perChunk = Math.max(table.perChunk, word(12 + 12 * i))
      before = chunk
    }
  }
}

const windowBytes = 256 * 1024

/** Reads `bytes` bytes (fewer at the file's end) at any offset, with few large reads. */
function bufferedReader(file: RandomAccessFile, bytes: number): (at: number) => Promise<Uint8Array> {
  let from = 0
  let window: Uint8Array = new Uint8Array()
  return async (at) => {
    const to = Math.min(file.size, at + bytes)
    if (at < from || to > from + window.length) {
      from = at
      window = await file.read(at, Math.min(file.size, at + windowBytes))
    }
    return window.subarray(at - from, at - from + bytes)
  }
}

/** A file on the server, a blob on the device. */
export interface RandomAccessFile {
  size: number
  /** Both inside the file; `end` is exclusive. */
  read: (start: number, end: number) => Uint8Array | Promise<Uint8Array>
}
