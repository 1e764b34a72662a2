import { atom } from 'jotai'
import type { Workbox } from 'workbox-window'
import { onlineAtom } from '#client/connection.ts'
import { store } from '#client/session.ts'
import { trustScript } from '#client/trusted-script.ts'
import { afterInstantStage } from '#ui/instant-stage.ts'
import { openAddress } from './launch.ts'

export { offerExternalBrowser } from './install.ts'

const scriptUrl = '/sw.js'
const checkIntervalMs = 60_000

/** In round trips to the server. */
const quietRoundTrips = 4
const longestWaitMs = 60_000

/**
 * Resolves once the page loads nothing more. The worker's files are as much as ten pages, and share
 * a slow connection with the studio that the user waits for.
 */
async function connectionIsQuiet(): Promise<void> {
  await afterInstantStage()
  const [page] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  const quietMs = quietRoundTrips * (page ? page.responseStart - page.requestStart : 0)
  const began = performance.now()
  let latest = began
  const observer = new PerformanceObserver(() => {
    latest = performance.now()
  })
  observer.observe({ type: 'resource' })
  const isBusy = () => performance.now() - latest < quietMs
  while (isBusy() && performance.now() - began < longestWaitMs)
    await new Promise((resolve) => setTimeout(resolve, Math.max(50, quietMs / 4)))
  observer.disconnect()
}

const waitingUpdateAtom = atom<(() => void) | null>(null)
/** Null without a new version. */
export const updateAtom = atom((get) => get(waitingUpdateAtom))

export async function registerServiceWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const [{ Workbox }] = await Promise.all([import('workbox-window'), connectionIsQuiet()])
  const workbox = new Workbox(trustScript('rupa-service-worker', scriptUrl), { updateViaCache: 'none' })
  const worker = navigator.serviceWorker
  let asked = false
  let before = worker.controller
  workbox.addEventListener('waiting', () => {
    // The first worker of a device waits for a moment too, and is not an update.
    if (!worker.controller) return
    store.set(waitingUpdateAtom, () => () => {
      asked = true
      workbox.messageSkipWaiting()
    })
  })
  workbox.addEventListener('controlling', ({ isUpdate, isExternal }) => {
    const first = before === null
    before = worker.controller
    if (asked) location.reload()
    // Another tab activated the new version; this tab's user may be in the middle of something.
    else if (first) return
    else if (isUpdate || isExternal) store.set(waitingUpdateAtom, () => () => location.reload())
  })
  workbox.addEventListener('message', ({ data }) => {
    if (data?.type === 'OPEN') openAddress(data.address)
  })
  await workbox.register()
  checkOnReturn(workbox)
}

function checkOnReturn(workbox: Workbox): void {
  let checked = Date.now()
  const check = (): void => {
    if (document.visibilityState !== 'visible' || !store.get(onlineAtom) || Date.now() - checked < checkIntervalMs)
      return
    checked = Date.now()
    void workbox.update().catch(() => undefined)
  }
  window.addEventListener('focus', check)
  window.addEventListener('pageshow', check)
  document.addEventListener('visibilitychange', check)
}
