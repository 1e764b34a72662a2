import { onlineManager, type QueryClient } from '@tanstack/react-query'
import { atom } from 'jotai'
import { NetworkError } from './device/network-error.ts'
import { store } from './session.ts'

const heldOnlineAtom = atom(true)
/**
 * Whether the server can be reached, as far as we know: what the browser says, corrected by what
 * requests really met.
 */
export const onlineAtom = atom((get) => get(heldOnlineAtom))

const firstPause = 2000
const maxPause = 30_000
/** Milliseconds to wait for a response. */
const timeout = 8000

let pause = firstPause
let timer: ReturnType<typeof setTimeout> | undefined
let probing = false

function setOnline(online: boolean): void {
  clearTimeout(timer)
  if (online) pause = firstPause
  store.set(heldOnlineAtom, online)
  onlineManager.setOnline(online)
}

/** Asks the server whether it is there. */
export async function reachesServer(): Promise<boolean> {
  try {
    // Any response will do: a server error is shown where it matters, not as "offline".
    await fetch('/healthz', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(timeout) })
    return true
  } catch {
    return false
  }
}

/** Asks the server until it is there, again after a growing pause. */
async function probe(): Promise<void> {
  if (probing) return
  clearTimeout(timer)
  probing = true
  const reached = await reachesServer()
  probing = false
  setOnline(reached)
  if (reached) return
  // A crowd that lost the same server does not come back to it all at once.
  timer = setTimeout(() => void probe(), pause * (0.75 + Math.random() / 2))
  pause = Math.min(maxPause, pause * 2)
}

/** Asks at once, and soon again: something has changed, or somebody is looking. */
function probeAnew(): void {
  pause = firstPause
  void probe()
}

/** Finds out whether the server can be reached, after a request that got no response. */
export function checkConnection(): void {
  void probe()
}

/**
 * Follows the browser's events, failing queries and the person's return; also tells TanStack Query
 * when to go on.
 */
export function watchConnection(queryClient: QueryClient): void {
  // Ours instead of the browser's own two events, which know nothing of a server that is gone.
  onlineManager.setEventListener(() => undefined)
  setOnline(navigator.onLine)
  // With a worker the page came from the device and what it shows may be fresh enough to need no
  // request: nothing else would tell.
  if (navigator.onLine && navigator.serviceWorker?.controller) checkConnection()
  window.addEventListener('offline', () => setOnline(false))
  window.addEventListener('online', probeAnew)
  const back = (): void => {
    if (document.visibilityState === 'visible' && !store.get(heldOnlineAtom)) probeAnew()
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
