import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'

export interface NetworkProcessOptions {
  /** Milliseconds without a network's run after which a job has stalled. */
  timeLimit?: number
  /** Bytes of memory that the process may take; 4 GB, or 60 % of the machine's, by default. */
  memoryLimit?: number
  /** Milliseconds after which an idle process is let go, with all that its networks hold. */
  idleLimit?: number
}

/** A network made no progress for the time limit, and its process was ended. */
export class NetworkStalled extends Error {
  constructor(milliseconds: number) {
    super(`the network has not answered for ${milliseconds / 1000} s`)
    this.name = 'NetworkStalled'
  }
}

/** A job as the network's process gets it. */
export interface NumberedJob<Job> {
  number: number
  job: Job
}

/** What it answers; before that, that the work goes on, and how far it is where that is known. */
export type NetworkAnswer<Result> = { number: number } & (
  | { result: Result }
  | { reason: string }
  | { progress?: number }
)

/**
 * The process in which ONNX Runtime runs networks: a run keeps its thread from anything else, and
 * ending a thread in a run ends its whole process.
 */
export interface NetworkProcess<Job, Result> {
  /**
   * Does jobs one after the other; rejects with NetworkStalled, or with the reason why there is no
   * result.
   */
  run(job: Job, signal?: AbortSignal, onProgress?: (share: number) => void): Promise<Result>
  close(): Promise<void>
}

const lookMilliseconds = 250
const pageBytes = 4096

/** Memory of a process now, where the system tells it. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(pages.split(' ')[1] ?? 0) * pageBytes
}

const defaultMemory = () => Math.min(4 * 2 ** 30, 0.6 * totalmem())

/** The process of a module that ends in `serveNetworks`; it is started when it is first needed. */
export function createNetworkProcess<Job, Result>(
  entry: URL,
  { timeLimit = 180_000, idleLimit = 300_000, memoryLimit = defaultMemory() }: NetworkProcessOptions = {},
): NetworkProcess<Job, Result> {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let number = 0

  function kill(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  function open(): ChildProcess {
    const opened = fork(entry, {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return opened.once('exit', () => {
      if (child === opened) child = undefined
    })
  }

  async function perform(job: Job, signal?: AbortSignal, onProgress?: (share: number) => void): Promise<Result> {
    signal?.throwIfAborted()
    clearTimeout(idle)
    child ??= open()
    const own = child
    const its = number++
    own.ref()
    own.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const give = (answer: NetworkAnswer<Result>) => {
      if (answer.number !== its) return
      if ('result' in answer) resolve(answer.result)
      else if ('reason' in answer) reject(new Error(answer.reason))
      else {
        timer.refresh()
        if (answer.progress !== undefined) onProgress?.(answer.progress)
      }
    }
    const stop = (reason: unknown) => {
      if (child === own) child = undefined
      own.kill('SIGKILL')
      reject(reason)
    }
    const ended = (code: number | null, by: string | null) =>
      reject(new Error(`the process of the networks ended with ${by ?? `code ${code}`}`))
    const abort = () => stop(signal?.reason)
    const tooLong = () => stop(new NetworkStalled(timeLimit))
    const timer = setTimeout(tooLong, timeLimit)
    const watch = setInterval(async () => {
      const bytes = await memoryOf(own.pid)
      if (bytes > memoryLimit) stop(new Error(`the network took more than ${Math.round(memoryLimit / 2 ** 20)} MB`))
    }, lookMilliseconds)
    own.on('message', give).once('exit', ended).once('error', reject)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      own.send({ number: its, job } satisfies NumberedJob<Job>, (error) => error && reject(error))
      return await promise
    } finally {
      clearTimeout(timer)
      clearInterval(watch)
      signal?.removeEventListener('abort', abort)
      own.off('message', give).off('exit', ended).off('error', reject)
      own.unref()
      own.channel?.unref()
      idle = setTimeout(kill, idleLimit).unref()
    }
  }

  return {
    run(...asked) {
      const done = last.then(() => perform(...asked))
      last = done.catch(() => {})
      return done
    },
    async close() {
      clearTimeout(idle)
      const open = child
      if (!open) return
      open.ref()
      const ended = new Promise((resolve) => open.once('exit', resolve))
      kill()
      await ended
    },
  }
}
