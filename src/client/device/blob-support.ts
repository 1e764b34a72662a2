import { committed, deviceStore } from './device-store.ts'

/** A separate database: a hanging probe must not block the real ones. */
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
 * Private windows of WebKit store bytes only: a blob aborts its transaction or leaves the database
 * hanging.
 */
export function supportsBlobs(): Promise<boolean> {
  known ??= tryBlob().then(
    () => true,
    () => false,
  )
  return known
}
