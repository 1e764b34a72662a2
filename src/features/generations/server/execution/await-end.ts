import { eq } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation } from '../history/views.ts'
import { generations } from '../table.ts'

const maxWaitSeconds = 60
/** Catches an end whose notification was lost with its connection. */
const pollMilliseconds = 2000

/** Seconds of `Prefer: wait=<seconds>` (RFC 7240), at most a minute; undefined without it. */
export function preferredWait(header: string | undefined): number | undefined {
  const seconds = /(?:^|[,;\s])wait=(\d{1,6})(?:$|[,;\s])/i.exec(header ?? '')?.[1]
  return seconds === undefined ? undefined : Math.min(maxWaitSeconds, Number(seconds))
}

const isOpen = ({ status }: Generation) => openStatuses.some((open) => open === status)

/** Returns the generation once it has ended, else as it is after so many seconds. */
export async function awaitEnd(
  { db, notifier }: Pick<Deps, 'db' | 'notifier'>,
  generation: Generation,
  seconds: number,
  signal: AbortSignal,
): Promise<Generation> {
  const { id } = generation
  let latest = generation
  const { promise, resolve } = Promise.withResolvers<void>()
  const read = async () => {
    const [row] = await db.select().from(generations).where(eq(generations.id, id))
    if (row) latest = row
    if (!row || !isOpen(row)) resolve()
  }
  const readLatest = () => void read().catch(() => {})
  const leave = notifier.subscribe((notification) => {
    if (notification.kind === 'generation' && notification.generationId === id) readLatest()
  })
  const polling = setInterval(readLatest, pollMilliseconds)
  const timer = setTimeout(resolve, seconds * 1000)
  signal.addEventListener('abort', () => resolve(), { once: true })
  try {
    await read()
    await promise
    return latest
  } finally {
    leave()
    clearInterval(polling)
    clearTimeout(timer)
  }
}
