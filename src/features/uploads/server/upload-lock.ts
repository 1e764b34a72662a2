import type { Lock, Locker } from '@tus/utils'

interface Holder {
  /** Asks the holder to end, because somebody else wants to go on with the upload. */
  release: () => Promise<void> | void
  free: Promise<void>
}

/**
 * One request at a time works on an upload. A later one is the person whose connection died: the
 * earlier one is asked to end, and waited for. (The library's own locker looks again in every turn
 * of the event loop.)
 */
export function createUploadLocker(): Locker {
  const holders = new Map<string, Holder>()
  return {
    newLock(id): Lock {
      let leave: () => void = () => {}
      return {
        async lock(signal, requestRelease) {
          for (let held = holders.get(id); held; held = holders.get(id)) {
            signal.throwIfAborted()
            await held.release()
            await held.free
          }
          const { promise, resolve } = Promise.withResolvers<void>()
          leave = resolve
          holders.set(id, { release: requestRelease, free: promise })
        },
        async unlock() {
          holders.delete(id)
          leave()
        },
      }
    },
  }
}
