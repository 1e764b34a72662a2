import { wibDay } from '#shared/time.ts'
import { serverNow } from './device/server-time.ts'
import { lastUserId } from './session.ts'
import { localKeys } from './storage.ts'

/** Counts the device once a day. It sends only whether the device was here before. */
export async function reportVisit(): Promise<void> {
  if (navigator.webdriver) return
  const today = wibDay(serverNow())
  const last = localStorage.getItem(localKeys.lastVisit)
  if (last === today) return
  const body = JSON.stringify({ first: last === null && lastUserId() === null })
  const headers = { 'content-type': 'application/json' }
  const { ok } = await fetch('/api/visits', { method: 'POST', headers, body, credentials: 'omit' })
  if (ok) localStorage.setItem(localKeys.lastVisit, today)
}
