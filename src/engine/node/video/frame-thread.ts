import { parentPort, Worker } from 'node:worker_threads'
import type { Frame } from '../../video/frame.ts'
import type { Mask } from '../../video/mask.ts'

/** A frame with where its subject is. */
export interface MaskedFrame {
  frame: Frame
  mask: Mask
  /** Largest share of a frame that was subject so far, 0 to 1; 0 where nobody counted. */
  largest: number
}

/**
 * A thread that does one thing with frame after frame, in order. No codec runs in it: as threads
 * they can bring the process down.
 */
export interface FrameThread<Given, Made> {
  /** Takes the memory of `frame`, which is in `given`, over. */
  run(given: Given, frame: Frame): Promise<Made>
  close(): void
}

export function openFrameThread<Given, Made>(entry: URL, workerData: unknown): FrameThread<Given, Made> {
  const worker = new Worker(entry, { workerData, execArgv: [] })
  const waiting: PromiseWithResolvers<Made>[] = []
  let failure: unknown
  worker.on('message', (made: Made) => waiting.shift()?.resolve(made))
  worker.on('error', (error) => {
    failure = error
    for (const { reject } of waiting.splice(0)) reject(error)
  })
  return {
    run(given, { y }) {
      const made = Promise.withResolvers<Made>()
      // What is no longer asked for may fail unheard.
      made.promise.catch(() => {})
      if (failure) made.reject(failure)
      else {
        waiting.push(made)
        worker.postMessage(given, [y.buffer as ArrayBuffer])
      }
      return made.promise
    },
    close: () => void worker.terminate(),
  }
}

/**
 * Makes the thread that calls it work on frames; `memory` is the frame whose memory goes back with
 * the result.
 */
export function serveFrames<Given, Made>(
  work: (given: Given) => Promise<{ result: Made; memory: Frame }> | { result: Made; memory: Frame },
): void {
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (given: Given) => {
    last = last.then(async () => {
      const { result, memory } = await work(given)
      parentPort?.postMessage(result, [memory.y.buffer as ArrayBuffer])
    })
  })
}
