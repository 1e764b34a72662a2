import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { ReadConfig } from '#server/config.ts'

declare module '#server/config.ts' {
  interface FeatureConfig {
    contentCredentials: ContentCredentials | undefined
  }
}

/** Signs pictures that AI has created or changed (C2PA). */
export interface ContentCredentials {
  /** The signer's certificate first, then the intermediate ones up to the trusted root. */
  chain: readonly X509Certificate[]
  key: KeyObject
}

const certificates = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Reads PEM files; the key must be on the curve P-256. */
export const readContentCredentials: ReadConfig<ContentCredentials | undefined> = (read) => {
  const [chainFile, keyFile] = [read('C2PA_CERTIFICATES'), read('C2PA_KEY')]
  if (!chainFile && !keyFile) return { config: undefined }
  if (!chainFile || !keyFile) return { problem: 'C2PA_CERTIFICATES and C2PA_KEY are given together' }
  let chain: X509Certificate[]
  let key: KeyObject
  try {
    chain = (readFileSync(chainFile, 'utf8').match(certificates) ?? []).map((pem) => new X509Certificate(pem))
    key = createPrivateKey(readFileSync(keyFile))
  } catch {
    return { problem: 'C2PA_CERTIFICATES and C2PA_KEY must be files in PEM' }
  }
  if (!chain[0]?.checkPrivateKey(key))
    return { problem: 'C2PA_KEY is not the key of the first certificate in C2PA_CERTIFICATES' }
  if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    return { problem: 'C2PA_KEY must be a key of the curve P-256' }
  return { config: { chain, key } }
}
