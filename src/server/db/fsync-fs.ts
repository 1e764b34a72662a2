import { fsyncSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

interface EmscriptenStream {
  nfd: number
}

interface NodeFileOperations {
  stream_ops: { fsync?: (stream: EmscriptenStream) => number }
  tryFSOperation<Result>(operation: () => Result): Result
}

type EmscriptenOptions = Parameters<NodeFS['init']>[1]

/** PGlite's file system with real fsync, whose errors reach the database as I/O errors. */
export class SyncedNodeFS extends NodeFS {
  syncs = 0
  readonly #fsync: (descriptor: number) => void

  constructor(dataDir: string, fsync: (descriptor: number) => void = fsyncSync) {
    super(dataDir)
    this.#fsync = fsync
  }

  override async init(pg: PGlite, options: EmscriptenOptions): Promise<{ emscriptenOpts: EmscriptenOptions }> {
    const { emscriptenOpts } = await super.init(pg, options)
    const addSync = (module: unknown) => {
      const files = (module as { NODEFS: NodeFileOperations }).NODEFS
      files.stream_ops.fsync = (stream) => {
        files.tryFSOperation(() => this.#fsync(stream.nfd))
        this.syncs += 1
        return 0
      }
    }
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [addSync, ...(emscriptenOpts.preRun ?? [])] } }
  }
}

const durable = { fsync: 'on', wal_sync_method: 'fsync', full_page_writes: 'on', synchronous_commit: 'on' }
/** A single connection needs little memory; small log files keep the folder small. */
const modest = { shared_buffers: '16MB', wal_buffers: '1MB', max_wal_size: '128MB', min_wal_size: '32MB' }
/** Overrides the time zone of the prepared database. */
const zone = { timezone: 'UTC', log_timezone: 'UTC' }

/** PGlite's own start parameters, without the one that turns fsync off. */
export function durableStartParams(defaults: string[]): string[] {
  const settings = Object.entries({ ...durable, ...modest, ...zone }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return [...defaults.filter((param) => param !== '-F'), ...settings]
}
