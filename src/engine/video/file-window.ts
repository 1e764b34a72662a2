import type { VideoFile } from './video-file.ts'

const windowBytes = 256 * 1024

/**
 * Reads so many bytes (fewer at the file's end) at any place, few and large pieces at a time.
 */
export function windowed(file: VideoFile, bytes: number): (at: number) => Promise<Uint8Array> {
  let from = 0
  let window: Uint8Array = new Uint8Array()
  return async (at) => {
    const to = Math.min(file.size, at + bytes)
    if (at < from || to > from + window.length) {
      from = at
      window = await file.read(at, Math.min(file.size, at + windowBytes))
    }
    return window.subarray(at - from, at - from + bytes)
  }
}
