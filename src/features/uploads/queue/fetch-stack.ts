import type { HttpRequest, HttpResponse, HttpStack } from 'tus-js-client'

/**
 * Requests of tus-js-client by fetch: a service worker has no XMLHttpRequest. There is no upload
 * progress.
 */
export class FetchStack implements HttpStack {
  createRequest(method: string, url: string): HttpRequest {
    return new FetchRequest(method, url)
  }

  getName(): string {
    return 'FetchStack'
  }
}

class FetchRequest implements HttpRequest {
  readonly #method: string
  readonly #url: string
  readonly #headers: Record<string, string> = {}
  readonly #abort = new AbortController()

  constructor(method: string, url: string) {
    this.#method = method
    this.#url = url
  }

  getMethod = () => this.#method
  getURL = () => this.#url
  setHeader(name: string, value: string): void {
    this.#headers[name] = value
  }
  getHeader = (name: string) => this.#headers[name]
  setProgressHandler(): void {}
  getUnderlyingObject = () => undefined

  async send(body: BodyInit | null = null): Promise<HttpResponse> {
    const response = await fetch(this.#url, {
      ...{ method: this.#method, headers: this.#headers, body, signal: this.#abort.signal },
      ...{ cache: 'no-store', credentials: 'omit' },
    })
    const text = await response.text()
    return {
      getStatus: () => response.status,
      getHeader: (name) => response.headers.get(name) ?? undefined,
      getBody: () => text,
      getUnderlyingObject: () => response,
    }
  }

  async abort(): Promise<void> {
    this.#abort.abort()
  }
}
