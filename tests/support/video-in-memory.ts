import type { VideoFile } from '#engine/video/container-limits.ts'

/** A video that is in memory, as its readers see it. */
export const videoInMemory = (bytes: Uint8Array): VideoFile => ({
  size: bytes.length,
  read: (start, end) => bytes.subarray(start, end),
})
