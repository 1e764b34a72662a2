import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'
import { type ConstructorOptions, type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { DatabaseLink } from '../db/keep-listening.ts'
import { reasonOf } from '../log.ts'
import { inSpan, inTraceOf, type TraceCarrier, traceCarrier } from '../tracing.ts'
import { type Dispatcher, joinFleet, startDispatcher } from './dispatcher.ts'
import type { FailingJobs, JobQueue, Jobs, QueueOptions, SendOptions, WorkOptions } from './queue.ts'

/** Seconds without a heartbeat after which a worker counts as dead. */
const heartbeatSeconds = 10
/** Least time limit in seconds, however short the interval. */
const minBudgetSeconds = 60
/**
 * In seconds. `look`: polls for jobs without a notification; `supervise`: searches for jobs of dead
 * processes. The embedded database has one process; its jobs are requeued at the next start.
 */
const intervals = { embedded: { look: 15, supervise: 60 }, postgres: { look: 30, supervise: 3 } }
const stopMilliseconds = 8000

/** Channel of notifications that name a queue with a waiting job. */
const wakeChannel = 'rupa_jobs'

/** A process that never calls `work` or `every` only sends jobs. */
export async function createJobQueue(
  link: DatabaseLink,
  log: Logger,
  queues: Record<keyof Jobs, QueueOptions>,
  works = true,
): Promise<JobQueue> {
  const embedded = 'pglite' in link
  const seconds = intervals[embedded ? 'embedded' : 'postgres']
  const boss = new PgBoss({
    ...connectionOf(link),
    supervise: false,
    schedule: false,
    superviseIntervalSeconds: seconds.supervise,
    monitorIntervalSeconds: seconds.supervise,
    maintenanceIntervalSeconds: 600,
    // An index rebuild would block the only connection; the operator does it by hand.
    reindex: !embedded,
    monitorVacuum: false,
  })
  boss.on('error', (error) => log.error({ err: error }, 'job queue'))
  await boss.start()
  for (const [name, options] of Object.entries(queues)) {
    await boss.createQueue(name, { ...options, policy: 'exclusive', notify: false, heartbeatSeconds })
  }
  if (embedded) await requeueOrphans(boss, Object.keys(queues))

  const stopping = new AbortController()
  const timers = new Set<NodeJS.Timeout>()
  const running = new Set<Promise<unknown>>()
  const dispatchers = new Map<string, Dispatcher>()
  const tasks = new Set<() => Promise<void>>()
  const fleetListener = {
    channel: wakeChannel,
    onNotify: (queue: string) => dispatchers.get(queue)?.look(),
    onConnected: () => {
      for (const dispatcher of dispatchers.values()) dispatcher.look()
    },
    onLeading: () => {
      for (const run of tasks) void run()
    },
  }
  const fleet = works ? await joinFleet(link, log, fleetListener) : undefined
  const wake = async (name: string) => {
    await boss.getDb().executeSql('select pg_notify($1, $2)', [wakeChannel, name])
  }
  const failingTasks = new Map<string, FailingJobs>()
  const track = <Result>(work: Promise<Result>): Promise<Result> => {
    running.add(work)
    return work.finally(() => running.delete(work))
  }

  const every: JobQueue['every'] = async (name, seconds, task) => {
    let busy = false
    const budget = Math.max(seconds, minBudgetSeconds) * 1000
    const run = async () => {
      const leading = fleet?.leading()
      if (busy || !leading || stopping.signal.aborted) return
      busy = true
      const signal = AbortSignal.any([AbortSignal.timeout(budget), stopping.signal, leading])
      try {
        await track(task(signal))
        failingTasks.delete(name)
      } catch (error) {
        if (stopping.signal.aborted || leading.aborted) return
        log.error({ err: error, task: name }, 'repeated task failed')
        const { since = new Date().toISOString(), jobs = 0 } = failingTasks.get(name) ?? {}
        failingTasks.set(name, { name, jobs: jobs + 1, since, reason: reasonOf(error) })
      } finally {
        busy = false
      }
    }
    tasks.add(run)
    timers.add(setInterval(run, seconds * 1000).unref())
    void run()
  }
  await every('supervise-queues', seconds.supervise, async () => {
    await boss.supervise()
    for (const { name, readyCount } of await boss.getQueues()) if (readyCount > 0) await wake(name)
  })

  return {
    async send(name, data, options) {
      const trace = traceCarrier()
      const id = await boss.send(name, trace ? { ...data, trace } : data, bossOptions(data, options))
      await wake(name)
      return id !== null
    },
    async sendAll(name, jobs) {
      if (jobs.length === 0) return 0
      const sent = await boss.insert(
        name,
        jobs.map(({ data, options }) => ({ data, ...bossOptions(data, options) })),
        { returnId: true },
      )
      const count = sent?.length ?? 0
      if (count > 0) await wake(name)
      return count
    },
    async outputOf(name, singletonKey) {
      const jobs = await boss.findJobs(name, { key: singletonKey })
      const newest = jobs.reduce<(typeof jobs)[number] | undefined>(
        (last, job) => (last && last.createdOn > job.createdOn ? last : job),
        undefined,
      )
      return newest?.state === 'completed' ? newest.output : undefined
    },
    async remove<Name extends keyof Jobs>(name: Name, data: Partial<Jobs[Name]>) {
      const jobs = await boss.findJobs<Jobs[Name]>(name, { data })
      if (jobs.length > 0) await boss.deleteJob(name, idsOf(jobs))
      return jobs.filter(({ completedOn }) => !completedOn).map((job) => job.data)
    },
    async work<Name extends keyof Jobs>(
      name: Name,
      options: WorkOptions | number,
      handler: (data: Jobs[Name], signal: AbortSignal, release: () => void) => Promise<unknown>,
    ) {
      const handle = async (job: JobWithMetadata<object>, taken: AbortSignal, release: () => void) => {
        const signal = AbortSignal.any([taken, stopping.signal])
        signal.throwIfAborted()
        try {
          const data = job.data as Jobs[Name] & { trace?: TraceCarrier }
          const work = () => inSpan(`job ${name}`, {}, () => handler(data, signal, release))
          return await track(inTraceOf(data.trace, work))
        } catch (error) {
          const { retryLimit, countsAttempts = false } = queues[name]
          if (signal.aborted && !countsAttempts) throw error
          const last = job.retryCount >= retryLimit && !countsAttempts
          const message = last ? 'a job failed and is given up' : 'a job failed and will be tried again'
          log.warn({ queue: name, job: job.id, attempt: job.retryCount + 1, err: error }, message)
          if (!countsAttempts) throw error
          return undefined
        }
      }
      const dispatcher = startDispatcher(boss, log, {
        name,
        options: queues[name],
        lookEvery: seconds.look * 1000,
        handle,
        onGivenBack: () => wake(name),
        work: typeof options === 'number' ? { concurrency: options } : options,
      })
      dispatchers.set(name, dispatcher)
    },
    every,
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
      // First stop taking jobs, then return the running ones to the queue.
      for (const dispatcher of dispatchers.values()) dispatcher.stop()
      stopping.abort(new Error('the process is stopping'))
      const deadline = new Promise((resolve) => setTimeout(resolve, stopMilliseconds).unref())
      const ended = [...dispatchers.values()].map((dispatcher) => dispatcher.ended())
      await Promise.race([Promise.allSettled([...running, ...ended]), deadline])
      await boss.stop({ graceful: true, timeout: stopMilliseconds })
      await fleet?.close()
    },
  }
}

/** Only one process has the embedded database, so jobs marked as running belong to a dead one. */
async function requeueOrphans(boss: PgBoss, names: string[]) {
  for (const name of names) {
    const orphans = (await boss.findJobs(name)).filter(({ state }) => state === 'active')
    if (orphans.length > 0) await boss.fail(name, idsOf(orphans), { message: 'the process died' })
  }
}

const idsOf = (jobs: { id: string }[]) => jobs.map(({ id }) => id)

function bossOptions(data: object, { singletonKey, priority, owner }: SendOptions = {}) {
  return {
    singletonKey: singletonKey ?? Object.values(data).join(':'),
    ...(priority && { priority }),
    ...(owner && { group: { id: owner } }),
  }
}

const connectionOf = (link: DatabaseLink): { db: BossDatabase; backend?: 'pglite' } =>
  'pglite' in link ? { db: embeddedBoss(link.pglite), backend: 'pglite' } : { db: pooledBoss(link.pool) }

/** A failed block destroys its connection, which would still be inside the transaction. */
function pooledBoss(pool: pg.Pool): BossDatabase {
  return {
    async executeSql(text, values) {
      if (values?.length) return await pool.query(text, values)
      const client = await pool.connect()
      try {
        const result = await client.query(text)
        client.release()
        return result
      } catch (error) {
        client.release(true)
        throw error
      }
    },
  }
}

/** Database interface of pg-boss instead of its own connection pool. */
type BossDatabase = NonNullable<ConstructorOptions['db']>

/**
 * Adapts PGlite to pg-boss. Its own `fromPglite` lets a waiting query in between a failed `BEGIN …
 * COMMIT` block and the rollback; here the block holds the connection.
 */
function embeddedBoss(pglite: PGlite): BossDatabase {
  return {
    async executeSql(text, values) {
      if (values?.length) return pglite.query(text, values)
      const results = /^\s*begin\b/i.test(text)
        ? await pglite.transaction((transaction) => transaction.exec(text))
        : await pglite.exec(text)
      return { rows: results.flatMap((result) => result.rows) }
    },
  }
}
