import type { HttpRequest, HttpStack } from 'tus-js-client'

/** A service worker has no XMLHttpRequest. Upload progress is unavailable. */
export const fetchStack: HttpStack = {
  getName: () => 'fetch',
  createRequest(method, url): HttpRequest {
    const headers: Record<string, string> = {}
    const aborting = new AbortController()
    return {
      getMethod: () => method,
      getURL: () => url,
      setHeader(name, value) {
        headers[name] = value
      },
      getHeader: (name) => headers[name],
      setProgressHandler: () => undefined,
      getUnderlyingObject: () => undefined,
      abort: async () => aborting.abort(),
      async send(body: BodyInit | null = null) {
        const response = await fetch(url, {
          method,
          headers,
          body,
          signal: aborting.signal,
          cache: 'no-store',
          credentials: 'omit',
        })
        const text = await response.text()
        return {
          getStatus: () => response.status,
          getHeader: (name) => response.headers.get(name) ?? undefined,
          getBody: () => text,
          getUnderlyingObject: () => response,
        }
      },
    }
  },
}
