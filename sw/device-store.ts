import type { UseStore } from 'idb-keyval'

/** The device's storage did not respond: WebKit sometimes lets IndexedDB hang after a page load. */
export class StorageSilence extends Error {
  constructor() {
    super('the storage of this device did not respond')
    this.name = 'StorageSilence'
  }
}

/**
 * Milliseconds after which a request to the database counts as hanging; writing many pictures takes
 * a slow phone some seconds.
 */
const timeouts = { readonly: 8000, readwrite: 25_000 }

/**
 * An object store for idb-keyval that never waits for ever: the database is closed when the page is
 * put away and opened anew afterwards, and what hangs is given up with StorageSilence.
 */
export function deviceStore(database: string, name: string, limits = timeouts): UseStore {
  let opened: Promise<IDBDatabase> | undefined

  const forget = () => {
    const closing = opened
    opened = undefined
    closing?.then((db) => db.close()).catch(() => undefined)
  }

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(database)
      request.onupgradeneeded = () => request.result.createObjectStore(name)
      request.onerror = () => reject(request.error)
      request.onsuccess = () => {
        request.result.onclose = () => {
          opened = undefined
        }
        request.result.onversionchange = forget
        resolve(request.result)
      }
    }).catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  // A database that a page in the browser's page cache holds open is what the next page's requests
  // wait for.
  globalThis.addEventListener?.('pagehide', forget)

  return (mode, use) => {
    let givenUp = false
    const work = open().then((db) => {
      if (givenUp) throw new StorageSilence()
      return use(db.transaction(name, mode).objectStore(name))
    })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          givenUp = true
          forget()
          reject(new StorageSilence())
        },
        limits[mode as keyof typeof limits] ?? limits.readwrite,
      )
      work.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}

/**
 * Waits until the whole transaction is on disk: only then may the screen say that nothing can get
 * lost.
 */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = transaction.onerror = () => reject(transaction.error)
  })
}

/**
 * What page and worker share: the mirrored token, and pictures that were chosen before a tool could
 * take them.
 */
export const sharedStore = deviceStore('keyval-store', 'keyval')
