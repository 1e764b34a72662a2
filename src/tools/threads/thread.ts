import { inspect } from 'node:util'
import { isMainThread, isMarkedAsUntransferable, type MessagePort } from 'node:worker_threads'
import { EngineError } from '#engine/error.ts'
import type { EngineHost } from '#engine/host.ts'
import type { DetectionCache } from '#engine/node/detection-cache.ts'
import { createNodeHost } from '#engine/node/host.ts'
import type { EngineRegistry } from '#tools/engine/tool-engine.ts'
import { runTask } from './run.ts'
import { type EngineResult, type EngineTask, inputErrorPattern, type PoolMessage, type ThreadMessage } from './task.ts'

/** The port that came with a task, or a process's own channel. */
interface PoolPort {
  postMessage(message: ThreadMessage, transfer: ArrayBuffer[]): void
  on(event: 'message', receive: (message: PoolMessage) => void): void
}

/** Memory of native code or shared memory is copied. */
function transferable(bytes: Uint8Array): Uint8Array {
  const own = bytes.length === bytes.buffer.byteLength && !isMarkedAsUntransferable(bytes.buffer)
  return own ? bytes : new Uint8Array(bytes)
}

function filesOf(result: EngineResult): { bytes: Uint8Array }[] {
  if (Array.isArray(result)) return result.flatMap(({ files }) => files)
  if (!('outputs' in result)) return []
  const { outputs, kept, thumbnail } = result
  return [...outputs, ...kept, ...(thumbnail ? [thumbnail] : [])]
}

/**
 * Creates `perform` of an engine thread's module. A process, which has no callable exports,
 * receives the tasks as messages.
 */
export function engineThread(engines: EngineRegistry) {
  const perform = async (task: EngineTask, port: PoolPort): Promise<void> => {
    const stop = new AbortController()
    const asked: PromiseWithResolvers<unknown>[] = []
    const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)
    port.on('message', (message) => {
      if (message.kind === 'stop') stop.abort()
      else if (message.failure === undefined) asked[message.number]?.resolve(message.found)
      else asked[message.number]?.reject(new EngineError(message.failure.code, { cause: message.failure.reason }))
    })
    const ask = (question: (number: number) => ThreadMessage): Promise<unknown> => {
      const answer = Promise.withResolvers<unknown>()
      send(question(asked.push(answer) - 1))
      return answer.promise
    }
    const cache: DetectionCache = {
      recall: (key) => ask((number) => ({ kind: 'recall', number, key })),
      remember: (key, found) => send({ kind: 'remember', key, found }),
    }
    const salience: EngineHost['salience'] = (square) =>
      ask((number) => ({ kind: 'find_salience', number, square })) as ReturnType<EngineHost['salience']>
    try {
      const progress = (phase: 'detecting' | 'generating', fraction: number) =>
        send({ kind: 'progress', phase, fraction })
      const { watermark, locations: locationFiles } = task
      const options = { cache, salience, watermarkKey: watermark?.key, locationFiles }
      const host = createNodeHost(stop.signal, progress, options)
      const result = await runTask(task, engines, host)
      const files = filesOf(result)
      for (const file of files) file.bytes = transferable(file.bytes)
      send(
        { kind: 'done', result },
        files.map((file) => file.bytes.buffer as ArrayBuffer),
      )
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'engine.failed'
      send({ kind: 'failed', code, reason: inspect(error) })
      // An idle thread would be given the next task before it is replaced.
      if (!inputErrorPattern.test(code) && !stop.signal.aborted) await new Promise(() => {})
    }
  }
  if (isMainThread) serveProcess(perform)
  return ({ task, port }: { task: EngineTask; port: MessagePort }) => perform(task, port)
}

function serveProcess(perform: (task: EngineTask, port: PoolPort) => Promise<void>): void {
  process.on('disconnect', () => process.exit())
  // Terminals and process groups send signals to every process; the server decides about running
  // tasks.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
  let receive: (message: PoolMessage) => void = () => {}
  const port: PoolPort = {
    postMessage: (message) => void process.send?.(message),
    on: (_, listener) => {
      receive = listener
    },
  }
  process.on('message', (message: PoolMessage | { kind: 'run'; task: EngineTask }) => {
    if (message.kind === 'run') void perform(message.task, port)
    else receive(message)
  })
}
