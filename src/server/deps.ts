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

/**
 * Dependencies of the features' use cases; built once by src/main, and by createTestApp in tests.
 */
export interface Deps {
  config: Config
  /** Current time for the whole server; tests change it. */
  clock: () => Date
  log: Logger
  /** Contracts of the tools that this server offers. */
  tools: ToolRegistry
  /** Providers beside the engine. */
  providers: readonly Provider[]
  /** Models that admins can add to this machine. */
  models: ModelShelf
  db: Database
  store: FileStore
  /** Source and target while files are moved. */
  moving?: OpenStorage['moving']
  /** Local folder for threads. */
  withFolder: WithFolder
  /** Free space of this machine's disk. */
  space: Pick<DiskSpace, 'require'>
  mailer: Mailer
  jobs: JobQueue
  notifier: Notifier
  health: ReadHealth
  /** Present if ROLE includes the worker. */
  engine?: EnginePool
}
