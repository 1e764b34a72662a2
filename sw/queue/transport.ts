/** One multipart POST of the queue. */
export interface UploadRequest {
  url: string
  headers: Record<string, string>
  body: FormData
}

export interface UploadAnswer {
  status: number
  /** The header Retry-After. */
  retryAfter: string | null
  /** The parsed JSON body, or null. */
  body: unknown
}

/** What went wrong when no answer came. */
export class UploadSilence extends Error {
  /** Whether the whole body had left the device, so that the server may have acted on it. */
  readonly complete: boolean
  constructor(complete: boolean) {
    super('the server did not answer')
    this.complete = complete
  }
}

/**
 * Sends a request: XMLHttpRequest with progress in a page, fetch in the worker.
 * Rejects with UploadSilence when no answer came. On abort it stops only while the body is not out completely: after that
 * stopping would leave open whether a generation was made, so the answer is awaited.
 */
export type UploadTransport = (
  request: UploadRequest,
  hooks: { signal: AbortSignal; onProgress: (share: number) => void },
) => Promise<UploadAnswer>

const patience = 120_000

export async function readJson(response: { text(): Promise<string> }): Promise<unknown> {
  try {
    return JSON.parse(await response.text())
  } catch {
    return null
  }
}

/** The worker's transport. fetch tells nothing of how much has left, so an abort always awaits the answer. */
export const fetchTransport: UploadTransport = async ({ url, headers, body }) => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.timeout(patience),
    })
    return {
      status: response.status,
      retryAfter: response.headers.get('Retry-After'),
      body: await readJson(response),
    }
  } catch {
    throw new UploadSilence(true)
  }
}
