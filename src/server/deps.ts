import type { Logger } from 'pino'
import type { ModelCatalogue, Provider } from '#providers/provider.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import type { EnginePool } from '#tools/threads/pool.ts'
import type { Config } from './config.ts'
import type { Database, Executor } from './db/database.ts'
import type { DiskSpace } from './disk-space.ts'
import type { ReadHealth } from './health/health.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Notifier } from './notify.ts'
import type { OpenStorage } from './storage/open-store.ts'
import type { FileStore } from './storage/store.ts'
import type { WithFolder } from './storage/work-folder.ts'

/** Built by src/server-app, and by createTestApp in tests. */
export interface Deps {
  config: Config
  clock: () => Date
  log: Logger
  tools: ToolRegistry
  providers: readonly Provider[]
  models: ModelCatalogue
  db: Database
  store: FileStore
  /** Source and target while files are moved. */
  moving?: OpenStorage['moving']
  withFolder: WithFolder
  space: Pick<DiskSpace, 'require'>
  mailer: Mailer
  jobs: JobQueue
  notifier: Notifier
  health: ReadHealth
  /** Handed in by the credits feature: credits spent since then. */
  spentCredits(executor: Executor, userId: string, since: Date): Promise<number>
  /** Present if ROLE includes the worker. */
  engine?: EnginePool
}
