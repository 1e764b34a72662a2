import type { UseStore } from 'idb-keyval'

/** WebKit sometimes lets IndexedDB hang after a page load. */
export class StorageTimeout extends Error {
  constructor() {
    super('the storage of this device did not respond')
  }
}

const lostNames = ['InvalidStateError', 'UnknownError', 'SecurityError', 'NotFoundError']

/** The storage hangs or has failed, although it may have worked before. */
export const isStorageLost = (error: unknown): boolean =>
  error instanceof StorageTimeout || (error instanceof DOMException && lostNames.includes(error.name))

/** Milliseconds; writing many pictures takes a slow phone some seconds. */
export const storageTimeouts = { readonly: 8000, readwrite: 12_000 }

/**
 * Store for idb-keyval whose hanging requests reject with StorageTimeout and are not executed
 * later.
 */
export function deviceStore(database: string, name: string, limits = storageTimeouts): UseStore {
  let opened: Promise<IDBDatabase> | undefined
  const underWay = new Set<IDBTransaction>()

  function follow(transaction: IDBTransaction): IDBTransaction {
    underWay.add(transaction)
    for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => underWay.delete(transaction))
    return transaction
  }

  const forget = () => {
    const closing = opened
    opened = undefined
    closing?.then((db) => db.close()).catch(() => undefined)
  }

  function open(): Promise<IDBDatabase> {
    opened ??= new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(database)
      request.onupgradeneeded = () => {
        if (request.transaction) follow(request.transaction)
        request.result.createObjectStore(name)
      }
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

  // A page frozen in the page cache would block the next page's writes for ever by its open
  // transactions.
  globalThis.addEventListener?.('pagehide', () => {
    for (const transaction of underWay) abort(transaction)
    forget()
  })

  return (mode, use) => {
    let givenUp = false
    let transaction: IDBTransaction | undefined
    const begin = (db: IDBDatabase) => {
      if (givenUp) throw new StorageTimeout()
      return follow(db.transaction(name, mode))
    }
    const run = (begun: IDBTransaction) => {
      transaction = begun
      return use(begun.objectStore(name))
    }
    // After a suspension, iOS keeps connections on which every transaction fails.
    const reopened = (error: unknown) => {
      if (givenUp || !isStorageLost(error)) throw error
      forget()
      return open().then((db) => run(begin(db)))
    }
    const work = open().then(async (db) => {
      let begun: IDBTransaction
      try {
        begun = begin(db)
      } catch (error) {
        return reopened(error)
      }
      const done = run(begun)
      // Repeating a read changes nothing.
      return mode === 'readonly' ? Promise.resolve(done).catch(reopened) : done
    })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(
        () => {
          givenUp = true
          if (transaction) abort(transaction)
          forget()
          reject(new StorageTimeout())
        },
        limits[mode as keyof typeof limits],
      )
      work.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}

function abort(transaction: IDBTransaction): void {
  try {
    transaction.abort()
  } catch {
    // The transaction is already committing.
  }
}

/** Only when the whole transaction is on disk may the screen promise that nothing is lost. */
export function committed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = transaction.onerror = () => reject(transaction.error)
  })
}

/** Shared by page and service worker: mirrored token, and pictures chosen before their tool. */
export const sharedStore = deviceStore('keyval-store', 'keyval')

export const queryStorage = deviceStore('rupa-queries', 'queries')
