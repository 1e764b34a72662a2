import { type ChildProcess, fork } from 'node:child_process'
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { EngineTask, PoolMessage, ThreadMessage } from './task.ts'

export interface StartedTask {
  port: {
    postMessage(message: PoolMessage): void
    on(event: 'message', receive: (message: ThreadMessage) => void): void
    close(): void
  }
  /** Rejects when the thread or process is gone or the task could not be sent. */
  ended: Promise<unknown>
  /** Of the process that works on it. */
  pid: number | undefined
  kill(): void
}

export interface TaskHost {
  start(task: EngineTask): StartedTask
  close(): Promise<void>
}

interface TaskHostOptions {
  /** Module whose `perform` is made by `engineThread`. */
  entry: URL
  /**
   * Milliseconds of idleness after which a thread or process ends, to free the memory of its
   * models.
   */
  idleLimit: number
  /** Megabytes of JavaScript objects for each; pictures are not counted. */
  heapLimit: number
}

/**
 * Megabytes for new objects of a thread (three semi-spaces of four). At the limit Node grants a
 * thread 16 more to end: a collection must fit in there, or V8 aborts the whole process.
 */
export const youngGeneration = 12
/** A starting server has other work first. */
const warmUpMilliseconds = 3000

/**
 * Threads share the process: nothing is copied to them, and a fault of native code ends both.
 * `keepWarm` starts one soon and keeps it.
 */
export function threadHost(size: number, keepWarm: boolean, options: TaskHostOptions): TaskHost {
  let opened: Piscina | undefined
  const open = () => {
    opened ??= new Piscina({
      filename: options.entry.href,
      name: 'perform',
      minThreads: keepWarm ? 1 : 0,
      maxThreads: size,
      idleTimeout: options.idleLimit,
      // A waiting thread must receive messages meanwhile.
      atomics: 'disabled',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.heapLimit, maxYoungGenerationSizeMb: youngGeneration },
      // A thread that fails between two tasks is replaced.
    }).on('error', () => {})
    return opened
  }
  const warmUp = keepWarm ? setTimeout(open, warmUpMilliseconds).unref() : undefined
  return {
    start(task) {
      const { port1: port, port2 } = new MessageChannel()
      const killing = new AbortController()
      const transferList = [port2]
      const ended = open().run({ task, port: port2 }, { transferList, signal: killing.signal })
      return { port, ended, pid: process.pid, kill: () => killing.abort() }
    },
    async close() {
      clearTimeout(warmUp)
      await opened?.destroy()
    },
  }
}

/**
 * Executes one task at a time, so that a crash, such as a codec's at the end of a thread, affects
 * nothing else. Thread pools do not offer this.
 */
export function processHost({ entry, idleLimit, heapLimit }: TaskHostOptions): TaskHost {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function open(): ChildProcess {
    const opened = fork(entry, {
      execArgv: [`--max-old-space-size=${heapLimit}`],
      serialization: 'advanced',
      // Its output goes to the server's output.
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    })
    const forget = () => {
      if (child === opened) child = undefined
    }
    return opened.on('error', forget).once('exit', forget)
  }

  return {
    start(task) {
      clearTimeout(idle)
      child ??= open()
      const own = child
      own.ref()
      own.channel?.ref()
      const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
      const crash = (code: number | null, signal: string | null) =>
        reject(new Error(`the process ended with ${signal ?? `code ${code}`}`))
      own.on('message', ({ kind }: ThreadMessage) => (kind === 'done' || kind === 'failed') && resolve())
      own.once('error', reject).once('exit', crash)
      try {
        own.send({ kind: 'run', task }, (error) => error && reject(error))
      } catch (error) {
        reject(new DOMException(String(error), 'DataCloneError'))
      }
      const kill = () => {
        if (child === own) child = undefined
        own.kill('SIGKILL')
      }
      const rest = () => {
        own.removeAllListeners('message').off('error', reject).off('exit', crash)
        own.unref()
        own.channel?.unref()
        idle = setTimeout(kill, idleLimit).unref()
      }
      const port: StartedTask['port'] = {
        postMessage: (message) => void own.send(message, () => {}),
        on: (_, receive) => void own.on('message', receive),
        close: rest,
      }
      return { port, ended, pid: own.pid, kill }
    },
    async close() {
      clearTimeout(idle)
      if (!child) return
      // The parent must not exit before the child it waits for.
      child.ref()
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
