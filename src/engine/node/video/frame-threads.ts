import { availableParallelism } from 'node:os'
import type { Backdrop } from '#engine/tasks/video-matte/compose-frame.ts'
import { createFrame, type Frame, frameBytes } from '#engine/video/frame.ts'
import { frameThreads, type MaskedFrame, runFrame } from './frame-thread.ts'

/**
 * Threads that put frames together side by side, while the next ones are decoded and their masks
 * found.
 */
export interface FrameThreads {
  /** Frames that keep them busy. */
  capacity: number
  /** Takes the frame's memory over and returns the frame that `composeFrame` makes of it. */
  compose(masked: MaskedFrame): Promise<Frame>
}

/** More gain nothing: the masks, each of which needs the one before, do not come faster. */
const maxThreads = 3

export function openFrameThreads(backdrop: Backdrop): FrameThreads {
  const count = Math.min(maxThreads, Math.max(1, availableParallelism() - 1))
  const threads = frameThreads(new URL('./compose-thread.ts', import.meta.url), count)
  return {
    capacity: 2 * count,
    compose: (masked) => runFrame(threads, { ...masked, backdrop: shared(backdrop) }, masked.frame),
  }
}

const copies = new WeakMap<Frame, Frame>()

/** A backdrop in memory that threads share: it goes to them with every frame. */
function shared(backdrop: Backdrop): Backdrop {
  if (typeof backdrop === 'string') return backdrop
  const known = copies.get(backdrop)
  if (known) return known
  const inShared = (plane: Uint8Array) => {
    const copy = new Uint8Array(new SharedArrayBuffer(plane.length))
    copy.set(plane)
    return copy
  }
  const { y, u, v } = backdrop
  const copy = { ...backdrop, y: inShared(y), u: inShared(u), v: inShared(v) }
  copies.set(backdrop, copy)
  return copy
}

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
