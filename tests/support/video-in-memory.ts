import type { RandomAccessFile } from '#engine/video/container-limits.ts'

/** A video that is in memory, as its readers see it. */
export const videoInMemory = (bytes: Uint8Array): RandomAccessFile => ({
  size: bytes.length,
  read: (start, end) => bytes.subarray(start, end),
})
