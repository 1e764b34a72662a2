import { and, asc, eq, inArray, isNotNull, isNull, lt, notInArray, or } from 'drizzle-orm'
import { bodyLimit } from 'hono/body-limit'
import { validate as isUuid } from 'uuid'
import type { TaskName } from '#engine/task-types.ts'
import { engineProviderId, type JobChange, type Provider } from '#providers/provider.ts'
import type { Executor } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { reasonOf } from '#server/log.ts'
import { addTime } from '#shared/time.ts'
import { openStatuses } from '../../rules.ts'
import { wakeGeneration } from '../execution/resend-jobs.ts'
import type { Generation, GenerationFile } from '../history/views.ts'
import { generationFiles, generations, type ProviderJobState, providerJobs } from '../table.ts'

export type ProviderJob = typeof providerJobs.$inferSelect

type JobDeps = Pick<Deps, 'db' | 'clock' | 'log'>

/** The provider may be working on the job. */
export const isUnderWay = ({ state }: ProviderJob) => state === 'asked' || state === 'waiting'

export function jobsOf(db: Executor, generationId: string): Promise<ProviderJob[]> {
  return db
    .select()
    .from(providerJobs)
    .where(eq(providerJobs.generationId, generationId))
    .orderBy(asc(providerJobs.createdAt), asc(providerJobs.id))
}

export type WantedJob = { generationId: string | null; taskKey: string; task: TaskName; provider: string }

/** Writes jobs before they are sent; jobs of the engine itself end at once. */
export async function addJobs({ db, clock }: JobDeps, wanted: readonly WantedJob[]): Promise<ProviderJob[]> {
  if (wanted.length === 0) return []
  const now = clock()
  const rows = wanted.map((job): typeof providerJobs.$inferInsert => {
    const end =
      job.provider === engineProviderId ? ({ state: 'done', endedAt: now } as const) : ({ state: 'wanted' } as const)
    return { ...job, ...end, id: crypto.randomUUID(), createdAt: now }
  })
  return db.insert(providerJobs).values(rows).returning()
}

/** Throws if another attempt has moved the job first. */
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

export function failJob(deps: JobDeps, job: ProviderJob, failure: unknown, cost?: number): Promise<ProviderJob> {
  return endWithoutResult(deps, job, failure, { state: 'failed', cost })
}

/** No other provider may get content that the safety rules refuse. */
export function refuseJob(deps: JobDeps, job: ProviderJob, failure: unknown, cost?: number): Promise<ProviderJob> {
  return endWithoutResult(deps, job, failure, { state: 'refused', cost })
}

async function endWithoutResult(
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

export function taskFiles(db: Executor, generationId: string): Promise<GenerationFile[]> {
  return db
    .select()
    .from(generationFiles)
    .where(and(eq(generationFiles.generationId, generationId), eq(generationFiles.role, 'task')))
    .orderBy(asc(generationFiles.label))
}

export interface ProvidersUsed {
  provider: string
  fallbackFrom: string | null
}

/**
 * Returns all providers whose results were used, and the first that failed or whose result was not
 * used; `rejected` are the tool's names of such tasks.
 */
export async function providersUsed(
  db: Executor,
  generationId: string,
  rejected: readonly string[],
): Promise<ProvidersUsed> {
  const jobs = (await jobsOf(db, generationId)).filter(({ task }) => task !== 'safety')
  const others = jobs.filter(({ state, provider }) => state === 'done' && provider !== engineProviderId)
  const isRejected = ({ taskKey }: ProviderJob) => rejected.includes(taskKey.split('/')[0] as string)
  const names = [...new Set(others.filter((job) => !isRejected(job)).map(({ provider }) => provider))]
  const failed = jobs.find(({ state }) => state === 'failed') ?? others.find(isRejected)
  return { provider: names.join(', ') || engineProviderId, fallbackFrom: failed?.provider ?? null }
}

/** No request of an admin's test waits for an older job. */
const testTimeoutMinutes = 10

/** Jobs ended by this process: a cancellation and the periodic search may find the same job. */
const ending = new Set<string>()

/** Cancels jobs of ended generations and expired tests; all, or those of one generation. */
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
          and(
            isNull(providerJobs.generationId),
            lt(providerJobs.createdAt, addTime(clock(), { minutes: -testTimeoutMinutes })),
          ),
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
  if (unwanted.some(({ job }) => job.slot)) await wakeNextWaiting(deps)
}

type WakeDeps = JobDeps & Pick<Deps, 'jobs'>

/** Wakes the generation that has waited longest for the freed slot. */
export async function wakeNextWaiting(deps: WakeDeps): Promise<void> {
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
  if (next) await wakeGeneration(deps, next.id)
}

/**
 * Resumes the generation, which polls the provider. A late, repeated or unknown notification
 * changes nothing; a job that was given up is cancelled.
 */
export async function handleJobNotification(
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
    if (job.generationId) await wakeGeneration(deps, job.generationId)
  } else if (!job.externalId) {
    // The response with the id was lost.
    await db.update(providerJobs).set({ externalId }).where(eq(providerJobs.id, job.id))
    await provider.cancel({ ...job, externalId })
  }
}

export async function deleteFailedJobs(db: Executor, { id }: Pick<Generation, 'id'>): Promise<void> {
  await db.delete(providerJobs).where(and(eq(providerJobs.generationId, id), notInArray(providerJobs.state, ['done'])))
}

export const taskKeysOf = (jobs: readonly ProviderJob[]) => [...new Set(jobs.map(({ taskKey }) => taskKey))]

/** 0 to 1. */
export function progressOf(jobs: readonly ProviderJob[]): number {
  const countedJobs = jobs.filter(({ provider, state }) => provider !== engineProviderId && state !== 'failed')
  const places = taskKeysOf(countedJobs)
  const far = places.map((wanted) =>
    Math.max(...countedJobs.filter(({ taskKey }) => taskKey === wanted).map(({ progress }) => progress)),
  )
  return far.reduce((sum, share) => sum + share, 0) / Math.max(1, far.length)
}

/** A webhook contains the provider's whole job, with pictures as addresses. */
export const webhookLimit = bodyLimit({
  maxSize: 1_000_000,
  onError: () => {
    throw appError('upload.too_large')
  },
})

/**
 * Only the signature is trusted: the generation then polls the service itself. A forged or outdated
 * webhook changes nothing.
 */
export async function takeWebhook(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'jobs' | 'providers'>,
  { provider, reference, headers, body }: { provider: string; reference: string; headers: Headers; body: Uint8Array },
): Promise<void> {
  const known = deps.providers.find(({ id }) => id === provider)
  if (!known?.readWebhook) throw appError('request.not_found')
  const change = await known.readWebhook({ headers, body }).catch(() => undefined)
  if (!change || !isUuid(reference)) throw appError('auth.forbidden')
  await handleJobNotification(deps, known, { ...change, reference })
}
