import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import type { Backdrop } from '#engine/tasks/video-matte/compose-frame.ts'
import { createFrame, type Frame, frameBytes, type Mask, type VideoSubject } from '#engine/video/frame.ts'

export interface MaskedFrame {
  frame: Frame
  mask: Mask
}

export type MaskTask = { video: number } & ({ subject: VideoSubject; frame: Frame } | { end: true })

/** Milliseconds that idle threads keep their models for the next video. */
const idleLimit = 60_000
/** Queued in each thread, so that it never waits for its next frame. */
const framesAhead = 4

const pools = new Map<string, Piscina>()

/**
 * Starts frames in order. Codecs do not run in these threads, because they could crash the process.
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
    // Otherwise a task waiting for a busy thread would be overtaken by later frames.
    stricterFIFO: true,
    idleTimeout: idleLimit,
    execArgv: [],
  })
  pools.set(name, pool)
  return pool
}

/** Transfers the frame's memory. Errors of abandoned frames are ignored. */
export function runFrame<Made>(threads: Piscina, work: object, { y }: Frame): Promise<Made> {
  const made: Promise<Made> = threads.run(work, { transferList: [y.buffer as ArrayBuffer] })
  made.catch(() => {})
  return made
}

export function transferWithMemory<Result>(result: Result, { y }: Frame): Result {
  const moved = { [Piscina.transferableSymbol]: y.buffer as ArrayBuffer, [Piscina.valueSymbol]: result }
  return Piscina.move(moved as never) as Result
}

export interface FrameThreads {
  /** Number of frames that keep the threads busy. */
  capacity: number
  compose(masked: MaskedFrame): Promise<Frame>
}

/** More threads do not help, because each mask depends on the previous one. */
const maxThreads = 3

export function openFrameThreads(backdrop: Backdrop): FrameThreads {
  const count = Math.min(maxThreads, Math.max(1, availableParallelism() - 1))
  const threads = frameThreads('compose', count)
  return {
    capacity: 2 * count,
    compose: (masked) => runFrame(threads, { ...masked, backdrop: inSharedMemory(backdrop) }, masked.frame),
  }
}

const copies = new WeakMap<Frame, Frame>()

/** In shared memory, because the backdrop is sent with every frame. */
function inSharedMemory(backdrop: Backdrop): Backdrop {
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

export interface FrameMemory {
  /** Content is undefined. */
  create: typeof createFrame
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
