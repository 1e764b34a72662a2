import { type ChildProcess, fork } from 'node:child_process'
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { EngineTask, PoolMessage, ThreadMessage } from './task.ts'

/** A task that is being done. */
export interface StartedTask {
  port: {
    postMessage(message: PoolMessage): void
    on(event: 'message', receive: (message: ThreadMessage) => void): void
    close(): void
  }
  /** Resolves after the task, rejects when whoever did it is gone or could not be sent it. */
  ended: Promise<unknown>
  /** Ends whoever does it at once, whatever it does. */
  kill(): void
}

/** Threads, or a process, that do engine tasks. */
export interface TaskHost {
  start(task: EngineTask): StartedTask
  close(): Promise<void>
}

export interface TaskHostOptions {
  /** The module, whose `perform` is what `engineThread` makes. */
  entry: URL
  /** Milliseconds after which who is idle is let go, so that its models' memory is free again. */
  idleLimit: number
  /** Megabytes of JavaScript objects that each may hold; pictures are not counted. */
  heapLimit: number
}

/**
 * Megabytes for objects that a thread has just made (three semi-spaces of four). At its limit Node
 * gives a thread 16 more to end in: what a collection moves has to fit in there, or V8 aborts the
 * whole process.
 */
export const youngGeneration = 12
/** A server that starts has other things to do first. */
const warmUpMilliseconds = 3000

/**
 * Threads: they share the process, so that nothing has to be copied to them, and a fault of native
 * code ends both. With `keepWarm` one is always there, started soon.
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
      // A thread that waits for another service hears what it is told meanwhile.
      atomics: 'disabled',
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: options.heapLimit, maxYoungGenerationSizeMb: youngGeneration },
      // A thread may fail between two tasks: then it is replaced.
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
      return { port, ended, kill: () => killing.abort() }
    },
    async close() {
      clearTimeout(warmUp)
      await opened?.destroy()
    },
  }
}

/**
 * A process, for one task at a time: what crashes in it, such as a codec at the end of a thread,
 * crashes nothing else. Pools of threads have none.
 */
export function processHost({ entry, idleLimit, heapLimit }: TaskHostOptions): TaskHost {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function open(): ChildProcess {
    const opened = fork(entry, {
      execArgv: [`--max-old-space-size=${heapLimit}`],
      serialization: 'advanced',
      // What it says goes where the server's own words go.
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
      return { port, ended, kill }
    },
    async close() {
      clearTimeout(idle)
      if (!child) return
      // Whoever waits for its end must not end before.
      child.ref()
      const ended = new Promise((resolve) => child?.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
  }
}
