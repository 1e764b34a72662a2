import { lastUserId } from './session.ts'
import { localKeys } from './storage.ts'

/**
 * Counts this device once a day for the operator's visitor statistics. It sends only whether the
 * device was here before; the last day is stored on the device alone.
 */
export async function noteVisit(): Promise<void> {
  if (navigator.webdriver) return
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
  const last = localStorage.getItem(localKeys.lastVisit)
  if (last === today) return
  const body = JSON.stringify({ first: last === null && lastUserId() === null })
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch('/api/visits', { method: 'POST', headers, body, credentials: 'omit' })
  if (ok) localStorage.setItem(localKeys.lastVisit, today)
}
