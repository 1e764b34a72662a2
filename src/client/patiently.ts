import { onlineAtom } from './connection.ts'
import { store } from './session.ts'

/** Milliseconds after which what could not be loaded is asked for again, at first and at most. */
const firstPause = 1000
const maxPause = 5000

/** Resolves after a pause, or as soon as the connection is back. */
function nextOccasion(pause: number): Promise<void> {
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

/**
 * What is loaded, however long that takes: what fails is tried again. `onWait` is told the first
 * time; whoever waits only while something holds says so by `goesOn`.
 */
export async function patiently<Loaded>(
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
      await nextOccasion(pause)
    }
  }
}
