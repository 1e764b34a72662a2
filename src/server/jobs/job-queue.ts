import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { reasonOf } from '../log.ts'
import { inSpan, inTraceOf, type TraceCarrier, traceCarrier } from '../tracing.ts'
import type { DatabaseLink } from './database-link.ts'
import { type BossDatabase, embeddedBoss } from './embedded-boss.ts'
import { createFleetLock } from './fleet-task.ts'
import type { FailingJobs, JobQueue, Jobs, QueueOptions, WorkOptions } from './queue.ts'

/** A worker that has not been heard of for this long is dead, and its job goes to another one. */
const heartbeatSeconds = 10
/** What a task that comes again and again may take, however often it comes. */
const minBudgetSeconds = 60
/**
 * A new job wakes the workers of its queue. Nothing tells of retries that are due, which they look
 * for, nor of processes that died: their jobs are looked for by `supervise`. The embedded database
 * has one process, and what that leaves is requeued when the next one opens it.
 */
const intervals = { embedded: { look: 5, supervise: 60 }, postgres: { look: 2, supervise: 2 } }
/** How long a worker leaves its queue alone after a job that failed. */
const restMilliseconds = 500
/** How long a stopping process waits for its jobs to be given back. */
const stopMilliseconds = 8000

const mailQueue = {
  expireInSeconds: 120,
  retryLimit: 10,
  retryDelay: 5,
  retryBackoff: true,
  retryDelayMax: 900,
  deleteAfterSeconds: 3600,
} as const satisfies QueueOptions

/**
 * Opens the job queues, those of features with them, on the same database as everything else;
 * resolves when jobs can be sent.
 */
export async function createJobQueue(
  link: DatabaseLink,
  log: Logger,
  ofFeatures: { [Name in Exclude<keyof Jobs, 'send-mail'>]: QueueOptions },
): Promise<JobQueue> {
  const queues: Record<keyof Jobs, QueueOptions> = { ...ofFeatures, 'send-mail': mailQueue }
  const embedded = 'pglite' in link
  const connection: { db: BossDatabase; backend: 'pglite' } | { connectionString: string; max: number } = embedded
    ? { db: embeddedBoss(link.pglite), backend: 'pglite' }
    : { connectionString: link.url, max: 6 }
  const seconds = intervals[embedded ? 'embedded' : 'postgres']
  const boss = new PgBoss({
    ...connection,
    useListenNotify: true,
    schedule: false,
    superviseIntervalSeconds: seconds.supervise,
    monitorIntervalSeconds: seconds.supervise,
    maintenanceIntervalSeconds: 600,
    // The embedded database has one connection: an index is rebuilt by hand there, not under
    // everybody's feet.
    reindex: !embedded,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  await boss.start()
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, { ...options, policy: 'exclusive', notify: true, heartbeatSeconds })
  }
  if (embedded) await requeueOrphans(boss, link)

  const lock = createFleetLock(link)
  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<unknown>>()
  const failingTasks = new Map<string, FailingJobs>()
  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }

  return {
    async send(name, data, options) {
      const { singletonKey = Object.values(data).join(':'), priority, owner } = options ?? {}
      const trace = traceCarrier()
      await boss.send(name, trace ? { ...data, trace } : data, {
        singletonKey,
        ...(priority && { priority }),
        ...(owner && { group: { id: owner } }),
      })
    },
    async missing(name, singletonKeys) {
      if (singletonKeys.length === 0) return []
      const { rows } = await boss
        .getDb()
        .executeSql(
          `select singleton_key from pgboss.job where name = $1 and state in ('created', 'retry', 'active') and singleton_key = any($2::text[])`,
          [name, singletonKeys],
        )
      const present = new Set(rows.map((row) => row.singleton_key))
      return singletonKeys.filter((key) => !present.has(key))
    },
    async outputOf(name, singletonKey) {
      const { rows } = await boss
        .getDb()
        .executeSql(
          `select output from pgboss.job where name = $1 and singleton_key = $2 and state = 'completed' order by completed_on desc limit 1`,
          [name, singletonKey],
        )
      return rows[0]?.output ?? undefined
    },
    async work<Name extends keyof Jobs>(
      name: Name,
      options: WorkOptions | number,
      handler: (data: Jobs[Name], signal: AbortSignal) => Promise<unknown>,
    ) {
      const { concurrency, perOwner }: WorkOptions = typeof options === 'number' ? { concurrency: options } : options
      // Each a worker of its own, so that the one whose job has ended looks for those that were
      // announced while all were busy.
      for (let count = 0; count < concurrency; count += 1) {
        const worker: Promise<string> = boss.work<Jobs[Name]>(
          name,
          {
            ...(perOwner && { groupConcurrency: perOwner }),
            pollingIntervalSeconds: 0.5,
            notifyPollingIntervalSeconds: seconds.look,
            heartbeatRefreshSeconds: 3,
          },
          async ([job]) => {
            if (!job) return
            const signal = AbortSignal.any([job.signal, stopping.signal])
            signal.throwIfAborted()
            const look = async () => boss.notifyWorker(await worker)
            try {
              const { trace } = job.data as { trace?: TraceCarrier }
              const work = () => inSpan(`job ${name}`, {}, () => handler(job.data, signal))
              const output = await track(inTraceOf(trace, work))
              await look()
              return output
            } catch (error) {
              setTimeout(look, restMilliseconds).unref()
              if (signal.aborted) throw error
              const last = job.retryCount >= queues[name].retryLimit
              const message = last ? 'a job failed and is given up' : 'a job failed and will be tried again'
              log.warn({ queue: name, job: job.id, attempt: job.retryCount + 1, err: error }, message)
              // What is kept of it can be read by admins.
              throw new Error(reasonOf(error))
            }
          },
        )
        await worker
      }
    },
    async every(name, seconds, task) {
      let busy = false
      const budget = Math.max(seconds, minBudgetSeconds) * 1000
      const run = async () => {
        if (busy || stopping.signal.aborted) return
        busy = true
        const signal = AbortSignal.any([AbortSignal.timeout(budget), stopping.signal])
        try {
          await track(lock.run(name, () => task(signal)))
          failingTasks.delete(name)
        } catch (error) {
          if (stopping.signal.aborted) return
          log.error({ err: error, task: name }, 'repeated task failed')
          const { since = new Date().toISOString(), jobs = 0 } = failingTasks.get(name) ?? {}
          failingTasks.set(name, { name, jobs: jobs + 1, since, reason: reasonOf(error) })
        } finally {
          busy = false
        }
      }
      const timer = setInterval(run, seconds * 1000)
      timer.unref()
      timers.add(timer)
      void run()
    },
    async check() {
      if (!(await boss.isInstalled())) throw new Error('the job queue is not installed')
    },
    async failing() {
      const { rows } = await boss.getDb().executeSql(
        `select name, count(*)::int as jobs, min(created_on) as since,
          (array_agg(output->>'message' order by completed_on desc nulls last))[1] as reason
        from pgboss.job where state in ('retry', 'failed') and output is not null group by name order by name`,
      )
      const jobs = rows.map(({ name, jobs, since, reason }) => ({
        name,
        jobs,
        since: new Date(since).toISOString(),
        reason: reason ?? 'unknown',
      }))
      return [...jobs, ...failingTasks.values()]
    },
    async stop() {
      for (const timer of timers) clearInterval(timer)
      // First no new jobs, then the running ones stop and go back; only then is there nothing left
      // to wait for.
      await Promise.allSettled(Object.keys(queues).map((name) => boss.offWork(name, { wait: false })))
      stopping.abort(new Error('the process is stopping'))
      const deadline = new Promise((resolve) => setTimeout(resolve, stopMilliseconds).unref())
      await Promise.race([Promise.allSettled(running), deadline])
      await boss.stop({ graceful: true, timeout: stopMilliseconds })
      await lock.close()
    },
  }
}

/**
 * Only one process at a time has the embedded database, so whatever is still marked as running when
 * it opens died with the last one.
 */
async function requeueOrphans(boss: PgBoss, link: Extract<DatabaseLink, { pglite: unknown }>) {
  const { rows } = await link.pglite.query<{ name: string; ids: string[] }>(
    `select name, array_agg(id::text) as ids from pgboss.job where state = 'active' group by name`,
  )
  for (const { name, ids } of rows) await boss.fail(name, ids, { message: 'the process died' })
}
