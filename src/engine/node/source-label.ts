import { crc32 } from 'node:zlib'
import { type DigitalSource, digitalSources } from '#engine/image/picture.ts'

const vocabulary = 'http://cv.iptc.org/newscodes/digitalsourcetype/'

/** IPTC's DigitalSourceType as RDF, for XMP packets. */
export const sourceDescription = (source: DigitalSource) =>
  `<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"><Iptc4xmpExt:DigitalSourceType>${vocabulary}${source}</Iptc4xmpExt:DigitalSourceType></rdf:Description>`

const packetOf = (source: DigitalSource) =>
  Buffer.from(
    `<?xpacket begin="\uFEFF" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${sourceDescription(source)}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`,
  )

/** Bytes that a label adds to a picture at most. */
export const labelMaxBytes = 700

/**
 * Writes the label into an encoded file without touching its pixels. Files of other types are
 * returned as they are.
 */
export function withSourceLabel(file: Uint8Array, contentType: string, source: DigitalSource): Uint8Array {
  const write = writers[contentType]
  return write ? write(Buffer.from(file.buffer, file.byteOffset, file.byteLength), source) : file
}

const writers: Record<string, (file: Buffer, source: DigitalSource) => Uint8Array> = {
  'image/jpeg': inJpeg,
  'image/png': inPng,
  'image/webp': inWebp,
  'video/mp4': inMp4,
  'video/webm': inWebm,
}

/** As an APP1 segment behind JFIF's and EXIF's (XMP part 3 §1.1.3). */
function inJpeg(file: Buffer, source: DigitalSource): Buffer {
  let at = 2
  while (file[at] === 0xff && (file[at + 1] === 0xe0 || file[at + 1] === 0xe1)) at += 2 + file.readUInt16BE(at + 2)
  const content = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1'), packetOf(source)])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([file.subarray(0, at), head, content, file.subarray(at)])
}

const pngHeaderBytes = 33

/** As iTXt behind IHDR (XMP part 3 §1.1.5). */
function inPng(file: Buffer, source: DigitalSource): Buffer {
  const content = Buffer.concat([Buffer.from('iTXtXML:com.adobe.xmp\0\0\0\0\0', 'latin1'), packetOf(source)])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length - 4)
  sum.writeUInt32BE(crc32(content))
  return Buffer.concat([file.subarray(0, pngHeaderBytes), length, content, sum, file.subarray(pngHeaderBytes)])
}

const webpFlags = { alpha: 0x10, xmp: 0x04 }

/** As the last chunk of the extended format (RFC 9649 §2.7), which a simple file becomes. */
function inWebp(file: Buffer, source: DigitalSource): Buffer {
  const packet = packetOf(source)
  const padded = packet.length % 2 === 0 ? packet : Buffer.concat([packet, Buffer.from(' ')])
  const chunk = Buffer.concat([Buffer.from('XMP \0\0\0\0', 'latin1'), padded])
  chunk.writeUInt32LE(padded.length, 4)
  const kind = file.toString('latin1', 12, 16)
  const head = Buffer.from(kind === 'VP8X' ? file.subarray(12, 30) : extendedHeader(file, kind === 'VP8L'))
  head[8] = (head[8] ?? 0) | webpFlags.xmp
  const body = file.subarray(kind === 'VP8X' ? 30 : 12)
  const labelled = Buffer.concat([file.subarray(0, 12), head, body, chunk])
  labelled.writeUInt32LE(labelled.length - 8, 4)
  return labelled
}

/** Reads size and transparency from the bitstream's own header. */
function extendedHeader(file: Buffer, lossless: boolean): Buffer {
  const bits = file.readUInt32LE(lossless ? 21 : 26)
  const [width, height] = lossless
    ? [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1]
    : [bits & 0x3fff, (bits >>> 16) & 0x3fff]
  const head = Buffer.from('VP8X\x0a\0\0\0\0\0\0\0\0\0\0\0\0\0', 'latin1')
  if (lossless && (bits >>> 28) & 1) head[8] = webpFlags.alpha
  head.writeUIntLE(width - 1, 12, 3)
  head.writeUIntLE(height - 1, 15, 3)
  return head
}

const xmpBox = Buffer.from('be7acfcb97a942e89c71999491e3afac', 'hex')

/** As a box at the end (XMP part 3 §1.2.7), so that no offset in the file moves. */
function inMp4(file: Buffer, source: DigitalSource): Buffer {
  const content = Buffer.concat([Buffer.from('\0\0\0\0uuid', 'latin1'), xmpBox, packetOf(source)])
  content.writeUInt32BE(content.length)
  return Buffer.concat([file, content])
}

/** WebM has no place for XMP, so a tag at the end of the segment names the same term. */
function inWebm(file: Buffer, source: DigitalSource): Buffer {
  const sizeAt = file.indexOf(Buffer.from('18538067', 'hex')) + 4
  // The size begins with as many zero bits as it has further bytes.
  const length = Math.clz32(file[sizeAt] ?? 0) - 23
  if (sizeAt < 4 || length < 4 || length > 8) return file
  const name = element('45a3', Buffer.from('DIGITAL_SOURCE_TYPE'))
  const value = element('4487', Buffer.from(`${vocabulary}${source}`))
  const tag = element(
    '7373',
    Buffer.concat([element('63c0', Buffer.alloc(0)), element('67c8', Buffer.concat([name, value]))]),
  )
  const tags = element('1254c367', tag)
  const labelled = Buffer.concat([file, tags])
  const size = BigInt(`0x${file.toString('hex', sizeAt, sizeAt + length)}`) + BigInt(tags.length)
  labelled.write(size.toString(16).padStart(2 * length, '0'), sizeAt, 'hex')
  return labelled
}

/** EBML (RFC 8794 §6) with a size of two bytes. */
function element(id: string, content: Buffer): Buffer {
  const size = Buffer.alloc(2)
  size.writeUInt16BE(0x4000 | content.length)
  return Buffer.concat([Buffer.from(id, 'hex'), size, content])
}

/** Bytes at both ends of a file in which labels are looked for. */
export const labelWindow = 256 * 1024

const mark = 'newscodes/digitalsourcetype/'

/** IPTC's term in a file or a part of it, regardless of its writer; undefined for none. */
export function readSourceLabel(part: Uint8Array): DigitalSource | undefined {
  const bytes = Buffer.from(part.buffer, part.byteOffset, part.byteLength)
  const at = bytes.indexOf(mark, 0, 'latin1')
  if (at < 0) return undefined
  const [term] = /^\w*/.exec(bytes.toString('latin1', at + mark.length, at + mark.length + 64)) ?? []
  return digitalSources.find((source) => source === term)
}

/**
 * The label of a result: AI in an input stays declared, whatever was done to it afterwards. A
 * picture made by AI that was only enhanced stays one.
 */
export function joinSources(own: DigitalSource, inputs: readonly (DigitalSource | undefined)[]): DigitalSource {
  if (own === 'trainedAlgorithmicMedia' || own === 'compositeWithTrainedAlgorithmicMedia') return own
  const has = (source: DigitalSource) => inputs.includes(source)
  if (has('trainedAlgorithmicMedia')) {
    const onlyEnhanced = own === 'algorithmicallyEnhanced' && new Set(inputs).size === 1
    return onlyEnhanced ? 'trainedAlgorithmicMedia' : 'compositeWithTrainedAlgorithmicMedia'
  }
  if (has('compositeWithTrainedAlgorithmicMedia') || has('compositeSynthetic'))
    return 'compositeWithTrainedAlgorithmicMedia'
  return has('compositeCapture') ? 'compositeCapture' : own
}
