import { parentPort, Worker } from 'node:worker_threads'
import type { Frame, Mask } from '../../video/frame.ts'

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

interface Thread {
  worker: Worker
  waiting: PromiseWithResolvers<unknown>[]
  failure?: unknown
}

/** Threads without work, by module: they have loaded what the next video needs, too. */
const resting = new Map<string, Thread[]>()

/** `video` is what the thread is told before the first frame. */
export function openFrameThread<Given, Made>(entry: URL, video: unknown): FrameThread<Given, Made> {
  // One may have failed while it rested.
  const rested = resting.get(entry.href)?.filter(({ failure }) => !failure) ?? []
  resting.set(entry.href, rested)
  const thread = rested.pop() ?? startThread(entry)
  const { worker, waiting } = thread
  worker.ref()
  worker.postMessage({ video })
  return {
    run(given, { y }) {
      const made = Promise.withResolvers<Made>()
      // What is no longer asked for may fail unheard.
      made.promise.catch(() => {})
      if (thread.failure) made.reject(thread.failure)
      else {
        waiting.push(made as PromiseWithResolvers<unknown>)
        worker.postMessage({ given }, [y.buffer as ArrayBuffer])
      }
      return made.promise
    },
    close() {
      if (thread.failure || waiting.length > 0) void worker.terminate()
      else {
        worker.unref()
        resting.get(entry.href)?.push(thread)
      }
    },
  }
}

function startThread(entry: URL): Thread {
  const thread: Thread = { worker: new Worker(entry, { execArgv: [] }), waiting: [] }
  thread.worker.on('message', (made) => thread.waiting.shift()?.resolve(made))
  thread.worker.on('error', (error) => {
    thread.failure = error
    for (const { reject } of thread.waiting.splice(0)) reject(error)
  })
  return thread
}

/** What is done with a frame; `memory` is the frame whose memory goes back with the result. */
type Work<Given, Made> = (given: Given) => Promise<{ result: Made; memory: Frame }> | { result: Made; memory: Frame }

/** Makes the thread that calls it work on the frames of one video after the other. */
export function serveFrames<Video, Given, Made>(begin: (video: Video) => Work<Given, Made>): void {
  let work: Work<Given, Made>
  let last: Promise<void> = Promise.resolve()
  parentPort?.on('message', (message: { video: Video } | { given: Given }) => {
    last = last.then(async () => {
      if ('video' in message) {
        work = begin(message.video)
        return
      }
      const { result, memory } = await work(message.given)
      parentPort?.postMessage(result, [memory.y.buffer as ArrayBuffer])
    })
  })
}
