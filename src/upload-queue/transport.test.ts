import type { Upload, UploadOptions } from 'tus-js-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { UnreadableFile } from '#client/device/local-file.ts'
import { NetworkError } from '#client/device/network-error.ts'
import { tusUpload } from './transport.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class DeadUpload {
  static last: DeadUpload
  readonly options: UploadOptions
  url = null
  aborted = false
  constructor(_: Blob, options: UploadOptions) {
    this.options = options
    DeadUpload.last = this
  }
  start(): void {}
  async abort(): Promise<void> {
    this.aborted = true
  }
}

test('a connection without progress is aborted after its timeout, and not before', async () => {
  const upload = tusUpload(async () => ({ Upload: DeadUpload as unknown as typeof Upload }), { stalled: 15_000 })
  const hooks = { signal: new AbortController().signal, onProgress: () => undefined, onBegun: () => undefined }
  let failure: unknown
  const file = { blob: new Blob(['x'.repeat(1000)]), name: 'foto.jpg', uploadUrl: null, headers: {} }
  const sending = upload(file, hooks).catch((error: unknown) => {
    failure = error
  })
  await vi.advanceTimersByTimeAsync(14_000)
  DeadUpload.last.options.onProgress?.(500, 1000)
  await vi.advanceTimersByTimeAsync(14_000)
  expect([failure, DeadUpload.last.aborted]).toEqual([undefined, false])
  await vi.advanceTimersByTimeAsync(1000)
  await sending
  expect(failure).toBeInstanceOf(NetworkError)
  expect(DeadUpload.last.aborted).toBe(true)
})

function proxyWith(limit: number, status = 413) {
  const requests: number[] = []
  class Proxied {
    readonly options: UploadOptions
    url: string | null
    readonly #blob: Blob
    constructor(blob: Blob, options: UploadOptions) {
      this.#blob = blob
      this.options = options
      this.url = options.uploadUrl ?? null
    }
    start(): void {
      this.url ??= '/api/uploads/1'
      this.options.onUploadUrlAvailable?.()
      const bytes = Math.min(this.#blob.size, this.options.chunkSize ?? Number.POSITIVE_INFINITY)
      requests.push(bytes)
      if (bytes <= limit) {
        this.options.onSuccess?.({ lastResponse: undefined as never })
        return
      }
      const originalResponse = { getStatus: () => status, getHeader: () => undefined, getBody: () => '<html>' }
      this.options.onError?.(Object.assign(new Error(String(status)), { originalResponse }) as never)
    }
    async abort(): Promise<void> {}
  }
  const upload = tusUpload(async () => ({ Upload: Proxied as unknown as typeof Upload }), { stalled: 15_000 })
  const begun: string[] = []
  const send = () =>
    upload(
      { blob: new Blob(['x'.repeat(3_000_000)]), name: 'foto.jpg', uploadUrl: null, headers: {} },
      { signal: new AbortController().signal, onProgress: () => undefined, onBegun: (url) => void begun.push(url) },
    )
  return { send, requests, begun }
}

test('a photo is sent in chunks that pass a proxy with its default limit of 1 MB', async () => {
  const { send, requests } = proxyWith(1024 * 1024)
  expect(await send()).toBeUndefined()
  expect(requests).toEqual([512 * 1024])
})

test('a chunk too large for a proxy is split, for the same upload and all later ones', async () => {
  const { send, requests, begun } = proxyWith(200 * 1024)
  expect(await send()).toBeUndefined()
  expect(await send()).toBeUndefined()
  expect(requests.map((bytes) => bytes / 1024)).toEqual([512, 128, 128])
  expect(new Set(begun)).toEqual(new Set(['/api/uploads/1']))
})

test('an offset conflict is treated like a lost connection, not as a fault of the file', async () => {
  for (const status of [409, 423]) await expect(proxyWith(1000, status).send()).rejects.toThrow(NetworkError)
})

test('a proxy that refuses even the smallest chunks is reported without a code, as status 413', async () => {
  const { send, requests } = proxyWith(1000)
  expect(await send()).toMatchObject({ status: 413, body: null })
  expect(requests.map((bytes) => bytes / 1024)).toEqual([512, 128, 32])
})

test('a file that cannot be read is told from a network that fails', async () => {
  class Reading extends DeadUpload {
    readonly #file: Blob
    constructor(file: Blob, options: UploadOptions) {
      super(file, options)
      this.#file = file
    }
    override start(): void {
      void this.options.fileReader
        ?.openFile(this.#file, 1)
        .then((source) => source.slice(0, 4))
        .catch((error: Error) => this.options.onError?.(error as never))
    }
  }
  const blob = new Blob(['jpeg'])
  blob.slice = () => new Blob(['jp'])
  const upload = tusUpload(async () => ({ Upload: Reading as unknown as typeof Upload }), { stalled: 15_000 })
  const hooks = { signal: new AbortController().signal, onProgress: () => undefined, onBegun: () => undefined }
  await expect(upload({ blob, name: 'foto.jpg', uploadUrl: null, headers: {} }, hooks)).rejects.toThrow(UnreadableFile)
})
