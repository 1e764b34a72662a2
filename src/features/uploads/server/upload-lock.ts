import type { Lock, Locker } from '@tus/utils'

interface Holder {
  release: () => Promise<void> | void
  free: Promise<void>
}

/**
 * A later request is usually from a client whose connection died, so the earlier one has to end
 * first. (The library's own locker polls in every turn of the event loop.)
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
