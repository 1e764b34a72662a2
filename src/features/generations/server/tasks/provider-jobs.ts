import { and, asc, eq, inArray, isNotNull, isNull, lt, notInArray, or } from 'drizzle-orm'
import type { TaskName } from '#engine/task-types.ts'
import { type JobChange, local, type Provider } from '#providers/provider.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { reasonOf } from '#server/log.ts'
import { openStatuses } from '../../rules.ts'
import type { Generation, GenerationFile } from '../history/views.ts'
import { wakeRun } from '../runs/resend-jobs.ts'
import { generationFiles, generations, type ProviderJobState, providerJobs } from '../table.ts'

export type ProviderJob = typeof providerJobs.$inferSelect

type JobDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/** Whether somebody may be at it. */
export const isUnderWay = ({ state }: ProviderJob) => state === 'asked' || state === 'waiting'

/** What was asked for a generation, in the order in which it was asked. */
export function jobsOf(db: Executor, generationId: string): Promise<ProviderJob[]> {
  return db
    .select()
    .from(providerJobs)
    .where(eq(providerJobs.generationId, generationId))
    .orderBy(asc(providerJobs.createdAt), asc(providerJobs.id))
}

/** What a job is before anybody hears of it. */
export type WantedJob = { generationId: string | null; place: string; task: TaskName; provider: string }

/** Writes down what is going to be asked for; what the engine does itself is done with that. */
export async function addJobs({ db, clock }: JobDeps, wanted: readonly WantedJob[]): Promise<ProviderJob[]> {
  if (wanted.length === 0) return []
  const now = clock()
  const rows = wanted.map((job): typeof providerJobs.$inferInsert => {
    const end = job.provider === local ? ({ state: 'done', endedAt: now } as const) : ({ state: 'wanted' } as const)
    return { ...job, ...end, id: crypto.randomUUID(), createdAt: now }
  })
  return db.insert(providerJobs).values(rows).returning()
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
export function failJob(deps: JobDeps, job: ProviderJob, failure: unknown, cost?: number): Promise<ProviderJob> {
  return endUndone(deps, job, failure, { state: 'failed', cost })
}

/** Ends a job whose content the provider's safety rules refuse; no other provider may be asked. */
export function refuseJob(deps: JobDeps, job: ProviderJob, failure: unknown, cost?: number): Promise<ProviderJob> {
  return endUndone(deps, job, failure, { state: 'refused', cost })
}

async function endUndone(
  { db, clock, log }: JobDeps,
  job: ProviderJob,
  failure: unknown,
  { state, cost }: { state: 'failed' | 'refused'; cost: number | undefined },
): Promise<ProviderJob> {
  const error = (typeof failure === 'string' ? failure : reasonOf(failure)).slice(0, 500)
  const { generationId, provider, task } = job
  log.warn({ generationId, provider, task, reason: error }, `a provider ${state}`)
  return moveJob(db, job, { state, error, cost: cost ?? job.cost, endedAt: clock() })
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

/** Milliseconds after which nobody can wait for what an admin tries any more. */
const trialLimit = 600_000

/** Jobs that this process is ending: a cancelled run's and those that are looked for may be one. */
const ending = new Set<string>()

/** Ends what is under way for generations that nobody waits for any more; all, or one of them. */
export async function cancelUnwantedJobs(
  deps: WakeDeps & Pick<Deps, 'providers'>,
  generationId?: string,
): Promise<void> {
  const { db, clock, log, providers } = deps
  const unwanted = await db
    .select({ job: providerJobs })
    .from(providerJobs)
    .leftJoin(generations, eq(generations.id, providerJobs.generationId))
    .where(
      and(
        generationId ? eq(generations.id, generationId) : undefined,
        inArray(providerJobs.state, ['wanted', 'asked', 'waiting']),
        or(
          notInArray(generations.status, [...openStatuses]),
          and(isNull(providerJobs.generationId), lt(providerJobs.createdAt, new Date(clock().getTime() - trialLimit))),
        ),
      ),
    )
    .limit(100)
  for (const { job } of unwanted) {
    if (ending.has(job.id)) continue
    ending.add(job.id)
    const provider = providers.find(({ id }) => id === job.provider)
    try {
      const externalId = job.externalId ?? (job.state === 'asked' ? await provider?.find?.(job) : undefined)
      if (externalId) await provider?.cancel({ ...job, externalId })
    } catch (error) {
      log.warn({ provider: job.provider, reason: reasonOf(error) }, 'could not cancel a provider job')
    }
    await moveJob(db, job, { state: 'cancelled', endedAt: clock() }).catch(() => {})
    ending.delete(job.id)
  }
  if (unwanted.some(({ job }) => job.seat)) await wakeNext(deps)
}

type WakeDeps = JobDeps & Pick<Deps, 'jobs'>

/** A place has become free: the run that has waited longest for one goes on. */
export async function wakeNext(deps: WakeDeps): Promise<void> {
  const [next] = await deps.db
    .select({ id: generations.id })
    .from(providerJobs)
    .innerJoin(generations, eq(generations.id, providerJobs.generationId))
    .where(
      and(
        eq(providerJobs.state, 'wanted'),
        isNotNull(generations.waitUntil),
        inArray(generations.status, [...openStatuses]),
      ),
    )
    .orderBy(asc(providerJobs.createdAt))
    .limit(1)
  if (next) await wakeRun(deps, next.id)
}

/**
 * Something has happened to a job: its run goes on and asks. What came too late, or twice, or for
 * nobody, changes nothing; a job that was given up meanwhile is cancelled.
 */
export async function jobChanged(
  deps: WakeDeps,
  provider: Provider,
  { externalId, reference }: JobChange,
): Promise<void> {
  const { db } = deps
  const named = reference
    ? or(eq(providerJobs.reference, reference), eq(providerJobs.externalId, externalId))
    : eq(providerJobs.externalId, externalId)
  const [job] = await db
    .select()
    .from(providerJobs)
    .where(and(eq(providerJobs.provider, provider.id), named))
  if (!job) return
  if (job.state === 'asked' && job.reference === reference) {
    await moveJob(db, job, { state: 'waiting', externalId }).catch(() => {})
  }
  if (isUnderWay(job)) {
    if (job.generationId) await wakeRun(deps, job.generationId)
  } else if (!job.externalId) {
    // Its answer was lost, and comes only now.
    await db.update(providerJobs).set({ externalId }).where(eq(providerJobs.id, job.id))
    await provider.cancel({ ...job, externalId })
  }
}

/** Forgets what failed for a generation that is to run again. */
export async function forgetFailures(db: Executor, { id }: Pick<Generation, 'id'>): Promise<void> {
  await db.delete(providerJobs).where(and(eq(providerJobs.generationId, id), notInArray(providerJobs.state, ['done'])))
}

export const placesOf = (jobs: readonly ProviderJob[]) => [...new Set(jobs.map(({ place }) => place))]

/** How far all that others do is, 0 to 1. */
export function progressOf(jobs: readonly ProviderJob[]): number {
  const theirs = jobs.filter(({ provider, state }) => provider !== local && state !== 'failed')
  const places = placesOf(theirs)
  const far = places.map((wanted) =>
    Math.max(...theirs.filter(({ place }) => place === wanted).map(({ progress }) => progress)),
  )
  return far.reduce((sum, share) => sum + share, 0) / Math.max(1, far.length)
}
