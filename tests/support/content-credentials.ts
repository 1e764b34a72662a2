import { readFileSync } from 'node:fs'
import { initSync, WasmReader } from '@contentauth/c2pa-wasm'

const folder = 'tests/fixtures/content-credentials'

/** With an untrusted certificate. */
export const signing = { C2PA_CERTIFICATES: `${folder}/chain.pem`, C2PA_KEY: `${folder}/key.pem` }

interface Store {
  active_manifest: string
  manifests: Record<string, { assertions: { label: string; data: { actions?: { digitalSourceType?: string }[] } }[] }>
  validation_status?: { code: string }[]
}

let isReady = false

/**
 * Reads by the reference implementation (c2pa-rs), which signs nothing here. `problems` leaves out
 * the untrusted certificate; undefined: the file has no manifest.
 */
export async function readCredentials(file: Uint8Array, contentType: string) {
  if (!isReady) {
    initSync({ module: readFileSync('node_modules/@contentauth/c2pa-wasm/pkg/c2pa_bg.wasm') })
    isReady = true
  }
  let reader: WasmReader
  try {
    reader = await WasmReader.fromBytes(contentType, Uint8Array.from(file))
  } catch (error) {
    if (/JumbfNotFound/.test(String(error))) return undefined
    throw error
  }
  const store = JSON.parse(reader.json()) as Store
  reader.free()
  const actions = store.manifests[store.active_manifest]?.assertions.find(({ label }) =>
    label.startsWith('c2pa.actions'),
  )
  const problems = store.validation_status
    ?.map(({ code }) => code)
    .filter((code) => code !== 'signingCredential.untrusted')
  return { problems: problems ?? [], source: actions?.data.actions?.[0]?.digitalSourceType }
}
