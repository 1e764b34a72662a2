import { store } from '#client/session.ts'
import { uploadsAtom } from './use-job.ts'

/**
 * Phones soon suspend pages behind a dark screen. The browser releases the lock when the page is
 * hidden.
 */
export function stayAwake(): void {
  let held: Promise<WakeLockSentinel | undefined> | undefined
  const follow = () => {
    const sending = store.get(uploadsAtom).some(({ state }) => state === 'sending')
    if (sending && document.visibilityState === 'visible') {
      // Refused when the battery is low.
      held ??= navigator.wakeLock?.request('screen').catch(() => undefined)
    } else {
      void held?.then((lock) => lock?.release())
      held = undefined
    }
  }
  store.sub(uploadsAtom, follow)
  document.addEventListener('visibilitychange', follow)
}
