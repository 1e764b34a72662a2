import { createFrame, type Frame, frameBytes } from '../../video/frame.ts'

/** Memory of the frames that are on their way through the pipeline, used again for later ones. */
export interface FrameMemory {
  /** A frame of undefined content. */
  create: typeof createFrame
  /** Takes the memory of a frame that nobody needs any more. */
  release(frame: Frame): void
}

export function createFrameMemory(): FrameMemory {
  let free: ArrayBuffer[] = []
  return {
    create(width, height, matrix) {
      const memory = free.pop()
      if (memory?.byteLength === frameBytes(width, height)) return createFrame(width, height, matrix, memory)
      free = []
      return createFrame(width, height, matrix)
    },
    release: ({ y }) => void free.push(y.buffer as ArrayBuffer),
  }
}
