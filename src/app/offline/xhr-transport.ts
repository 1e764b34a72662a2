import { UploadSilence, type UploadTransport } from '#sw/queue/transport.ts'

/** A connection on which nothing moves for this long is dead. */
const stalled = 60_000
/** Progress is told at most this often. */
const progressPause = 150

/** The page's transport: XMLHttpRequest, because only it tells how much of an upload has left. */
export const xhrTransport: UploadTransport = ({ url, headers, body }, { signal, onProgress }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    let complete = false
    let told = 0
    let watch: ReturnType<typeof setTimeout> | undefined
    const moved = (): void => {
      clearTimeout(watch)
      watch = setTimeout(() => request.abort(), stalled)
    }
    const silent = (): void => {
      clearTimeout(watch)
      reject(new UploadSilence(complete))
    }
    request.upload.onprogress = ({ loaded, total }) => {
      moved()
      if (total === 0 || Date.now() - told < progressPause) return
      told = Date.now()
      onProgress(loaded / total)
    }
    request.upload.onload = () => {
      complete = true
      moved()
      onProgress(1)
    }
    request.onload = () => {
      clearTimeout(watch)
      resolve({ status: request.status, retryAfter: request.getResponseHeader('Retry-After'), body: json(request) })
    }
    request.onerror = silent
    request.onabort = silent
    request.open('POST', url)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    const stop = (): void => {
      if (!complete) request.abort()
    }
    signal.addEventListener('abort', stop, { once: true })
    onProgress(0)
    moved()
    request.send(body)
    if (signal.aborted) stop()
  })

function json(request: XMLHttpRequest): unknown {
  try {
    return JSON.parse(request.responseText)
  } catch {
    return null
  }
}
