import { fork } from 'node:child_process'
import { Worker } from 'node:worker_threads'
import type { PoolMessage, ThreadMessage } from './task.ts'

/** What runs the engine beside the server: a thread, or a process of its own. */
export interface EngineWorker {
  /** Throws when the message cannot be copied. */
  postMessage(message: PoolMessage): void
  /** Whether it keeps the server's process alive. */
  ref(): void
  unref(): void
  /** Ends it at once, whatever it does. */
  terminate(): Promise<void>
}

export interface WorkerStart {
  /** The module, which calls `serveEngineThread`. */
  entry: URL
  /** Megabytes of JavaScript objects it may hold; pictures are not counted. */
  heapLimit: number
  onMessage(message: ThreadMessage): void
  /** It is gone, or cannot be understood. */
  onFailure(reason: string): void
}

/**
 * Megabytes for objects that a thread has just made (three semi-spaces of four). At its limit Node
 * gives a thread 16 more to end in: what a collection moves has to fit in there, or V8 aborts the
 * whole process.
 */
const youngGeneration = 12

/**
 * A thread: it shares the process, so that nothing has to be copied to it, and a fault of native
 * code ends both.
 */
export function startThread({ entry, heapLimit, onMessage, onFailure }: WorkerStart): EngineWorker {
  const resourceLimits = { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: youngGeneration }
  const worker = new Worker(entry, { execArgv: [], resourceLimits })
  worker.unref()
  worker.on('message', onMessage)
  worker.on('error', (error) => onFailure(error.stack ?? String(error)))
  worker.on('messageerror', (error) => onFailure(String(error)))
  worker.on('exit', (code) => onFailure(`the thread ended with code ${code}`))
  return {
    postMessage: (message) => worker.postMessage(message),
    ref: () => worker.ref(),
    unref: () => worker.unref(),
    terminate: async () => void (await worker.terminate().catch(() => {})),
  }
}

/** A process: what crashes in it, such as a codec at the end of a thread, crashes nothing else. */
export function startProcess({ entry, heapLimit, onMessage, onFailure }: WorkerStart): EngineWorker {
  const child = fork(entry, {
    execArgv: [`--max-old-space-size=${heapLimit}`],
    serialization: 'advanced',
    // What it says goes where the server's own words go.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ref = () => {
    child.ref()
    child.channel?.ref()
  }
  const unref = () => {
    child.unref()
    child.channel?.unref()
  }
  unref()
  child.on('message', (message) => onMessage(message as ThreadMessage))
  child.on('error', (error) => onFailure(error.stack ?? String(error)))
  child.on('exit', (code, signal) => onFailure(`the process ended with ${signal ?? `code ${code}`}`))
  return {
    postMessage: (message) => void child.send(message, (error) => error && onFailure(String(error))),
    ref,
    unref,
    async terminate() {
      if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
      // Whoever waits for its end must not end before.
      ref()
      child.kill('SIGKILL')
      await ended
    },
  }
}
