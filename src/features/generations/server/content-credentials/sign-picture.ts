import { randomUUID, sign } from 'node:crypto'
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
 * A picture without AI, or in WebP, is returned unchanged. Throws when the certificate has expired.
 */
export async function signPicture(
  { bytes, contentType, source }: Pick<EngineOutput, 'bytes' | 'contentType' | 'source'>,
  { chain, key }: ContentCredentials,
  now: Date,
): Promise<Uint8Array> {
  const [own, ...others] = chain
  if (!own || !source || !/^image\/(jpeg|png)$/.test(contentType)) return bytes
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
  const binding = c2pa.DataHashAssertion.create(defaultHashAlgorithm)
  manifest.addAssertion(actions)
  manifest.addAssertion(binding)
  const asset = new (contentType === 'image/png' ? PNG : JPEG)(bytes)
  await asset.ensureManifestSpace(store.measureSize())
  await binding.updateWithAsset(asset)
  await manifest.sign(signer)
  await asset.writeManifestJUMBF(store.getBytes())
  return asset.getDataRange()
}
