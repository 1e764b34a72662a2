import { setTimeout as pause } from 'node:timers/promises'
import { S3mini } from 's3mini'

/** Milliseconds after each failed try; they outlast typical "slow down" phases of storages. */
const pauses = [200, 400, 800, 1600, 3200, 3200]
const passing = new Set([429, 500, 502, 503, 504])
/** Milliseconds after which a request is not tried again. */
const triesMilliseconds = 30_000
/** Milliseconds of silence after which a connection counts as dead … */
const silenceMilliseconds = 10_000
/** … plus the time for sending the body at this speed. */
const slowestBytesPerMillisecond = 256

/** Retries while the storage does not respond or is busy. */
export function createS3Client(address: URL): S3mini {
  return new S3mini({
    accessKeyId: decodeURIComponent(address.username),
    secretAccessKey: decodeURIComponent(address.password),
    endpoint: `${address.origin}${address.pathname}`,
    region: address.searchParams.get('region') ?? 'auto',
    fetch: fetchWithRetries,
  })
}

/** Every request can be repeated: no body is a stream. */
async function fetchWithRetries(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const end = performance.now() + triesMilliseconds
  for (const milliseconds of pauses) {
    const response = await fetchInTime(input, init).catch(() => undefined)
    if (response && !passing.has(response.status)) return response
    await response?.body?.cancel()
    await pause(milliseconds * (0.75 + Math.random() / 2))
    if (performance.now() > end) break
  }
  return await fetchInTime(input, init)
}

/** Fails if no data arrive for long, also in the middle of the response. */
async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const late = new AbortController()
  const awaited = async <Result>(what: Promise<Result>, milliseconds = silenceMilliseconds): Promise<Result> => {
    const timer = setTimeout(() => late.abort(new Error('the storage does not respond')), milliseconds)
    try {
      return await what
    } finally {
      clearTimeout(timer)
    }
  }
  const { size = 0, length = size } = (init?.body ?? {}) as Partial<Blob & Buffer>
  const sending = silenceMilliseconds + length / slowestBytesPerMillisecond
  const response = await awaited(fetch(input, { ...init, signal: late.signal }), sending)
  const reader = response.body?.getReader()
  if (!reader) return response
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await awaited(reader.read())
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason),
  })
  return new Response(body, response)
}

/** Creates the bucket of a new storage. */
export async function withBucket<Result>(client: S3mini, store: () => Promise<Result>): Promise<Result> {
  return await store().catch(async (error: { code?: unknown }) => {
    if (error.code !== 'NoSuchBucket') throw error
    await client.createBucket()
    return await store()
  })
}
