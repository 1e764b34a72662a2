import { busyAtom } from '#client/busy.ts'
import { onlineAtom, reachesServer } from '#client/connection.ts'
import { store } from '#client/session.ts'
import { sessionKeys } from '#client/storage.ts'

/** Milliseconds within which a page that is being left is gone, unless it stays. */
const leavingTime = 10_000

/**
 * A chunk of the app that cannot be loaded belongs to a version the server no longer has: one
 * reload gets the present one. Never offline (the chunk would still be missing, and so might the
 * page), for which the server is asked, since a request may fail before the browser tells that the
 * connection is gone; never in the middle of something, and never twice for one build. Where the
 * page is being left, for when WebKit breaks off requests, it waits for a return: now it would keep
 * the person here.
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
