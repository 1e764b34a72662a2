import { createHash, randomUUID, sign } from 'node:crypto'
import type { Asset } from '@trustnxt/c2pa-ts/asset'
import type { Signer } from '@trustnxt/c2pa-ts/cose'
import type { DigitalSourceType } from '@trustnxt/c2pa-ts/manifest'
import { brandName } from '#shared/brand.ts'
import type { EngineOutput } from '#tools/threads/task.ts'
import type { ContentCredentials } from './credentials-config.ts'

/** Bytes for the signature and its CBOR encoding. */
const signatureRoom = 512
const es256 = -7

/**
 * Adds a signed manifest about the part of AI, bound to the bytes (C2PA 2.1, 13.2 Signing a Claim).
 * Results without a source, and formats without a place for manifests (WebM, PDF), are returned
 * unchanged. Throws when the certificate has expired.
 */
export async function signResult(
  { bytes, contentType, source }: Pick<EngineOutput, 'bytes' | 'contentType' | 'source'>,
  { chain, key }: ContentCredentials,
  now: Date,
): Promise<Uint8Array> {
  const [own, ...others] = chain
  if (!own || !source || !signedTypes.has(contentType)) return bytes
  if (now > new Date(own.validTo)) throw new Error('the certificate in C2PA_CERTIFICATES has expired')
  // Imported on demand: most servers sign nothing.
  const [c2pa, { JPEG, PNG }] = await Promise.all([
    import('@trustnxt/c2pa-ts/manifest'),
    import('@trustnxt/c2pa-ts/asset'),
  ])
  const signer: Signer = {
    algorithm: es256,
    // The library reads only the raw certificates. Its own signer writes DER, but COSE requires the
    // plain values r and s.
    certificate: { rawData: own.raw } as never,
    chainCertificates: others.map(({ raw }) => ({ rawData: raw })) as never,
    sign: async (payload) => sign('sha256', payload, { key, dsaEncoding: 'ieee-p1363' }),
  }
  const defaultHashAlgorithm = 'SHA-256'
  const store = new c2pa.ManifestStore()
  const manifest = store.createManifest({
    claimVersion: c2pa.ClaimVersion.V2,
    assetFormat: contentType,
    instanceID: `xmp:iid:${randomUUID()}`,
    defaultHashAlgorithm,
    signer,
  })
  if (manifest.claim) manifest.claim.claimGeneratorName = brandName
  if (manifest.signature) manifest.signature.signatureData.paddingLength = signatureRoom
  const actions = new c2pa.ActionAssertion()
  const digitalSourceType = `http://cv.iptc.org/newscodes/digitalsourcetype/${source}` as DigitalSourceType
  actions.actions.push({ action: c2pa.ActionType.C2paCreated, digitalSourceType, softwareAgent: { name: brandName } })
  manifest.addAssertion(actions)
  if (contentType === 'video/mp4') {
    const binding = c2pa.BMFFHashAssertion.createV3('jumbf manifest', defaultHashAlgorithm)
    manifest.addAssertion(binding)
    const asset = new Mp4(bytes)
    await asset.ensureManifestSpace(store.measureSize())
    // The library hashes only the HEIF files that it can read itself.
    binding.hash = asset.hash()
    await manifest.sign(signer)
    await asset.writeManifestJUMBF(store.getBytes())
    return asset.getDataRange()
  }
  const binding = c2pa.DataHashAssertion.create(defaultHashAlgorithm)
  manifest.addAssertion(binding)
  const asset = contentType === 'image/webp' ? new WebP(bytes) : new (contentType === 'image/png' ? PNG : JPEG)(bytes)
  await asset.ensureManifestSpace(store.measureSize())
  await binding.updateWithAsset(asset)
  await manifest.sign(signer)
  await asset.writeManifestJUMBF(store.getBytes())
  return asset.getDataRange()
}

const signedTypes = new Set(['image/jpeg', 'image/png', 'image/webp', 'video/mp4'])

/** A file to which one manifest is added. */
abstract class WritableAsset implements Asset {
  protected data: Buffer
  /** Position and content length of the manifest. */
  protected manifest = { at: 0, length: 0 }
  abstract readonly mimeType: string

  constructor(bytes: Uint8Array) {
    this.data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  getDataLength(): number {
    return this.data.length
  }

  async getDataRange(start = 0, length = this.data.length - start): Promise<Uint8Array> {
    return this.data.subarray(start, start + length)
  }

  getManifestJUMBF(): undefined {
    return undefined
  }

  dumpInfo(): string {
    return this.mimeType
  }

  abstract ensureManifestSpace(length: number): Promise<void>
  abstract getHashExclusionRange(): { start: number; length: number }

  async writeManifestJUMBF(jumbf: Uint8Array): Promise<void> {
    if (jumbf.length !== this.manifest.length) throw new Error('the manifest has another length than its space')
    this.data.set(jumbf, this.manifest.at)
  }
}

const riffHeadBytes = 8

/** The manifest is the last RIFF chunk, named `C2PA` (C2PA 2.1, A.3.7). */
class WebP extends WritableAsset {
  readonly mimeType = 'image/webp'

  async ensureManifestSpace(length: number): Promise<void> {
    const chunk = Buffer.alloc(riffHeadBytes + length + (length % 2))
    chunk.write('C2PA', 'latin1')
    chunk.writeUInt32LE(length, 4)
    this.manifest = { at: this.data.length + riffHeadBytes, length }
    this.data = Buffer.concat([this.data, chunk])
    this.data.writeUInt32LE(this.data.length - riffHeadBytes, 4)
  }

  /** The byte that pads an odd chunk is hashed: readers expect exactly the chunk. */
  getHashExclusionRange() {
    return { start: this.manifest.at - riffHeadBytes, length: riffHeadBytes + this.manifest.length }
  }
}

interface Mp4Box {
  type: string
  start: number
  end: number
  /** Start of its content. */
  content: number
}

const boxesWithOffsets = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl'])
const manifestBoxId = Buffer.from('d8fec3d61b0e483c92975828877ec481', 'hex')
/** Version and flags, the box's purpose, and the unused offset of Merkle trees. */
const manifestPurpose = Buffer.concat([Buffer.alloc(4), Buffer.from('manifest\0', 'latin1'), Buffer.alloc(8)])

/** The manifest is a box behind `ftyp` (C2PA 2.1, A.5), which moves all samples. */
class Mp4 extends WritableAsset {
  readonly mimeType = 'video/mp4'
  #box = { start: 0, end: 0 }

  async ensureManifestSpace(length: number): Promise<void> {
    const [first, ...others] = this.#boxes()
    if (first?.type !== 'ftyp' || others.some(({ type }) => type === 'moof'))
      throw new Error('only MP4 files without fragments are signed')
    const head = Buffer.concat([Buffer.from('\0\0\0\0uuid', 'latin1'), manifestBoxId, manifestPurpose])
    head.writeUInt32BE(head.length + length)
    this.#box = { start: first.end, end: first.end + head.length + length }
    this.manifest = { at: first.end + head.length, length }
    const parts = [this.data.subarray(0, first.end), head, Buffer.alloc(length), this.data.subarray(first.end)]
    this.data = Buffer.concat(parts)
    this.#moveSamples(0, this.data.length, head.length + length)
  }

  getHashExclusionRange() {
    return { start: this.#box.start, length: this.#box.end - this.#box.start }
  }

  /**
   * SHA-256 of the boxes' positions and bytes without `ftyp` and the manifest (C2PA 2.1, 18.7.2).
   */
  hash(): Uint8Array<ArrayBuffer> {
    const hash = createHash('sha256')
    for (const { type, start, end } of this.#boxes()) {
      if (type === 'ftyp' || start === this.#box.start) continue
      const position = Buffer.alloc(8)
      position.writeBigUInt64BE(BigInt(start))
      hash.update(position).update(this.data.subarray(start, end))
    }
    return Uint8Array.from(hash.digest())
  }

  #boxes(from = 0, to = this.data.length): Mp4Box[] {
    const boxes: Mp4Box[] = []
    for (let start = from; start + 8 <= to; ) {
      const short = this.data.readUInt32BE(start)
      const isLarge = short === 1
      const size = isLarge ? Number(this.data.readBigUInt64BE(start + 8)) : short === 0 ? to - start : short
      if (size < 8 || start + size > to) throw new Error('a box of the MP4 file is damaged')
      const type = this.data.toString('latin1', start + 4, start + 8)
      boxes.push({ type, start, end: start + size, content: start + (isLarge ? 16 : 8) })
      start += size
    }
    return boxes
  }

  /** Offsets of chunks count from the file's start (ISO/IEC 14496-12, 8.7.5). */
  #moveSamples(from: number, to: number, by: number): void {
    for (const { type, content, end } of this.#boxes(from, to)) {
      if (boxesWithOffsets.has(type)) this.#moveSamples(content, end, by)
      if (type !== 'stco' && type !== 'co64') continue
      const count = this.data.readUInt32BE(content + 4)
      for (let i = 0, at = content + 8; i < count; i++) {
        if (type === 'stco') at = this.data.writeUInt32BE(this.data.readUInt32BE(at) + by, at)
        else at = this.data.writeBigUInt64BE(this.data.readBigUInt64BE(at) + BigInt(by), at)
      }
    }
  }
}
