import { parentPort } from 'node:worker_threads'
import type { EngineRegistry } from '#tools/tool.ts'
import { EngineError } from '../error.ts'
import { createNodeHost } from './host.ts'
import { runTask } from './run.ts'
import type { EngineTask, PoolMessage, ThreadMessage } from './task.ts'

/** Makes the worker thread that calls it an engine thread: it runs the tasks that a pool sends with these engines. */
export function serveEngineThread(engines: EngineRegistry): void {
  if (!parentPort) throw new Error('this must be called inside an engine thread')
  const port = parentPort

  const send = (message: ThreadMessage, transfer: ArrayBuffer[] = []) => port.postMessage(message, transfer)

  let abort = new AbortController()

  const run = async (task: EngineTask) => {
    abort = new AbortController()
    try {
      const host = createNodeHost(abort.signal, (phase, fraction) => send({ kind: 'progress', phase, fraction }))
      const result = await runTask(task, engines, host)
      const files = 'outputs' in result ? [...result.outputs, ...result.kept] : []
      if ('outputs' in result && result.thumbnail) files.push(result.thumbnail)
      // Buffers made by native code cannot be transferred, so each file gets memory of its own first.
      for (const file of files) file.bytes = new Uint8Array(file.bytes)
      send(
        { kind: 'done', result },
        files.map((file) => file.bytes.buffer as ArrayBuffer),
      )
    } catch (error) {
      const code = error instanceof EngineError ? error.code : 'engine.failed'
      send({ kind: 'failed', code, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
    }
  }

  port.on('message', (message: PoolMessage) => {
    if (message.kind === 'stop') abort.abort()
    else void run(message.task)
  })
}
