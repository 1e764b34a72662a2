import { store } from '../session.ts'
import { busyAtom } from './busy.ts'
import { onlineAtom } from './connection.ts'

const reloadedKey = 'reloadedForBuild'

/**
 * A part of the app that cannot be loaded belongs to a version the server no longer has: one reload
 * gets the present one. Never offline (the part would still be missing, and so might the page),
 * never in the middle of something, and never twice for one build.
 */
export function reloadOnMissingPart(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const build = import.meta.url
    if (!navigator.onLine || !store.get(onlineAtom) || store.get(busyAtom)) return
    if (sessionStorage.getItem(reloadedKey) === build) return
    sessionStorage.setItem(reloadedKey, build)
    event.preventDefault()
    location.reload()
  })
}
