import { setTimeout as pause } from 'node:timers/promises'
import { S3mini } from 's3mini'

/**
 * Milliseconds after each try that failed; together they outlast what storages call "slow down".
 */
const pauses = [200, 400, 800, 1600, 3200, 3200]
const passing = new Set([429, 500, 502, 503, 504])
/** Milliseconds until the storage begins to respond. */
const patience = { read: 30_000, write: 300_000 }

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
  for (const milliseconds of pauses) {
    const response = await fetchInTime(input, init).catch(() => undefined)
    if (response && !passing.has(response.status)) return response
    await response?.body?.cancel()
    await pause(milliseconds * (0.75 + Math.random() / 2))
  }
  return await fetchInTime(input, init)
}

async function fetchInTime(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const late = new AbortController()
  const limit = init?.method === 'PUT' ? patience.write : patience.read
  const timer = setTimeout(() => late.abort(new Error('the storage does not respond')), limit)
  try {
    return await fetch(input, { ...init, signal: late.signal })
  } finally {
    clearTimeout(timer)
  }
}

/** Makes the bucket where a new storage has none yet. */
export async function withBucket<Result>(client: S3mini, store: () => Promise<Result>): Promise<Result> {
  return await store().catch(async (error: { code?: unknown }) => {
    if (error.code !== 'NoSuchBucket') throw error
    await client.createBucket()
    return await store()
  })
}
