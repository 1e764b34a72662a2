import type { JobWithMetadata, PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { type DatabaseLink, keepListening } from '../db/keep-listening.ts'
import { reasonOf } from '../log.ts'
import type { QueueOptions, WorkOptions } from './queue.ts'

/** Milliseconds between heartbeats of running jobs. */
const touchMilliseconds = 3000
/** Milliseconds of a pause after a failed job. */
const failurePauseMilliseconds = 500
/** Milliseconds of a pause when the process cannot work at all. */
const unreadyMilliseconds = 5000

interface Running {
  id: string
  retryCount: number
  /** Aborted when another process may have the job. */
  claim: AbortController
}

/** Takes jobs up to the concurrency limit, in one query. */
export interface Dispatcher {
  look(): void
  stop(): void
  ended(): Promise<unknown>
}

interface Queue {
  name: string
  options: QueueOptions
  work: WorkOptions
  /** Milliseconds between polls without a notification. */
  lookEvery: number
  /** Other processes may take a job at once. */
  onGivenBack(): Promise<void>
  /** Rejects when the job must be retried. */
  handle(job: JobWithMetadata<object>, signal: AbortSignal, release: () => void): Promise<unknown>
}

export function startDispatcher(
  boss: PgBoss,
  log: Logger,
  { name, options, work: { concurrency, perOwner, ready }, lookEvery, onGivenBack, handle }: Queue,
): Dispatcher {
  const running = new Map<Running, Promise<void>>()
  const released = new Set<Running>()
  const free = () => concurrency - running.size + Math.min(released.size, concurrency)
  let looking: Promise<void> | undefined
  let again = false
  let stopped = false
  let resting: NodeJS.Timeout | undefined

  const isReady = async (): Promise<boolean> => {
    try {
      await ready?.()
      return true
    } catch (error) {
      if (!resting) log.warn({ err: error, queue: name }, 'not taking jobs of this queue for now')
      resting ??= setTimeout(() => {
        resting = undefined
        look()
      }, unreadyMilliseconds).unref()
      return false
    }
  }
  const fetch = async (): Promise<void> => {
    do {
      again = false
      if (free() <= 0 || stopped) return
      if (!(await isReady())) return
      const limits = {
        batchSize: free(),
        includeMetadata: true as const,
        ...(perOwner && { groupConcurrency: perOwner }),
      }
      for (const job of await boss.fetch<object>(name, limits)) start(job)
    } while (again)
  }
  const look = (): void => {
    again = true
    looking ??= fetch()
      .catch((error: unknown) => log.error({ err: error, queue: name }, 'job queue'))
      .finally(() => {
        looking = undefined
        if (again && !stopped && free() > 0) look()
      })
  }
  const start = (job: JobWithMetadata<object>): void => {
    const { id, retryCount } = job
    const own: Running = { id, retryCount, claim: new AbortController() }
    running.set(
      own,
      perform(job, own)
        .catch((error: unknown) => log.error({ err: error, queue: name, job: id }, 'job queue'))
        .finally(() => {
          running.delete(own)
          released.delete(own)
          look()
        }),
    )
  }
  const perform = async (job: JobWithMetadata<object>, own: Running): Promise<void> => {
    const { id, retryCount, claim } = own
    const signal = AbortSignal.any([claim.signal, AbortSignal.timeout(options.expireInSeconds * 1000)])
    try {
      const output = await handle(job, signal, () => {
        released.add(own)
        look()
      })
      await boss.complete(name, { id, retryCount }, output as object | undefined)
    } catch (error) {
      await boss.fail(name, { id, retryCount }, { message: reasonOf(error) })
      if (stopped) return await onGivenBack()
      const delay = (options.retryDelay ?? 0) * (options.retryBackoff ? 2 ** retryCount : 1)
      setTimeout(look, Math.min(delay, options.retryDelayMax ?? delay) * 1000 + failurePauseMilliseconds).unref()
    }
  }
  const touch = async (): Promise<void> => {
    const held = [...running.keys()]
    if (held.length === 0) return
    const { settled } = (await boss.touch(name, held)) as { settled?: string[] }
    for (const { id, claim } of held) {
      if (settled && !settled.includes(id)) claim.abort(new Error('the job is no longer assigned to this process'))
    }
  }

  const timers = [
    setInterval(look, lookEvery * (0.8 + Math.random() * 0.4)).unref(),
    // A failed heartbeat is repeated; if it keeps failing, the job is taken away.
    setInterval(() => void touch().catch(() => {}), touchMilliseconds).unref(),
  ]
  look()
  return {
    look,
    stop() {
      stopped = true
      clearInterval(timers[0])
    },
    async ended() {
      await looking
      await Promise.allSettled(running.values())
      clearInterval(timers[1])
    },
  }
}

/** Advisory lock of the leader; an arbitrary unused number. */
const leaderLock = 7_282_032

interface Fleet {
  /**
   * Signal for repeated tasks of the leader, aborted when it loses the lead; undefined elsewhere.
   */
  leading(): AbortSignal | undefined
  close(): Promise<void>
}

interface FleetListener {
  /** Channel whose notifications name a queue with a waiting job. */
  channel: string
  onNotify(queue: string): void
  /** Notifications may have been missed. */
  onConnected(): void
  onLeading(): void
}

/**
 * Listens on one direct connection, and holds the leader's advisory lock in one process. The
 * embedded database has a single process, which leads.
 */
export async function joinFleet(link: DatabaseLink, log: Logger, listener: FleetListener): Promise<Fleet> {
  if ('pglite' in link) {
    const unlisten = await link.pglite.listen(listener.channel, listener.onNotify)
    const lead = new AbortController()
    return { leading: () => lead.signal, close: () => unlisten() }
  }
  let lead: AbortController | undefined
  let closed = false
  const connection = await keepListening(link.directUrl ?? link.url, log, {
    ...listener,
    onLost() {
      lead?.abort(new Error('another process may be the leader now'))
      lead = undefined
    },
    async beat(client) {
      // Querying its own lock proves that the leader is still connected.
      const asked = lead ? 'select true as mine' : 'select pg_try_advisory_lock($1) as mine'
      const { rows } = await client.query<{ mine: boolean }>(asked, lead ? [] : [leaderLock])
      if (lead || closed || !rows[0]?.mine) return
      lead = new AbortController()
      listener.onLeading()
    },
  })
  return {
    leading: () => lead?.signal,
    close() {
      closed = true
      return connection.close()
    },
  }
}
