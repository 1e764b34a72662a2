import { type ChildProcess, fork } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import type { EncodedTask } from '#engine/node/task-files.ts'
import type { ModelAnswer, ModelJob } from './model-worker.ts'

export interface ModelProcessOptions {
  /** Milliseconds without a network's run after which a job has stalled. */
  timeLimit?: number
  /** Bytes of memory that the process may take. */
  memoryLimit: number
  /** Milliseconds after which an idle process is let go, with all that its networks hold. */
  idleLimit?: number
}

/** The process in which networks run, for they keep whoever runs them from anything else. */
export interface ModelProcess {
  /** Jobs are done one after the other; rejects with why there is no result. */
  run(job: Omit<ModelJob, 'number'>, signal: AbortSignal, onProgress?: (share: number) => void): Promise<EncodedTask>
  close(): Promise<void>
}

const lookMilliseconds = 250
const pageBytes = 4096

/** Memory of a process now, where the system tells it. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const pages = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
  return Number(pages.split(' ')[1] ?? 0) * pageBytes
}

export function createModelProcess(options: ModelProcessOptions): ModelProcess {
  const { timeLimit = 180_000, idleLimit = 300_000, memoryLimit } = options
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()
  let number = 0

  function kill(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  function open(): ChildProcess {
    const opened = fork(new URL('./model-worker.ts', import.meta.url), {
      serialization: 'advanced',
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    return opened.once('exit', () => {
      if (child === opened) child = undefined
    })
  }

  async function perform(...[job, signal, onProgress]: Parameters<ModelProcess['run']>): Promise<EncodedTask> {
    signal.throwIfAborted()
    clearTimeout(idle)
    child ??= open()
    const own = child
    const its = number++
    own.ref()
    own.channel?.ref()
    const { promise, resolve, reject } = Promise.withResolvers<EncodedTask>()
    const give = (answer: ModelAnswer) => {
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
    const abort = () => stop(signal.reason)
    const tooLong = () => stop(new Error(`the network has not answered for ${timeLimit / 1000} s`))
    const timer = setTimeout(tooLong, timeLimit)
    const watch = setInterval(async () => {
      const bytes = await memoryOf(own.pid)
      if (bytes > memoryLimit) stop(new Error(`the network took more than ${Math.round(memoryLimit / 2 ** 20)} MB`))
    }, lookMilliseconds)
    own.on('message', give).once('exit', ended).once('error', reject)
    signal.addEventListener('abort', abort, { once: true })
    try {
      own.send({ ...job, number: its }, (error) => error && reject(error))
      return await promise
    } finally {
      clearTimeout(timer)
      clearInterval(watch)
      signal.removeEventListener('abort', abort)
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
