import { setTimeout as pause } from 'node:timers/promises'
import { S3mini } from 's3mini'

/**
 * Milliseconds after each try that failed; together they outlast what storages call "slow down".
 */
const pauses = [200, 400, 800, 1600, 3200, 3200]
const passing = new Set([429, 500, 502, 503, 504])
/** After so long nothing is tried again. */
const triesMilliseconds = 30_000
/** Milliseconds of silence after which a connection is taken for dead … */
const silenceMilliseconds = 10_000
/** … beside those that what is sent may take. */
const slowestBytesPerMillisecond = 256

/**
 * A client of S3-compatible storage at an address such as
 * `https://key:secret@host/bucket?region=…`, which asks again while the storage does not respond or
 * says that it is busy.
 */
export function createS3Client(address: URL): S3mini {
  return new S3mini({
    accessKeyId: decodeURIComponent(address.username),
    secretAccessKey: decodeURIComponent(address.password),
    endpoint: `${address.origin}${address.pathname}`,
    region: address.searchParams.get('region') ?? 'auto',
    fetch: patientFetch,
  })
}

/** Everything that is sent here may be sent again: no body is a stream. */
async function patientFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
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

/** Fails when nothing comes for long though it is awaited, before the response or in its middle. */
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

/** Makes the bucket where a new storage has none yet. */
export async function withBucket<Result>(client: S3mini, store: () => Promise<Result>): Promise<Result> {
  return await store().catch(async (error: { code?: unknown }) => {
    if (error.code !== 'NoSuchBucket') throw error
    await client.createBucket()
    return await store()
  })
}
