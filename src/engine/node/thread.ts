import { parentPort } from 'node:worker_threads'
import { EngineError } from '../error.ts'
import { createNodeHost } from './host.ts'
import { runTask } from './run.ts'
import type { EngineTask, ThreadMessage } from './task.ts'

if (!parentPort) throw new Error('this module runs inside an engine thread')
const port = parentPort

function send(message: ThreadMessage, transfer: ArrayBuffer[] = []): void {
  port.postMessage(message, transfer)
}

port.on('message', async (task: EngineTask) => {
  try {
    const host = createNodeHost(new AbortController().signal, (phase, fraction) =>
      send({ kind: 'progress', phase, fraction }),
    )
    const outcome = await runTask(task, host)
    const files = [...outcome.outputs, outcome.thumbnail, ...outcome.kept]
    // Buffers made by native code cannot be transferred, so each file gets memory of its own first.
    for (const file of files) file.bytes = new Uint8Array(file.bytes)
    send(
      { kind: 'done', outcome },
      files.map((file) => file.bytes.buffer as ArrayBuffer),
    )
  } catch (error) {
    const code = error instanceof EngineError ? error.code : 'engine.failed'
    send({ kind: 'failed', code, reason: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
})
