import { and, asc, eq, inArray, notInArray } from 'drizzle-orm'
import type { TaskName } from '#engine/task-work.ts'
import { local } from '#providers/provider.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { reasonOf } from '#server/log.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation, GenerationFile } from '../history/views.ts'
import { generationFiles, generations, type ProviderJobState, providerJobs } from '../table.ts'

export type ProviderJob = typeof providerJobs.$inferSelect

type JobDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/** What was asked for a generation, in the order in which it was asked. */
export function jobsOf(db: Executor, generationId: string): Promise<ProviderJob[]> {
  return db
    .select()
    .from(providerJobs)
    .where(eq(providerJobs.generationId, generationId))
    .orderBy(asc(providerJobs.createdAt), asc(providerJobs.id))
}

/** What a job is before anybody hears of it. */
export type WantedJob = { generationId: string; place: string; task: TaskName; provider: string }

/** Writes down what is going to be asked for; what the engine does itself is done with that. */
export async function addJobs({ db, clock }: JobDeps, wanted: readonly WantedJob[]): Promise<void> {
  if (wanted.length === 0) return
  const now = clock()
  const rows = wanted.map((job): typeof providerJobs.$inferInsert => {
    const end = job.provider === local ? ({ state: 'done', endedAt: now } as const) : ({ state: 'wanted' } as const)
    return { ...job, ...end, id: crypto.randomUUID(), createdAt: now }
  })
  await db.insert(providerJobs).values(rows)
}

/** Takes a job from one state to the next; throws where another attempt was faster. */
export async function moveJob(
  db: Executor,
  { id, state }: Pick<ProviderJob, 'id' | 'state'>,
  change: Partial<ProviderJob> & { state: ProviderJobState },
): Promise<ProviderJob> {
  const [moved] = await db
    .update(providerJobs)
    .set(change)
    .where(and(eq(providerJobs.id, id), eq(providerJobs.state, state)))
    .returning()
  if (!moved) throw new Error('another attempt has begun')
  return moved
}

/** Gives a job up; admins see why. */
export async function failJob(
  { db, clock, log }: JobDeps,
  job: ProviderJob,
  failure: unknown,
  cost?: number,
): Promise<ProviderJob> {
  const error = (typeof failure === 'string' ? failure : reasonOf(failure)).slice(0, 500)
  const { generationId, provider, task } = job
  log.warn({ generationId, provider, task, reason: error }, 'a provider failed')
  return moveJob(db, job, { state: 'failed', error, cost: cost ?? job.cost, endedAt: clock() })
}

/** The files of what others did. */
export function taskFiles(db: Executor, generationId: string): Promise<GenerationFile[]> {
  return db
    .select()
    .from(generationFiles)
    .where(and(eq(generationFiles.generationId, generationId), eq(generationFiles.role, 'task')))
    .orderBy(asc(generationFiles.label))
}

/** Who did the work of a generation. */
export interface Doers {
  provider: string
  fallbackFrom: string | null
}

/** As it stands on the result: all others that had a part in it, and who had to be replaced. */
export async function doersOf(db: Executor, generationId: string): Promise<Doers> {
  const jobs = (await jobsOf(db, generationId)).filter(({ task }) => task !== 'safety')
  const others = jobs.filter(({ state, provider }) => state === 'done' && provider !== local)
  const names = [...new Set(others.map(({ provider }) => provider))]
  const failed = jobs.find(({ state }) => state === 'failed')
  return { provider: names.join(', ') || local, fallbackFrom: failed?.provider ?? null }
}

/** Ends what is under way for generations that nobody waits for any more. */
export async function cancelUnwantedJobs(deps: JobDeps & Pick<Deps, 'providers'>): Promise<void> {
  const { db, clock, log, providers } = deps
  const unwanted = await db
    .select({ job: providerJobs })
    .from(providerJobs)
    .innerJoin(generations, eq(generations.id, providerJobs.generationId))
    .where(
      and(
        inArray(providerJobs.state, ['wanted', 'asked', 'waiting']),
        notInArray(generations.status, [...openStatuses]),
      ),
    )
    .limit(100)
  for (const { job } of unwanted) {
    const provider = providers.find(({ id }) => id === job.provider)
    if (job.externalId) {
      await provider?.cancel(job.externalId, job.task).catch((error: unknown) => {
        log.warn({ provider: job.provider, reason: reasonOf(error) }, 'a job could not be cancelled')
      })
    }
    await moveJob(db, job, { state: 'cancelled', endedAt: clock() }).catch(() => {})
  }
}

/** Forgets what failed for a generation that is to run again. */
export async function forgetFailures(db: Executor, { id }: Pick<Generation, 'id'>): Promise<void> {
  await db.delete(providerJobs).where(and(eq(providerJobs.generationId, id), notInArray(providerJobs.state, ['done'])))
}
