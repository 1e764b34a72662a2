import { type VideoFile, windowed } from './iso-boxes.ts'

const head = 0x1a45dfa3
const segment = 0x18538067
const cluster = 0x1f43b675
const tracks = 0x1654ae6b
const trackEntry = 0xae

/** CRC-32 and Void. */
const anywhere = [0xbf, 0xec]
/** SeekHead, Info, Tracks, Cluster, Cues, Attachments, Chapters and Tags. */
const inSegment = [0x114d9b74, 0x1549a966, tracks, cluster, 0x1c53bb6b, 0x1941a469, 0x1043a770, 0x1254c367]
/** Timestamp, SilentTracks, Position, PrevSize, SimpleBlock, BlockGroup and EncryptedBlock. */
const inCluster = [0xe7, 0x5854, 0xa7, 0xab, 0xa3, 0xa0, 0xaf]

/** The longest identifier and the longest length. */
const headerBytes = 12
/** Less than this at the end is left alone. */
const leastBytes = 8
/** A minute of pictures and sound has some ten thousand blocks. */
const maxElements = 1_000_000
const maxTracks = 64
/** Of all elements beside the clusters; a minute's cues take some kilobytes. */
const maxIndexBytes = 4 * 1024 * 1024

/** Whether a file with these first bytes, four or more, begins as Matroska and WebM files do. */
export const isMatroska = (bytes: Uint8Array): boolean =>
  bytes.length >= 4 && new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) === head

/**
 * Whether nothing but elements of their kind lie in the segment of a Matroska or WebM file, one
 * behind the other to its end (RFC 8794, RFC 9559). A file that is cut off within an element
 * passes. The demuxer searches anything else for the next element, and never stops where there is
 * none. Nor may there be more tracks, or longer lists of places, than a video of a minute needs:
 * all of them are read before anything is known. Rejects as reading the file does.
 */
export async function hasOnlyElements(file: VideoFile): Promise<boolean> {
  const readAt = windowed(file, headerBytes)
  let end = file.size
  let inOpenCluster = false
  let at = 0
  let [trackCount, indexBytes] = [0, 0]
  for (let count = 0; end - at >= leastBytes; count++) {
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
      } else if (![head, ...anywhere, ...(inOpenCluster ? inCluster : [trackEntry])].includes(id)) return false
      // Its entries are counted.
      at = id === tracks ? begins : begins + length
    }
  }
  return true
}

/** The first bytes of an element. */
interface Header {
  id: number
  /** Bytes of the data; undefined where it is left open, as in a recording that is not over. */
  length: number | undefined
  /** Bytes before the data. */
  bytes: number
}

/** Undefined where no element begins. */
function parseHeader(bytes: Uint8Array): Header | undefined {
  const idBytes = Math.clz32(bytes[0] as number) - 23
  const lengthBytes = Math.clz32(bytes[idBytes] as number) - 23
  if (idBytes > 4 || lengthBytes > 8) return undefined
  const id = bigEndian(bytes.subarray(0, idBytes))
  const [first = 0, ...rest] = bytes.subarray(idBytes, idBytes + lengthBytes)
  const marker = 0x80 >> (lengthBytes - 1)
  // Compared bit by bit: eight bytes of ones are no number that JavaScript can hold.
  const isOpen = first === 2 * marker - 1 && rest.every((byte) => byte === 0xff)
  const length = isOpen ? undefined : bigEndian([first - marker, ...rest])
  return { id, length, bytes: idBytes + lengthBytes }
}

const bigEndian = (bytes: ArrayLike<number>): number => Array.from(bytes).reduce((sum, byte) => sum * 256 + byte, 0)
