import type { Logger } from 'pino'
import type { ModelShelf } from '#providers/model-shelf.ts'
import type { Provider } from '#providers/provider.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { Config } from './config.ts'
import type { Database } from './db/database.ts'
import type { DiskSpace } from './disk-space.ts'
import type { ReadHealth } from './health/health.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Notifier } from './notify.ts'
import type { OpenStorage } from './storage/open-store.ts'
import type { FileStore } from './storage/store.ts'
import type { WithFolder } from './storage/work-folder.ts'

/** What the features' use cases are given; src/main builds it once, and tests by createTestApp. */
export interface Deps {
  config: Config
  /** Now, as everything in the server reads it; tests move it. */
  clock: () => Date
  log: Logger
  /** Contracts of the tools that this server offers. */
  tools: ToolRegistry
  /** Who else than the engine may do what tools ask for. */
  providers: readonly Provider[]
  /** The models that admins may add to this machine. */
  models: ModelShelf
  db: Database
  store: FileStore
  /** Where files move from and to, while they do. */
  moving?: OpenStorage['moving']
  /** A folder of this machine, for threads. */
  withFolder: WithFolder
  /** What is left of this machine's disk. */
  space: Pick<DiskSpace, 'require'>
  mailer: Mailer
  jobs: JobQueue
  notifier: Notifier
  /** What somebody has to look at. */
  health: ReadHealth
  /** Present where ROLE includes the worker. */
  engine?: EnginePool
}
