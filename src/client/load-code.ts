import { canRestore } from './busy.ts'
import { onlineAtom, reachesServer } from './connection.ts'
import { store } from './session.ts'
import { sessionKeys } from './storage.ts'

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

/** A page that was being left has stayed after this time. */
const leaveTimeoutMs = 10_000

/** Delays before each reload for one build. */
const reloadDelaysMs = [0, 1000, 2000, 10_000, 20_000]

/** The delays start anew after this time without a reload. */
const resetAfterMs = 600_000

interface Reloads {
  build: string
  count: number
  at: number
}

function countReloads(build: string): number {
  try {
    const last = JSON.parse(sessionStorage.getItem(sessionKeys.reloadedForBuild) ?? 'null') as Reloads | null
    return last?.build === build && Date.now() - last.at < resetAfterMs ? last.count : 0
  } catch {
    return 0
  }
}

/**
 * Chromium keeps a failed module until the document ends, so importing again cannot help; a build
 * that the server no longer has is replaced by the current one. Never reloads offline, which is
 * verified with the server, since a request may fail before the browser reports the lost
 * connection; never while work would be lost. While the page is being left WebKit aborts requests,
 * so it waits for a return: reloading would keep the user here.
 */
export function reloadOnMissingChunk(): void {
  const build = import.meta.url
  let leftAt = -leaveTimeoutMs
  let planned = false
  const isNeedless = () => !canRestore() || !store.get(onlineAtom)
  const reload = async () => {
    if (isNeedless() || !(await reachesServer()) || isNeedless()) {
      planned = false
      return
    }
    const reloads: Reloads = { build, count: countReloads(build) + 1, at: Date.now() }
    sessionStorage.setItem(sessionKeys.reloadedForBuild, JSON.stringify(reloads))
    location.reload()
  }
  const plan = () => {
    const pause = reloadDelaysMs[countReloads(build)]
    if (planned || pause === undefined) return
    planned = true
    setTimeout(reload, pause)
  }
  window.addEventListener('beforeunload', ({ timeStamp }) => {
    leftAt = timeStamp
  })
  window.addEventListener('vite:preloadError', ({ timeStamp }) => {
    if (timeStamp - leftAt < leaveTimeoutMs) window.addEventListener('pageshow', plan, { once: true })
    else plan()
  })
}
