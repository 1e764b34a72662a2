import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ensureFirstAdmin } from '#features/account/server/staff/operator.ts'
import { staffPages } from '#features/admin/pages.ts'
import { checkStates } from '#features/billing/server/reconciliation/billing-checks.ts'
import { spentSince } from '#features/credits/server/balance.ts'
import { readSettings } from '#features/generations/server/tasks/provider-settings.ts'
import { linkHead } from '#features/shared-results/server/find-shared.ts'
import { createComfyProviders } from '#providers/comfyui/comfyui-providers.ts'
import { createFal } from '#providers/fal/fal.ts'
import { createHostedProvider } from '#providers/hosted/hosted-provider.ts'
import type { HostedService } from '#providers/hosted/hosted-service.ts'
import { createModelCatalogue, createOnnxProviders } from '#providers/onnx/onnx-providers.ts'
import type { Provider } from '#providers/provider.ts'
import { createReplicate } from '#providers/replicate/replicate.ts'
import type { AccountDeps } from '#server/account-hooks.ts'
import { backUpWhenDue } from '#server/backup/scheduled-backup.ts'
import type { Config } from '#server/config.ts'
import { listenForCommands, type RunCommand } from '#server/control/control-socket.ts'
import { type Database, openDatabase } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { createDiskSpace, type DiskSpace, withReserve } from '#server/disk-space.ts'
import { healthReader } from '#server/health/health.ts'
import { announceProcess } from '#server/health/presence.ts'
import { createApp } from '#server/http/app.ts'
import { createWorkerApp } from '#server/http/health-routes.ts'
import { sweepRates } from '#server/http/rate-limit.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'
import type { FailingJobs, JobQueue } from '#server/jobs/queue.ts'
import { createMailer, type Mailer } from '#server/mail/mailer.ts'
import { deleteOldSentMails, failingMails, workMails } from '#server/mail/outbox.ts'
import { createMetrics, type Metrics } from '#server/metrics.ts'
import { createNotifier } from '#server/notify.ts'
import { openStorage } from '#server/storage/open-store.ts'
import type { FileStore } from '#server/storage/store.ts'
import { inSpan } from '#server/tracing.ts'
import { pagePaths } from '#shared/pages.ts'
import type { ToolRegistry } from '#tools/contract/tool.ts'
import { toolContracts } from '#tools/contracts.ts'
import { createEnginePool, type EnginePool } from '#tools/threads/pool.ts'
import type { EngineRunOptions, EngineTask } from '#tools/threads/task.ts'
import { apiRoutes } from './api.ts'
import { commandRunner } from './commands.ts'
import {
  accountHooks,
  approvalActions,
  events,
  healthChecks,
  mails,
  metricSources,
  queues,
  type WorkerDeps,
  workFeatures,
} from './registrations.ts'

export interface Replacements {
  clock?: () => Date
  mailer?: Mailer
  engine?: EnginePool
  tools?: ToolRegistry
  providers?: readonly Provider[]
  store?: FileStore
  distDir?: string
  fsync?: (descriptor: number) => void
  /** On the disk of DATA_DIR. */
  freeBytes?: () => Promise<number>
}

export interface Composition {
  deps: Deps
  /** A worker's app has health checks and metrics only. */
  app: ReturnType<typeof createApp> | ReturnType<typeof createWorkerApp>
  /**
   * Creates the first admin if there is none; returns the password only if it was generated, once.
   */
  ensureFirstAdmin(): Promise<{ email: string; password?: string } | undefined>
  runCommand: RunCommand
  /** Lets running jobs finish or requeues them, then closes everything. */
  stop(): Promise<void>
}

const builtApp = fileURLToPath(new URL('../../dist', import.meta.url))

/** Does not listen yet. */
export async function compose(config: Config, log: Logger, replaced: Replacements = {}): Promise<Composition> {
  const closing: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const close of closing.splice(0).reverse()) await close()
  }
  try {
    const clock = replaced.clock ?? (() => new Date())
    const database = await openDatabase(config, log, replaced.fsync)
    closing.push(() => database.close())
    const { db } = database
    const link = database.pglite
      ? { pglite: database.pglite }
      : { url: config.databaseUrl as string, directUrl: config.databaseDirectUrl, pool: database.pool }
    const notifier = await createNotifier(link, log)
    closing.push(() => notifier.stop())
    const metrics = createMetrics()
    const opened = config.role === 'web' ? undefined : (replaced.engine ?? openEngine(config, log))
    if (opened) closing.push(() => opened.close())
    const engine = opened && observedEngine(opened, metrics)
    const queue = await createJobQueue(link, log, queues, config.role !== 'web')
    const jobs = observedJobs(queue, metrics, () => failingMails(db))
    closing.push(() => jobs.stop())
    const mailer = replaced.mailer ?? createMailer(config, log, clock)
    const space = createDiskSpace(config.dataDir, replaced.freeBytes)
    const storage = openStorage(config, space)
    closing.push(() => storage.close())
    const presence = await announceProcess({ db, clock, log, config })
    closing.push(() => presence.stop())
    const others = createProviders(config, { db, clock })
    closing.push(() => others.close())
    const tools = { db, clock, jobs, config, space, pool: database.pool }
    const deps: AccountDeps = {
      config,
      clock,
      log,
      tools: replaced.tools ?? toolContracts,
      providers: replaced.providers ?? others.providers,
      models: createModelCatalogue(config.modelsDir),
      db,
      store: replaced.store ? withReserve(replaced.store, space) : storage.store,
      withFolder: storage.withFolder,
      space,
      moving: storage.moving,
      mailer,
      jobs,
      notifier,
      health: healthReader(tools, healthChecks, log),
      accountHooks,
      spentCredits: spentSince,
      engine,
    }

    if (engine) await startWorker({ ...deps, engine })
    metrics.add(tools, metricSources)
    const operations = {
      details: () => checkStates(deps),
      metrics,
      health: deps.health,
    }
    // An external database has a disk of its own.
    if (database.pglite) closing.push(watchReserve(space, log))
    const app =
      config.role === 'worker'
        ? createWorkerApp(deps, operations)
        : createApp(deps, apiRoutes(deps, { events, mails: mails.definitions, approvalActions }), {
            ...operations,
            distDir: replaced.distDir ?? builtApp,
            pagePaths: [...pagePaths, ...Object.keys(staffPages)],
            headOf: (asked) => linkHead(deps, asked),
            ...(database.pglite && { space }),
          })
    const runCommand = commandRunner(deps)
    if (database.pglite) closing.push(await listenForCommands(config.dataDir, runCommand, log))
    return { deps, app, runCommand, ensureFirstAdmin: () => ensureFirstAdmin(deps), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

function openEngine({ engineThreads }: Config, log: Logger): EnginePool {
  return createEnginePool({
    entry: new URL('../tools/engine-thread.ts', import.meta.url),
    size: engineThreads,
    keepWarm: true,
    onFailure: (code, reason) => log.error({ code, reason }, 'the engine failed'),
  })
}

const reserveMilliseconds = 5000

/** Releases the disk reserve when the disk is full, and takes it back later. */
function watchReserve(space: DiskSpace, log: Logger): () => Promise<void> {
  const keep = async () => {
    try {
      if ((await space.keepReserve()) === 'spent') log.error('the disk is full: released the reserve to the database')
    } catch (error) {
      log.error({ err: error }, 'could not maintain the disk reserve')
    }
  }
  let keeping = Promise.resolve()
  const timer = setInterval(() => {
    keeping = keep()
  }, reserveMilliseconds).unref()
  return async () => {
    clearInterval(timer)
    await keeping
  }
}

/** Own servers come before hosted services. */
function createProviders(
  { dataDir, modelsDir, engineThreads, publicUrl, loopback, providers: given }: Config,
  { db, clock }: { db: Database; clock: () => Date },
): { providers: Provider[]; close(): Promise<void> } {
  const onnx = createOnnxProviders({ modelsDir, threads: engineThreads })
  const comfyui = createComfyProviders({ servers: given.comfyServers, workflowsDir: join(dataDir, 'workflows') })
  const services: HostedService[] = []
  if (given.fal) services.push(createFal({ ...given.fal, now: clock }))
  if (given.replicate) services.push(createReplicate({ ...given.replicate, now: clock }))
  const hosted = services.map((service) =>
    createHostedProvider(service, {
      now: clock,
      settings: () => readSettings(db, service.id),
      webhookOf: (reference) =>
        loopback ? undefined : new URL(`/api/webhooks/providers/${service.id}/${reference}`, publicUrl).href,
    }),
  )
  return {
    providers: [...comfyui.providers, ...onnx.providers, ...hosted],
    async close() {
      comfyui.close()
      await onnx.close()
    },
  }
}

/** Registers all work outside of requests: jobs and repeated tasks. */
async function startWorker(deps: WorkerDeps): Promise<void> {
  const { jobs } = deps
  await workMails(deps, mails)
  await jobs.every('forget-sent-mails', 3600, () => deleteOldSentMails(deps))
  await jobs.every('sweep-rates', 600, () => sweepRates(deps))
  await jobs.every('backup', 300, () => backUpWhenDue(deps))
  await workFeatures(deps)
}

const seconds = (since: number) => (performance.now() - since) / 1000

const codeOf = (error: unknown) => {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' ? code : 'unknown'
}

function observedEngine(engine: EnginePool, metrics: Metrics): EnginePool {
  const observe = <Result extends object>(
    task: EngineTask,
    { lane = 'pictures' }: EngineRunOptions,
    work: () => Promise<Result>,
  ) => {
    const { tool, step } = task
    return inSpan(`engine ${step}`, { tool, lane }, async () => {
      const started = performance.now()
      try {
        const outcome = await work()
        metrics.observeEngine({ tool, step, lane, outcome: 'succeeded', code: '', seconds: seconds(started) })
        return outcome
      } catch (error) {
        const code = codeOf(error)
        metrics.observeEngine({
          tool,
          step,
          lane,
          outcome: 'failed',
          code,
          seconds: seconds(started),
        })
        throw error
      }
    })
  }
  return {
    ...engine,
    run: (task, options) => observe(task, options, () => engine.run(task, options)),
    check: (task, options) => observe(task, options, () => engine.check(task, options)),
    prepare: (task, options) => observe(task, options, () => engine.prepare(task, options)),
  }
}

function observedJobs(jobs: JobQueue, metrics: Metrics, others: () => Promise<FailingJobs[]>): JobQueue {
  return {
    ...jobs,
    failing: async () => [...(await jobs.failing()), ...(await others())],
    work: (queue, options, handler) =>
      jobs.work(queue, options, async (data, ...task) => {
        const started = performance.now()
        try {
          const output = await handler(data, ...task)
          metrics.observeJob({ queue, outcome: 'succeeded', seconds: seconds(started) })
          return output
        } catch (error) {
          metrics.observeJob({ queue, outcome: 'failed', seconds: seconds(started) })
          throw error
        }
      }),
  }
}
