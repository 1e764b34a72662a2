/** What is no fault of the program, by name. */
const expected = new Set(['NetworkError', 'ApiError', 'AbortError', 'NotAllowedError', 'QuotaExceededError'])
/** A fault that comes again and again says nothing new. */
const mostReports = 5
let sent = 0

/**
 * Tells the server that something failed that nobody foresaw: its name, its message and where in
 * the build, never what somebody was doing. The server leaves out what could be content.
 */
export function reportError(part: 'page' | 'worker', error: unknown): void {
  if (!(error instanceof Error) || expected.has(error.name) || sent >= mostReports) return
  // A part of the app that did not come, as on a bad connection or after an update.
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

/** Reports what nothing in this page or worker has caught. */
export function reportUncaught(part: 'page' | 'worker', scope: Pick<EventTarget, 'addEventListener'>): void {
  scope.addEventListener('error', (event) => reportError(part, (event as ErrorEvent).error))
  scope.addEventListener('unhandledrejection', (event) => reportError(part, (event as PromiseRejectionEvent).reason))
}
