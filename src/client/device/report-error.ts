const expected = new Set(['NetworkError', 'ApiError', 'AbortError', 'NotAllowedError', 'QuotaExceededError'])
const maxReports = 5
let sent = 0

/** Sends name, message and position in the build, never user data. */
export function reportError(part: 'page' | 'worker', error: unknown): void {
  if (!(error instanceof Error) || expected.has(error.name) || sent >= maxReports) return
  // A chunk did not load: bad connection, or an update of the app.
  if (/dynamically imported module|Importing a module|Load failed|Failed to fetch/.test(error.message)) return
  sent += 1
  const body = JSON.stringify({
    part,
    message: `${error.name}: ${error.message}`.slice(0, 300),
    place: (error.stack?.match(/[\w.-]+\.js:\d+:\d+/g) ?? []).slice(0, 3).join(' '),
  })
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body, keepalive: true, credentials: 'omit' } as const
  fetch('/api/error_reports', request).catch(() => undefined)
}

export function reportUncaught(part: 'page' | 'worker', scope: Pick<EventTarget, 'addEventListener'>): void {
  scope.addEventListener('error', (event) => reportError(part, (event as ErrorEvent).error))
  scope.addEventListener('unhandledrejection', (event) => reportError(part, (event as PromiseRejectionEvent).reason))
}
