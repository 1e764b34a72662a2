import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Backdrop } from '#engine/tasks/video-matte/compose-frame.ts'
import { createFrame, type Frame, frameBytes, type Mask, type VideoSubject } from '#engine/video/frame.ts'

/** A frame with where its subject is. */
export interface MaskedFrame {
  frame: Frame
  mask: Mask
}

/** A frame of a video in which the subject is to be found, or the video's end. */
export type MaskTask = { video: number } & ({ subject: VideoSubject; frame: Frame } | { end: true })

/** How long threads keep what they have loaded for the next video. */
const idleLimit = 60_000
/** So that no thread waits for its next frame. */
const framesAhead = 4

const pools = new Map<string, Piscina>()

/**
 * Threads that do one kind of work on frames; each begins with its frames in the order given. No
 * codec runs in them: as threads they can bring the process down.
 */
export function frameThreads(name: 'findMask' | 'compose', count: number): Piscina {
  const known = pools.get(name)
  if (known) return known
  const pool = new Piscina({
    filename: new URL('./frame-work.ts', import.meta.url).href,
    name,
    minThreads: 0,
    maxThreads: count,
    concurrentTasksPerWorker: framesAhead,
    // Otherwise what waits for a busy thread goes behind later frames.
    stricterFIFO: true,
    idleTimeout: idleLimit,
    execArgv: [],
  })
  pools.set(name, pool)
  return pool
}

/** Does work with a frame, whose memory it takes; what nobody asks for any more fails unheard. */
export function runFrame<Made>(threads: Piscina, work: object, { y }: Frame): Promise<Made> {
  const made: Promise<Made> = threads.run(work, { transferList: [y.buffer as ArrayBuffer] })
  made.catch(() => {})
  return made
}

/** What a thread gives back, with the memory of the frame in it. */
export function withMemory<Result>(result: Result, { y }: Frame): Result {
  const moved = { [Piscina.transferableSymbol]: y.buffer as ArrayBuffer, [Piscina.valueSymbol]: result }
  return Piscina.move(moved as never) as Result
}

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
  const threads = frameThreads('compose', count)
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
