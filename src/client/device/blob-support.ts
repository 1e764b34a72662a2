import { committed, deviceStore } from './device-store.ts'

/** Apart from what is worth keeping: a database that hangs lets nobody else in either. */
const probes = deviceStore('rupa-probe', 'probe', { readonly: 2000, readwrite: 2000 })

let known: Promise<boolean> | undefined

async function tryBlob(): Promise<void> {
  await probes('readwrite', (store) => {
    store.put(new Blob(['probe']), 'blob')
    return committed(store.transaction)
  })
  await probes('readwrite', (store) => {
    store.delete('blob')
    return committed(store.transaction)
  }).catch(() => undefined)
}

/**
 * Whether this device's databases keep blobs. Those of WebKit's private windows keep bytes only: a
 * blob either aborts its transaction or leaves it hanging, and with it the whole database.
 */
export function supportsBlobs(): Promise<boolean> {
  known ??= tryBlob().then(
    () => true,
    () => false,
  )
  return known
}
