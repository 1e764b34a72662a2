import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { atom } from 'jotai'
import { NetworkError } from './device/network-error.ts'
import { store } from './session.ts'

const heldOnlineAtom = atom(true)
/** The browser's state, corrected by the outcome of requests. */
export const onlineAtom = atom((get) => get(heldOnlineAtom))

const firstPause = 2000
const maxPause = 30_000
const timeoutMs = 8000

let pause = firstPause
let timer: ReturnType<typeof setTimeout> | undefined
let probing = false

function setOnline(online: boolean): void {
  clearTimeout(timer)
  if (online) pause = firstPause
  store.set(heldOnlineAtom, online)
  onlineManager.setOnline(online)
}

export async function reachesServer(): Promise<boolean> {
  try {
    // Any response counts: a server error is shown where it matters, not as "offline".
    await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(timeoutMs) })
    return true
  } catch {
    return false
  }
}

async function probe(): Promise<void> {
  if (probing) return
  clearTimeout(timer)
  probing = true
  const reached = await reachesServer()
  probing = false
  setOnline(reached)
  if (reached) return
  // Jitter keeps many clients from returning to the server at the same moment.
  timer = setTimeout(() => void probe(), pause * (0.75 + Math.random() / 2))
  pause = Math.min(maxPause, pause * 2)
}

/** Resets the pauses, after a change or when the user returns. */
function restartProbe(): void {
  pause = firstPause
  void probe()
}

/** False on slow connections, and where the user saves data. */
export function isConnectionFast(): boolean {
  const { saveData = false, effectiveType = '4g' } = navigator.connection ?? {}
  return !saveData && effectiveType === '4g'
}

export function checkConnection(): void {
  void probe()
}

/** Also tells TanStack Query when to resume. */
export function watchConnection(queryClient: QueryClient): void {
  // The browser's online and offline events do not notice a server that is down.
  onlineManager.setEventListener(() => undefined)
  setOnline(navigator.onLine)
  // A page from the service worker makes no request that would reveal the state.
  if (navigator.onLine && navigator.serviceWorker?.controller) checkConnection()
  window.addEventListener('offline', () => setOnline(false))
  window.addEventListener('online', restartProbe)
  const back = (): void => {
    if (document.visibilityState === 'visible' && !store.get(heldOnlineAtom)) restartProbe()
  }
  document.addEventListener('visibilitychange', back)
  window.addEventListener('focus', back)
  queryClient.getQueryCache().subscribe((event) => {
    if (event.type !== 'updated') return
    const { action } = event
    if ((action.type === 'failed' || action.type === 'error') && action.error instanceof NetworkError) checkConnection()
    if (action.type === 'success' && !action.manual && !store.get(heldOnlineAtom)) checkConnection()
  })
  queryClient.getMutationCache().subscribe(({ mutation }) => {
    if (mutation?.state.error instanceof NetworkError) checkConnection()
  })
}
