import { store } from '#client/session.ts'
import { uploadsAtom } from './use-job.ts'

/**
 * Keeps the screen on while something is sent and the page is seen: phones soon halt what goes on
 * behind a dark one. The browser lets go by itself when the page is put away.
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
