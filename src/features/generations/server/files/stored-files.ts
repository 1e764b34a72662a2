import { randomUUID, sign } from 'node:crypto'
import type { Signer } from '@trustnxt/c2pa-ts/cose'
import type { DigitalSourceType } from '@trustnxt/c2pa-ts/manifest'
import type { SQL } from 'drizzle-orm'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { brandName } from '#shared/brand.ts'
import type { EngineOutput } from '#tools/threads/task.ts'
import type { ContentCredentials } from '../content-credentials/credentials-config.ts'
import type { AcceptedFile } from '../execution/accept-request.ts'
import { generationFiles } from '../table.ts'

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

export type NewFile = typeof generationFiles.$inferInsert

/** Ends with the file's id, so that the sweep can find files without a row. */
function storageKey(generationId: string, fileId: string): string {
  return `generations/${generationId}/${fileId}`
}

/**
 * Copies inputs, so that deleting an upload does not affect the generation. A failure leaves no
 * copies. The transaction that starts using them writes their rows.
 */
export async function storeInputs(
  deps: Pick<Deps, 'db' | 'store'>,
  generationId: string,
  files: AcceptedFile[],
  now: Date,
): Promise<NewFile[]> {
  const rows = files.map(({ input: label, position, name, contentType, width, height, seconds, bytes }) =>
    newFile(generationId, { role: 'input', label, position, name, contentType, width, height, seconds, bytes }, now),
  )
  return await allOrNone(deps, rows, now, (row, index) =>
    deps.store.copy(files[index]?.storageKey ?? '', row.storageKey),
  )
}

/** Signs and stores outputs; a failure leaves no files. */
export async function storeOutputs(
  deps: Pick<Deps, 'db' | 'store' | 'config' | 'log'>,
  generationId: string,
  outputs: {
    role: Exclude<NewFile['role'], 'input' | 'earlier'>
    name: string
    position: number
    file: EngineOutput
  }[],
  now: Date,
): Promise<NewFile[]> {
  const files = await Promise.all(
    outputs.map(async ({ role, name, position, file }) => {
      const { label, contentType, width, height, seconds = 0 } = file
      const bytes = role === 'output' ? await signed(deps, file, now) : file.bytes
      const given = { role, label, position, name, contentType, width, height, seconds, bytes: bytes.length }
      return { row: newFile(generationId, given, now), bytes }
    }),
  )
  const rows = files.map(({ row }) => row)
  return await allOrNone(deps, rows, now, (row, index) =>
    deps.store.put(row.storageKey, files[index]?.bytes ?? new Uint8Array()),
  )
}

/** A picture that cannot be signed stays unchanged. */
async function signed(
  { config: { contentCredentials }, log }: Pick<Deps, 'config' | 'log'>,
  file: EngineOutput,
  now: Date,
): Promise<Uint8Array> {
  if (!contentCredentials) return file.bytes
  try {
    return await signPicture(file, contentCredentials, now)
  } catch (error) {
    log.error({ err: error }, 'could not sign a result')
    return file.bytes
  }
}

export async function insertFiles(tx: Transaction, userId: string, files: NewFile[], now: Date): Promise<void> {
  if (files.length === 0) return
  // Both queries are sent together and run one after the other.
  await Promise.all([uploads.keepFiles(tx, { userId, files, now }), tx.insert(generationFiles).values(files)])
}

/** Deletes rows and returns storage keys; the caller deletes the files after the commit. */
export async function deleteFiles(tx: Transaction, which: SQL | undefined, now: Date): Promise<string[]> {
  return await uploads.dropFiles(tx, await tx.delete(generationFiles).where(which).returning(), now)
}

async function allOrNone(
  { db, store }: Pick<Deps, 'db' | 'store'>,
  rows: NewFile[],
  now: Date,
  storeOne: (row: NewFile, index: number) => Promise<unknown>,
): Promise<NewFile[]> {
  await uploads.announceFiles(db, { files: rows, now })
  const outcomes = await Promise.allSettled(rows.map(storeOne))
  const failure = outcomes.find((outcome) => outcome.status === 'rejected')
  if (!failure) return rows
  await store.delete(rows.map((row) => row.storageKey)).catch(() => {})
  throw failure.reason
}

function newFile(
  generationId: string,
  file: Omit<NewFile, 'id' | 'generationId' | 'storageKey' | 'createdAt'>,
  now: Date,
): NewFile {
  const id = crypto.randomUUID()
  return { ...file, id, generationId, storageKey: storageKey(generationId, id), createdAt: now }
}
