import 'fake-indexeddb/auto'
import { get, set } from 'idb-keyval'
import { afterEach, expect, test, vi } from 'vitest'
import { deviceStore, isStorageLost, StorageTimeout } from './device-store.ts'

afterEach(() => vi.restoreAllMocks())

function storeOfPage(database: string, limits?: { readonly: number; readwrite: number }) {
  const listeners: (() => void)[] = []
  vi.stubGlobal('addEventListener', (_: string, listener: () => void) => listeners.push(listener))
  const store = deviceStore(database, 'values', limits)
  vi.unstubAllGlobals()
  const putAway = () => {
    for (const listener of listeners) listener()
  }
  return { store, putAway }
}

const goOn = (values: IDBObjectStore): Promise<never> =>
  new Promise((_, reject) => {
    const ask = () => {
      values.get('a').onsuccess = ask
    }
    ask()
    values.transaction.onabort = () => reject(new Error('aborted'))
  })

test('a store keeps values, and finds them again after the page was suspended', async () => {
  const { store, putAway } = storeOfPage('one')
  await set('a', 1, store)
  putAway()
  expect(await get('a', store)).toBe(1)
  await set('a', 2, store)
  expect(await get('a', store)).toBe(2)
})

test('a transaction of a suspended page blocks no other', async () => {
  const { store, putAway } = storeOfPage('four')
  await set('a', 1, store)
  const halted = store('readonly', goOn)
  const other = deviceStore('four', 'values')
  expect(await get('a', other)).toBe(1)
  putAway()
  await expect(halted).rejects.toThrow('aborted')
  await set('a', 2, other)
  expect(await get('a', store)).toBe(2)
})

test('an abandoned transaction blocks no other', async () => {
  const { store } = storeOfPage('five', { readonly: 60_000, readwrite: 20 })
  await expect(store('readwrite', goOn)).rejects.toThrow(StorageTimeout)
  expect(await get('a', store)).toBeUndefined()
})

test('a database that hangs is abandoned, and the abandoned work is not done later', async () => {
  let answer: (() => Promise<void>) | undefined
  const open = indexedDB.open.bind(indexedDB)
  vi.spyOn(indexedDB, 'open').mockImplementationOnce((name) => {
    const request = open(name)
    const hanging = {} as IDBOpenDBRequest
    request.onupgradeneeded = () => request.result.createObjectStore('values')
    const opened = new Promise((resolve) => {
      request.onsuccess = resolve
    })
    answer = async () => {
      await opened
      Object.defineProperty(hanging, 'result', { value: request.result })
      hanging.onsuccess?.(new Event('success'))
    }
    return hanging
  })
  const limits = { readonly: 20, readwrite: 20 }
  const store = deviceStore('two', 'values', limits)
  await expect(set('a', 1, store)).rejects.toThrow(StorageTimeout)
  // Responses may be slow on a busy machine.
  Object.assign(limits, { readonly: 60_000, readwrite: 60_000 })
  await answer?.()
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(await get('a', store)).toBeUndefined()
  await set('a', 2, store)
  expect(await get('a', store)).toBe(2)
})

test('a store that cannot be opened reports the reason, and is tried again', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementationOnce(() => {
    throw new DOMException('no', 'SecurityError')
  })
  const store = deviceStore('three', 'values')
  await expect(get('a', store)).rejects.toThrow('no')
  expect(await get('a', store)).toBeUndefined()
})

/** Connections on which every transaction fails, as iOS leaves them after a suspension. */
function breakConnections(isBroken: (db: IDBDatabase) => boolean): void {
  const { transaction } = IDBDatabase.prototype
  vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...args) {
    if (isBroken(this)) throw new DOMException('The database connection is closing', 'InvalidStateError')
    return transaction.apply(this, args)
  })
}

test('a connection that only fails is replaced once, without losing the work', async () => {
  const store = deviceStore('six', 'values')
  await set('a', 1, store)
  let broken: IDBDatabase | undefined
  breakConnections((db) => {
    broken ??= db
    return db === broken
  })
  await set('a', 2, store)
  expect(await get('a', store)).toBe(2)
})

test('a storage whose connections all fail reports it, and is tried again later', async () => {
  const store = deviceStore('eight', 'values')
  await set('a', 1, store)
  breakConnections(() => true)
  const failure = await get('a', store).catch((error: unknown) => error)
  expect(isStorageLost(failure)).toBe(true)
  vi.restoreAllMocks()
  expect(await get('a', store)).toBe(1)
})

test('a read that the storage interrupts is repeated on a new connection', async () => {
  const store = deviceStore('seven', 'values')
  await set('a', 1, store)
  let interrupted = 0
  const read = store('readonly', async (values) => {
    if (interrupted++ === 0) throw new DOMException('Connection to Indexed Database server lost', 'UnknownError')
    return new Promise((resolve) => {
      values.get('a').onsuccess = ({ target }) => resolve((target as IDBRequest).result)
    })
  })
  expect([await read, interrupted]).toEqual([1, 2])
})
