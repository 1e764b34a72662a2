import type { Upload, UploadOptions } from 'tus-js-client'
import { readBytes, type UnreadableFile } from '#client/device/local-file.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { noteServerTime } from '#client/device/server-time.ts'

export interface ServerResponse {
  status: number
  retryAfter: string | null
  /** JSON, or null. */
  body: unknown
}

export interface FileToSend {
  blob: Blob
  name: string
  /** Begun by an earlier attempt. */
  uploadUrl: string | null
  headers: Record<string, string>
}

interface UploadHooks {
  signal: AbortSignal
  /** Bytes that have left the device. */
  onProgress: (bytes: number) => void
  onBegun: (uploadUrl: string) => void
}

export interface Transport {
  /**
   * Sends a file by tus, resuming an earlier upload. Resolves to the refusal, if any. Rejects with
   * NetworkError, or with UnreadableFile if the device cannot read the file.
   */
  upload(file: FileToSend, hooks: UploadHooks): Promise<ServerResponse | undefined>
  /**
   * POSTs JSON. Rejects with NetworkError when no response came: the server may have processed it.
   */
  post(url: string, headers: Record<string, string>, body: unknown): Promise<ServerResponse>
}

const uploadsUrl = '/api/uploads'

const responseTimeoutMs = 15_000
const progressIntervalMs = 150
/** Bytes; a smaller file is sent with the request that begins its upload. */
const smallFile = 128 * 1024

/** The time limit covers the response's body. */
export const postJson: Transport['post'] = async (url, headers, body) => {
  try {
    const sentAt = Date.now()
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(responseTimeoutMs),
    })
    noteServerTime(response, sentAt)
    return {
      status: response.status,
      retryAfter: response.headers.get('Retry-After'),
      body: parseJson(await response.text()),
    }
  } catch {
    throw new NetworkError()
  }
}

/**
 * Bytes: proxies may limit bodies, and a lost request is sent again. Smaller sizes follow after a
 * refusal.
 */
const chunkSizes = [512 * 1024, 128 * 1024, 32 * 1024] as const

/** Our own server's refusals have a code. */
const isProxySizeLimit = (refusal: ServerResponse | undefined) =>
  refusal?.status === 413 && (refusal.body as { code?: unknown } | null)?.code === undefined

/**
 * Loads tus-js-client on demand. `stalled`: milliseconds without progress after which the
 * connection is dead.
 */
export function tusUpload(
  load: () => Promise<{ Upload: typeof Upload }>,
  options: Pick<UploadOptions, 'httpStack'> & { stalled: number },
): Transport['upload'] {
  let size = 0
  return async (file, hooks) => {
    const client = await load().catch(() => {
      throw new NetworkError()
    })
    let { uploadUrl } = file
    const onBegun = (url: string) => {
      uploadUrl = url
      hooks.onBegun(url)
    }
    for (;;) {
      const chunkSize = chunkSizes[size] as number
      const refusal = await send(client, { ...file, uploadUrl }, { ...hooks, onBegun }, { ...options, chunkSize })
      if (!isProxySizeLimit(refusal) || chunkSizes[size + 1] === undefined) return refusal
      // A concurrent upload may have found the limit at the same time.
      size = Math.max(size, chunkSizes.indexOf(chunkSize as (typeof chunkSizes)[number]) + 1)
    }
  }
}

async function send(
  client: { Upload: typeof Upload },
  { blob, name, uploadUrl, headers }: FileToSend,
  { signal, onProgress, onBegun }: UploadHooks,
  { stalled, ...options }: Pick<UploadOptions, 'httpStack' | 'chunkSize'> & { stalled: number },
): Promise<ServerResponse | undefined> {
  if (signal.aborted) throw new NetworkError()
  return await new Promise((resolve, reject) => {
    let shownAt = 0
    let watch: ReturnType<typeof setTimeout> | undefined
    const end = (finish: () => void) => {
      clearTimeout(watch)
      signal.removeEventListener('abort', stop)
      finish()
    }
    let fault: UnreadableFile | undefined
    const stop = () => {
      void upload.abort().catch(() => undefined)
      end(() => reject(fault ?? new NetworkError()))
    }
    const moved = () => {
      clearTimeout(watch)
      watch = setTimeout(stop, stalled)
    }
    const upload = new client.Upload(blob, {
      ...options,
      fileReader: readerOf((error) => {
        fault = error
      }),
      endpoint: uploadsUrl,
      uploadUrl,
      headers,
      metadata: { filename: name, filetype: blob.type },
      uploadDataDuringCreation: blob.size <= smallFile,
      // The queue retries by itself, and stores the address in its item.
      retryDelays: null,
      storeFingerprintForResuming: false,
      onUploadUrlAvailable: () => {
        moved()
        if (upload.url) onBegun(upload.url)
      },
      onProgress: (sent) => {
        moved()
        if (Date.now() - shownAt < progressIntervalMs) return
        shownAt = Date.now()
        onProgress(sent)
      },
      onSuccess: () => end(() => resolve(undefined)),
      onError: (error) => end(() => settle(error)),
    })
    const settle = (error: Error) => {
      const response = 'originalResponse' in error ? (error.originalResponse as TusResponse | null) : null
      const status = response?.getStatus() ?? 0
      // Another request continued this upload or is still active: the file is intact, and a retry
      // learns the offset.
      if (fault) reject(fault)
      else if (!response || [0, 409, 423].includes(status)) reject(new NetworkError())
      else {
        const retryAfter = response.getHeader('Retry-After') ?? null
        resolve({ status, retryAfter, body: parseJson(response.getBody()) })
      }
    }
    signal.addEventListener('abort', stop, { once: true })
    moved()
    upload.start()
  })
}

/**
 * Reads each chunk before its request: a request with an unreadable file fails like one without a
 * network.
 */
function readerOf(onUnreadable: (error: UnreadableFile) => void): UploadOptions['fileReader'] {
  return {
    openFile: async (file: Blob) => ({
      size: file.size,
      async slice(start, end) {
        const last = Math.min(end, file.size)
        const bytes = await readBytes(file, start, last).catch((error: UnreadableFile) => {
          onUnreadable(error)
          throw error
        })
        return { value: new Blob([bytes]), done: last === file.size }
      },
      close: () => undefined,
    }),
  }
}

interface TusResponse {
  getStatus(): number
  getHeader(name: string): string | undefined
  getBody(): string
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
