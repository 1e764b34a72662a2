import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { inTurn } from '#shared/in-turn.ts'
import { startWorkTimer } from '../processor-time.ts'

export interface NetworkProcessOptions {
  /**
   * Milliseconds without an answer, of the time that the processor was granted, after which a job
   * counts as stalled.
   */
  timeLimit?: number
  /** In bytes; 4 GB, or 60 % of the machine's, by default. */
  memoryLimit?: number
  /** Milliseconds after which an idle process is stopped to free its networks' memory. */
  idleLimit?: number
}

export class NetworkStalled extends Error {
  constructor(milliseconds: number) {
    super(`the network has not answered for ${milliseconds / 1000} s`)
    this.name = 'NetworkStalled'
  }
}

export interface NumberedJob<Job> {
  number: number
  job: Job
}

/** `progress` (0 to 1, if known) keeps the job from counting as stalled. */
export type NetworkAnswer<Result> = { number: number } & (
  | { result: Result }
  | { reason: string }
  | { progress?: number }
)

/**
 * Inference blocks its thread, and terminating a thread during inference ends its whole process, so
 * networks do not run in the server.
 */
export interface NetworkProcess<Job, Result> {
  /**
   * Jobs run one after the other. Rejects with NetworkStalled, or with the reason of the failure.
   */
  run(job: Job, signal?: AbortSignal, onProgress?: (share: number) => void): Promise<Result>
  close(): Promise<void>
}

const memoryCheckMs = 250
const pageBytes = 4096

/** In bytes; 0 on systems without /proc. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(pages.split(' ')[1] ?? 0) * pageBytes
}

const defaultMemory = () => Math.min(4 * 2 ** 30, 0.6 * totalmem())

/** `entry` is a module that calls `serveNetworks`. */
export function createNetworkProcess<Job, Result>(
  entry: URL,
  { timeLimit = 180_000, idleLimit = 300_000, memoryLimit = defaultMemory() }: NetworkProcessOptions = {},
): NetworkProcess<Job, Result> {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  const runInTurn = inTurn()
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

  async function runJob(job: Job, signal?: AbortSignal, onProgress?: (share: number) => void): Promise<Result> {
    signal?.throwIfAborted()
    clearTimeout(idle)
    child ??= open()
    const own = child
    const jobNumber = number++
    own.ref()
    own.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    const give = (answer: NetworkAnswer<Result>) => {
      if (answer.number !== jobNumber) return
      if ('result' in answer) resolve(answer.result)
      else if ('reason' in answer) reject(new Error(answer.reason))
      else {
        timer.restart()
        if (answer.progress !== undefined) onProgress?.(answer.progress)
      }
    }
    const stop = (reason: unknown) => {
      if (child === own) child = undefined
      own.kill('SIGKILL')
      reject(reason)
    }
    const ended = (code: number | null, by: string | null) =>
      reject(new Error(`the network process ended with ${by ?? `code ${code}`}`))
    const abort = () => stop(signal?.reason)
    const tooLong = () => stop(new NetworkStalled(timeLimit))
    const timer = startWorkTimer(timeLimit, tooLong, { pid: own.pid })
    const watch = setInterval(async () => {
      const bytes = await memoryOf(own.pid)
      if (bytes > memoryLimit) stop(new Error(`the network used more than ${Math.round(memoryLimit / 2 ** 20)} MB`))
    }, memoryCheckMs)
    own.on('message', give).once('exit', ended).once('error', reject)
    signal?.addEventListener('abort', abort, { once: true })
    try {
      own.send({ number: jobNumber, job } satisfies NumberedJob<Job>, (error) => error && reject(error))
      return await promise
    } finally {
      timer.stop()
      clearInterval(watch)
      signal?.removeEventListener('abort', abort)
      own.off('message', give).off('exit', ended).off('error', reject)
      own.unref()
      own.channel?.unref()
      idle = setTimeout(kill, idleLimit).unref()
    }
  }

  return {
    run: (...asked) => runInTurn(() => runJob(...asked)),
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
