import { set } from 'idb-keyval'
import { sharedStore } from './device-store.ts'

/** In localStorage, and in IndexedDB for the service worker. */
export const clockKey = 'clockDifference'

/** A service worker has no such storage. */
const page = globalThis as { localStorage?: { setItem(key: string, value: string): void } }

/** Milliseconds that the server's clock is ahead of this device's, which may be days wrong. */
let ahead = 0

/** Sessions, deadlines and ages follow the server's clock. Milliseconds since 1970. */
export const serverNow = (): number => Date.now() + ahead

export const clockDifference = (): number => ahead

/** Of an earlier visit; the first response corrects it. */
export function restoreClock(stored: unknown): void {
  ahead = Number(stored) || 0
}

/**
 * Reads the Date header: the server wrote its second between the request and the response. The
 * difference changes no more than that proves, so that countdowns do not jump.
 */
export function noteServerTime({ headers }: Response, sentAt: number): void {
  const date = Date.parse(headers.get('date') ?? '')
  // A cached response has the date of its first request.
  if (Number.isNaN(date) || !headers.get('cache-control')?.includes('no-store')) return
  const [least, most] = [date - Date.now(), date + 1000 - sentAt]
  const possible = Math.min(Math.max(ahead, least), most)
  if (possible === ahead) return
  ahead = possible
  try {
    page.localStorage?.setItem(clockKey, String(ahead))
  } catch {
    // Full or forbidden.
  }
  void set(clockKey, ahead, sharedStore).catch(() => undefined)
}
