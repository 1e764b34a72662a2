import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { gunzipSync } from 'node:zlib'
import { PGlite, type PGliteOptions } from '@electric-sql/pglite'
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import type { Logger } from 'pino'
import { lockDataDir } from './data-dir-lock.ts'
import { DamagedDatabase } from './errors.ts'
import { insideTransaction, refuseInsideTransaction } from './inside-transaction.ts'

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
function durableStartParams(defaults: string[]): string[] {
  const settings = Object.entries({ ...durable, ...modest, ...zone }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  return [...defaults.filter((param) => param !== '-F'), ...settings]
}

const checkpointEvery = 5 * 60_000
const vacuumEvery = 60 * 60_000

/**
 * PGlite that refuses queries which would wait for their own transaction, and that detects a
 * database panic.
 */
class GuardedPGlite extends PGlite {
  readonly #onPanic: (error: Error) => void

  constructor(options: PGliteOptions, onPanic: (error: Error) => void) {
    super(options)
    this.#onPanic = onPanic
  }

  override query: PGlite['query'] = (...given) => {
    refuseInsideTransaction()
    return super.query(...given)
  }

  override exec: PGlite['exec'] = (...given) => {
    refuseInsideTransaction()
    return super.exec(...given)
  }

  override transaction: PGlite['transaction'] = (body) => {
    refuseInsideTransaction()
    return super.transaction((tx) => insideTransaction(() => body(tx)))
  }

  override async execProtocolStream(...given: Parameters<PGlite['execProtocolStream']>) {
    try {
      return await super.execProtocolStream(...given)
    } catch (error) {
      if ((error as { severity?: string }).severity === 'PANIC') this.#onPanic(error as Error)
      throw error
    }
  }
}

export interface Embedded {
  pglite: PGlite
  /** Refreshes statistics and frees dead rows; runs automatically every hour. */
  vacuum(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens DATA_DIR/database, creating it if needed; throws DataDirInUse and DamagedDatabase. After a
 * panic, such as a failed sync, `onPanic` must end the process: the next start recovers from the
 * log.
 */
export async function openEmbedded(
  dataDir: string,
  log: Logger,
  onPanic: (error: Error) => void,
  fsync: (descriptor: number) => void = fsyncSync,
): Promise<Embedded> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const lock = lockDataDir(dataDir)
  try {
    const folder = join(dataDir, 'database')
    if (!existsSync(folder)) {
      log.info('preparing the database for the first start')
      await prepareCluster(folder)
    }
    // PGlite would make an empty database over the user's files.
    if (!existsSync(join(folder, 'PG_VERSION')) && (!statSync(folder).isDirectory() || readdirSync(folder).length > 0))
      throw new DamagedDatabase('PG_VERSION is missing')
    const files = new SyncedNodeFS(folder, fsync)
    const startParams = durableStartParams(PGlite.defaultStartParams)
    const pglite = await withBaselineCompiler(async () => {
      const opened = new GuardedPGlite({ fs: files, startParams, extensions: { pg_trgm: trigrams } }, onPanic)
      await opened.waitReady.catch((error: unknown) => {
        throw new DamagedDatabase(error)
      })
      return opened
    })
    await checkSync(pglite, files)

    const vacuum = async () => {
      await pglite.exec('vacuum (analyze)')
    }
    const timers = [
      housekeeping(log, checkpointEvery, async () => void (await pglite.exec('checkpoint'))),
      housekeeping(log, vacuumEvery, vacuum),
    ]
    return {
      pglite,
      vacuum,
      async close() {
        for (const timer of timers) clearInterval(timer)
        await pglite.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

/**
 * Keeps V8's baseline code: the optimizing compiler takes 600 MB for the function that parses SQL
 * within the first hundred queries, without making them faster.
 */
async function withBaselineCompiler<Result>(open: () => Promise<Result>): Promise<Result> {
  const flags = ['wasm-tier-up', 'wasm-dynamic-tiering']
  for (const flag of flags) setFlagsFromString(`--no-${flag}`)
  try {
    return await open()
  } finally {
    for (const flag of flags) setFlagsFromString(`--${flag}`)
  }
}

/** Proves that a commit reaches the disk before it is acknowledged. */
async function checkSync(pglite: PGlite, files: SyncedNodeFS): Promise<void> {
  const before = files.syncs
  await pglite.exec(`begin; select pg_logical_emit_message(true, 'start', 'fsync'); commit`)
  if (files.syncs === before) throw new Error('the embedded database does not sync its log to the disk')
}

function housekeeping(log: Logger, every: number, task: () => Promise<void>): NodeJS.Timeout {
  return setInterval(() => {
    task().catch((error: unknown) => log.error({ err: error }, 'database housekeeping failed'))
  }, every).unref()
}

/**
 * Creates an empty database in a draft folder and moves it once synced, so that a crash leaves
 * nothing half-made.
 */
async function prepareCluster(folder: string): Promise<void> {
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true, mode: 0o700 })
  await createCluster(draft)
  syncTree(draft)
  renameSync(draft, folder)
  syncPath(join(folder, '..'))
}

function syncTree(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) syncTree(path)
    else syncPath(path)
  }
  syncPath(folder)
}

function syncPath(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * Unpacks an empty database. PGlite's own initdb needs more than a gigabyte; this archive is its
 * output for the same catalogue version.
 */
async function createCluster(folder: string): Promise<void> {
  // Loaded only for the one start that needs them.
  const [{ dataDir }, { parseTar }] = await Promise.all([
    import('@electric-sql/pglite-prepopulatedfs'),
    import('nanotar'),
  ])
  const archive = gunzipSync(await (await dataDir()).arrayBuffer())
  for (const { name, type, data } of parseTar(new Uint8Array(archive))) {
    const path = join(folder, name.replace(/^\//, ''))
    // Belongs to the process that made the archive.
    if (name.endsWith('postmaster.pid')) continue
    await mkdir(type === 'directory' ? path : dirname(path), { recursive: true, mode: 0o700 })
    if (type === 'file') await writeFile(path, data ?? '', { mode: 0o600 })
  }
}
