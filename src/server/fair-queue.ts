import { appError } from './http/app-error.ts'

/**
 * Limits concurrency, with owners' groups taking turns, so that many tasks of one owner delay
 * another's by only one.
 */
interface FairQueue {
  /** Rejects with `server.unavailable` when too many tasks wait, or this one waited too long. */
  run<Result>(owner: string, task: () => Promise<Result>): Promise<Result>
}

interface Options {
  concurrency: number
  waiting?: number
  waitingEach?: number
  /** Longest wait in seconds; after that the caller has gone or retries. */
  seconds?: number
  /** Owners of a group share its turns; by default each owner is a group. */
  groupOf?: (owner: string) => string
}

interface WaitingTask {
  owner: string
  group: string
  start(): void
  reject(error: unknown): void
}

export function createFairQueue({
  concurrency,
  waiting: limit = Number.POSITIVE_INFINITY,
  waitingEach = Number.POSITIVE_INFINITY,
  seconds,
  groupOf = (owner) => owner,
}: Options): FairQueue {
  let running = 0
  const waiting: WaitingTask[] = []
  /** Waiting groups that had a turn before, latest last. */
  const served = new Set<string>()

  function takeNext(): WaitingTask | undefined {
    for (const group of served) if (!waiting.some((entry) => entry.group === group)) served.delete(group)
    const [eldest] = served
    const fresh = waiting.findIndex(({ group }) => !served.has(group))
    const [taken] = waiting.splice(fresh >= 0 ? fresh : waiting.findIndex(({ group }) => group === eldest), 1)
    if (taken) markServed(taken.group)
    return taken
  }

  function markServed(group: string): void {
    served.delete(group)
    served.add(group)
  }

  /**
   * The last task of the largest group leaves a full queue, unless that is this owner's group.
   */
  function makeRoom(owner: string, group: string): void {
    if (waiting.filter((entry) => entry.owner === owner).length >= waitingEach) throw full()
    if (waiting.length < limit) return
    const counts = new Map<string, number>()
    for (const entry of waiting) counts.set(entry.group, (counts.get(entry.group) ?? 0) + 1)
    const [largest = '', most = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? []
    if (most <= (counts.get(group) ?? 0) + 1) throw full()
    const last = waiting.findLastIndex((entry) => entry.group === largest)
    waiting.splice(last, 1)[0]?.reject(full())
  }

  async function turnOf(owner: string, group: string): Promise<void> {
    const { promise, resolve: start, reject } = Promise.withResolvers<void>()
    const entry: WaitingTask = { owner, group, start, reject }
    waiting.push(entry)
    const giveUp = () => {
      waiting.splice(waiting.indexOf(entry), 1)
      reject(full())
    }
    const timer = seconds === undefined ? undefined : setTimeout(giveUp, seconds * 1000)
    await promise.finally(() => clearTimeout(timer))
  }

  return {
    async run(owner, task) {
      const group = groupOf(owner)
      if (running < concurrency) {
        running += 1
        markServed(group)
      } else {
        makeRoom(owner, group)
        await turnOf(owner, group)
      }
      try {
        return await task()
      } finally {
        const next = takeNext()
        if (next) next.start()
        else running -= 1
      }
    },
  }
}

const full = () => appError('server.unavailable', { retryAfter: 5 })
