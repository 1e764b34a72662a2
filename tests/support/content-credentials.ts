import { JPEG, PNG } from '@trustnxt/c2pa-ts/asset'
import { SuperBox } from '@trustnxt/c2pa-ts/jumbf'
import { ActionAssertion, ManifestStore } from '@trustnxt/c2pa-ts/manifest'

const folder = 'tests/fixtures/content-credentials'

/** With an untrusted certificate. */
export const signing = { C2PA_CERTIFICATES: `${folder}/chain.pem`, C2PA_KEY: `${folder}/key.pem` }

export async function readCredentials(file: Uint8Array) {
  const bytes = Uint8Array.from(file)
  const asset = PNG.canRead(bytes) ? new PNG(bytes) : new JPEG(bytes)
  const jumbf = asset.getManifestJUMBF() as Uint8Array<ArrayBuffer> | undefined
  if (!jumbf) return undefined
  const store = ManifestStore.read(SuperBox.fromBuffer(jumbf))
  const actions = store.getActiveManifest()?.assertions?.assertions.find((one) => one instanceof ActionAssertion)
  return { valid: (await store.validate(asset)).isValid, source: actions?.actions[0]?.digitalSourceType }
}
