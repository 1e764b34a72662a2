/**
 * XMLHttpRequest as far as tus-js-client uses it in a page, which asks by `fetch`, so that one stub
 * answers all calls of the API.
 */
export class FetchingXhr {
  status = 0
  responseText = ''
  withCredentials = false
  onload: (() => void) | null = null
  onerror: ((error: unknown) => void) | null = null
  readonly upload: { onprogress: ((event: { lengthComputable: boolean; loaded: number }) => void) | null } = {
    onprogress: null,
  }
  #method = 'GET'
  #url = ''
  #headers: Record<string, string> = {}
  #received = new Headers()
  readonly #aborting = new AbortController()

  open(method: string, url: string): void {
    this.#method = method
    this.#url = url
  }

  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value
  }

  getResponseHeader(name: string): string | null {
    return this.#received.get(name)
  }

  abort(): void {
    this.#aborting.abort()
  }

  async send(body: Blob | null = null): Promise<void> {
    const { signal } = this.#aborting
    try {
      const response = await fetch(this.#url, { method: this.#method, headers: this.#headers, body, signal })
      this.responseText = await response.text()
      this.status = response.status
      this.#received = response.headers
      this.upload.onprogress?.({ lengthComputable: true, loaded: body?.size ?? 0 })
      this.onload?.()
    } catch (error) {
      if (!signal.aborted) this.onerror?.(error)
    }
  }
}
