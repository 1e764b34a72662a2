import { busyAtom } from '#client/busy.ts'
import { onlineAtom, reachesServer } from '#client/connection.ts'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'

/** Milliseconds after which a page that was being left has stayed. */
const leavingTime = 10_000

/**
 * A missing chunk belongs to a version that the server no longer has: one reload gets the current
 * one. Never offline (chunk and page would still be missing), which is verified with the server,
 * since a request may fail before the browser reports the lost connection; never while busy, and
 * never twice for one build. While the page is being left, when WebKit aborts requests, it waits
 * for a return: reloading would keep the user here.
 */
export function reloadOnMissingChunk(): void {
  const build = import.meta.url
  let leftAt = -leavingTime
  const needless = () =>
    store.get(busyAtom) || !store.get(onlineAtom) || sessionStorage.getItem(sessionKeys.reloadedForBuild) === build
  const reload = async () => {
    if (needless() || !(await reachesServer()) || needless()) return
    sessionStorage.setItem(sessionKeys.reloadedForBuild, build)
    location.reload()
  }
  window.addEventListener('beforeunload', ({ timeStamp }) => {
    leftAt = timeStamp
  })
  window.addEventListener('vite:preloadError', ({ timeStamp }) => {
    if (timeStamp - leftAt < leavingTime) window.addEventListener('pageshow', reload, { once: true })
    else void reload()
  })
}
