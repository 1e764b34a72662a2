import { onlineAtom } from './connection.ts'
import { store } from './session.ts'

/** Milliseconds between attempts. */
const firstPause = 1000
const maxPause = 5000

/** Resolves after a pause, or as soon as the connection is back. */
function nextAttempt(pause: number): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      clearTimeout(timer)
      stop()
      resolve()
    }
    const timer = setTimeout(go, pause)
    const stop = store.sub(onlineAtom, () => store.get(onlineAtom) && go())
  })
}

/** Retries end when `goesOn` returns false; `onWait` is called after the first failure. */
export async function retryUntilLoaded<Loaded>(
  load: () => Promise<Loaded>,
  onWait?: () => void,
  goesOn = () => true,
): Promise<Loaded> {
  for (let pause = firstPause; ; pause = Math.min(maxPause, pause * 2)) {
    try {
      return await load()
    } catch (error) {
      if (!goesOn()) throw error
      if (pause === firstPause) onWait?.()
      await nextAttempt(pause)
    }
  }
}
