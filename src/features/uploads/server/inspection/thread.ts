import { createHash } from 'node:crypto'
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parentPort } from 'node:worker_threads'
import { imageLimits } from '#contract/media.ts'
import { inspectPicture } from './inspect-picture.ts'
import { RefusedPicture } from './picture-file.ts'
import type { InspectionTask, ThreadReply } from './task.ts'

// One picture at a time, always in the same memory: nothing is left for the garbage collector.
const scratch = Buffer.alloc(imageLimits.bytes)

parentPort?.on('message', (task: InspectionTask) => {
  let reply: ThreadReply
  try {
    reply = { kind: 'done', result: inspect(task) }
  } catch (error) {
    if (error instanceof RefusedPicture) reply = { kind: 'refused', code: error.code, reason: error.message }
    else reply = { kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
  parentPort?.postMessage(reply)
})

function inspect({ source, draft }: InspectionTask) {
  const bytes = read(source)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const { parts, ...facts } = inspectPicture(bytes)
  const file = openSync(draft, 'wx', 0o600)
  try {
    for (const part of parts) for (let at = 0; at < part.length; ) at += writeSync(file, part, at)
  } finally {
    closeSync(file)
  }
  return { ...facts, sha256, bytes: parts.reduce((sum, part) => sum + part.length, 0) }
}

function read(path: string): Buffer {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    if (size > scratch.length) throw new RefusedPicture('upload.too_large', 'too large')
    let at = 0
    while (at < size) {
      const count = readSync(file, scratch, at, size - at, at)
      if (count === 0) break
      at += count
    }
    return scratch.subarray(0, at)
  } finally {
    closeSync(file)
  }
}
