import type { Upload, UploadOptions } from 'tus-js-client'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NetworkError } from '#client/device/network-error.ts'
import { tusUpload } from './transport.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A connection over which bytes move only when the test says so. */
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

test('a connection on which nothing moves is given up after the time for it, and not before', async () => {
  const upload = tusUpload(async () => ({ Upload: DeadUpload as unknown as typeof Upload }), { stalled: 15_000 })
  const hooks = { signal: new AbortController().signal, onProgress: () => undefined, onBegun: () => undefined }
  const ended = vi.fn()
  const file = { blob: new Blob(['x'.repeat(1000)]), name: 'foto.jpg', uploadUrl: null, headers: {} }
  const sending = upload(file, hooks).catch(ended)
  await vi.advanceTimersByTimeAsync(14_000)
  DeadUpload.last.options.onProgress?.(500, 1000)
  await vi.advanceTimersByTimeAsync(14_000)
  expect([ended.mock.calls.length, DeadUpload.last.aborted]).toEqual([0, false])
  await vi.advanceTimersByTimeAsync(1000)
  await sending
  expect(ended).toHaveBeenCalledWith(expect.any(NetworkError))
  expect(DeadUpload.last.aborted).toBe(true)
})
