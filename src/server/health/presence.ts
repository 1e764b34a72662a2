import { and, eq, gt, lt, ne } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { addTime } from '#shared/time.ts'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-values.ts'
import type { Deps } from '../deps.ts'
import { version } from '../version.ts'
import { processes } from './table.ts'

const beatMilliseconds = 15_000
/** A process without a heartbeat for this long counts as gone. */
const goneSeconds = 60

type Tools = Pick<Deps, 'db' | 'clock' | 'log'> & {
  config: Pick<Config, 'role' | 'publicUrl' | 'engineThreads'>
}

/**
 * Throws a ConfigError if a running process has another PUBLIC_URL, which would put wrong links
 * into mails.
 */
export async function announceProcess({ db, clock, log, config }: Tools): Promise<{ stop(): Promise<void> }> {
  const { role, publicUrl, engineThreads } = config
  const id = uuid()
  const ago = () => addTime(clock(), { seconds: -goneSeconds })
  const [other] = await db
    .select({ role: processes.role, publicUrl: processes.publicUrl })
    .from(processes)
    .where(and(gt(processes.seenAt, ago()), ne(processes.publicUrl, publicUrl.origin)))
    .limit(1)
  if (other && role !== 'all') {
    throw new ConfigError(
      `PUBLIC_URL is ${publicUrl.origin} here and ${other.publicUrl} at the ${other.role} that runs; give all the same one`,
    )
  }
  const beat = async () => {
    const seenAt = clock()
    const row = { id, role, publicUrl: publicUrl.origin, version, engineThreads, startedAt: seenAt, seenAt }
    await db.insert(processes).values(row).onConflictDoUpdate({ target: processes.id, set: { seenAt } })
  }
  await db.delete(processes).where(lt(processes.seenAt, ago()))
  await beat()
  const timer = setInterval(() => {
    beat().catch((error: unknown) => log.error({ err: error }, 'could not record this process as running'))
  }, beatMilliseconds).unref()
  return {
    async stop() {
      clearInterval(timer)
      await db
        .delete(processes)
        .where(eq(processes.id, id))
        .catch(() => {})
    },
  }
}

export async function countWorkers({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return await db.$count(processes, and(ne(processes.role, 'web'), heardOf(clock())))
}

export async function countProcesses({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return await db.$count(processes, heardOf(clock()))
}

const heardOf = (now: Date) => gt(processes.seenAt, addTime(now, { seconds: -goneSeconds }))
