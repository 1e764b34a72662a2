import { isMarkedAsUntransferable, parentPort } from 'node:worker_threads'
import { EngineError } from '#engine/error.ts'
import type { DetectionMemory } from '#engine/node/detection-memory.ts'
import { createNodeHost } from '#engine/node/host.ts'
import type { Provider } from '#engine/provider.ts'
import type { EngineRegistry } from '#tools/engine/tool-engine.ts'
import { runTask } from './run.ts'
import type { EngineTask, PoolMessage, ThreadMessage } from './task.ts'

/** Where messages of the pool come from and go to, in a thread as in a process. */
interface PoolPort {
  postMessage(message: ThreadMessage, transfer: ArrayBuffer[]): void
  onMessage(receive: (message: PoolMessage) => void): void
}

function poolPort(): PoolPort {
  if (parentPort) {
    const port = parentPort
    return {
      postMessage: (message, transfer) => port.postMessage(message, transfer),
      onMessage: (receive) => void port.on('message', receive),
    }
  }
  if (!process.send) throw new Error('this must be called inside an engine thread')
  // Whoever asked is gone.
  process.on('disconnect', () => process.exit())
  // A terminal and a process group tell everybody to stop; the server decides what becomes of a
  // run.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  return {
    postMessage: (message) => void process.send?.(message),
    onMessage: (receive) => void process.on('message', (message) => receive(message as PoolMessage)),
  }
}

/**
 * The same bytes in memory of their own; what native code made, or lies in memory that others use,
 * is copied.
 */
function transferable(bytes: Uint8Array): Uint8Array {
  const own = bytes.length === bytes.buffer.byteLength && !isMarkedAsUntransferable(bytes.buffer)
  return own ? bytes : new Uint8Array(bytes)
}

/**
 * Makes the thread or process that calls it run the tasks that a pool sends, with these engines and
 * providers.
 */
export function serveEngineThread(engines: EngineRegistry, providers: readonly Provider[] = []): void {
  const port = poolPort()
  const keeping = new Map<string, PromiseWithResolvers<void>>()
  const recalling = new Map<string, ((found: unknown) => void)[]>()
  let abort = new AbortController()

  const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  /** Resolves when the pool has kept the id of a job that runs elsewhere. */
  const keepRemoteJob = (key: string, id: string): Promise<void> => {
    const kept = Promise.withResolvers<void>()
    keeping.set(key, kept)
    send({ kind: 'remote_job', key, id })
    return kept.promise
  }

  const memory: DetectionMemory = {
    recall: (key) =>
      new Promise((resolve) => {
        recalling.set(key, [...(recalling.get(key) ?? []), resolve])
        send({ kind: 'recall', key })
      }),
    remember: (key, found) => send({ kind: 'remember', key, found }),
  }

  const run = async (task: EngineTask) => {
    abort = new AbortController()
    try {
      const provider = providers.find(({ name }) => name === task.provider)
      const remoteWork = { provider, remoteJobs: task.remoteJobs ?? {}, keepRemoteJob, memory }
      const progress = (phase: 'detecting' | 'generating', fraction: number) =>
        send({ kind: 'progress', phase, fraction })
      const result = await runTask(task, engines, createNodeHost(abort.signal, progress, remoteWork))
      const files = 'outputs' in result ? [...result.outputs, ...result.kept] : []
      if ('outputs' in result && result.thumbnail) files.push(result.thumbnail)
      for (const file of files) file.bytes = transferable(file.bytes)
      send(
        { kind: 'done', result },
        files.map((file) => file.bytes.buffer as ArrayBuffer),
      )
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'engine.failed'
      send({ kind: 'failed', code, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }

  port.onMessage((message) => {
    if (message.kind === 'stop') abort.abort()
    else if (message.kind === 'run') void run(message.task)
    else if (message.kind === 'recalled') {
      for (const resolve of recalling.get(message.key) ?? []) resolve(message.found)
      recalling.delete(message.key)
    } else if (message.kept) keeping.get(message.key)?.resolve()
    else keeping.get(message.key)?.reject(new Error('the job’s id could not be kept'))
  })
}
