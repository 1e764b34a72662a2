import { lastUserId } from './session.ts'
import { localKeys } from './storage.ts'

/**
 * Counts this device once a day, so that the operator knows how many come. It sends whether the
 * device was here before and nothing else; the day of the last time stays on the device.
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
