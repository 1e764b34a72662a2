import { availableParallelism, totalmem } from 'node:os'

const megabyte = 1024 * 1024
/** Bytes of the server without the engine, and of an engine thread with large pictures. */
const needs = { server: 450 * megabyte, thread: 450 * megabyte }
/** With less, a large picture may crash the program; see docs/running/first-server.md. */
const minBytes = 1000 * megabyte
const recommendedMegabytes = 2048

/** Bytes of the machine, or of the container. */
export function memoryLimit(): number {
  const limit = process.constrainedMemory()
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem()
}

/** Number of engine threads that fit into memory; at most one for each core. */
export function threadsFor(memory = memoryLimit(), cores = availableParallelism()): number {
  return Math.max(1, Math.min(cores, Math.floor((memory - needs.server) / needs.thread)))
}

export function memoryProblem(memory = memoryLimit()): string | undefined {
  if (memory >= minBytes) return undefined
  const found = Math.round(memory / megabyte)
  return `there are only ${found} MB of memory; 1024 MB are the least, ${recommendedMegabytes} MB are recommended`
}
