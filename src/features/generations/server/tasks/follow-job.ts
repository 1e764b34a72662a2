import { eq } from 'drizzle-orm'
import { EngineError } from '#engine/error.ts'
import { resultSize } from '#providers/normalize-result.ts'
import {
  ContentRefused,
  type JobReport,
  NotSent,
  type Provider,
  Refused,
  ResultUnavailable,
  type SubmittedTask,
} from '#providers/provider.ts'
import { isDatabaseOutage } from '#server/db/errors.ts'
import { transact } from '#server/db/transact.ts'
import { reasonOf } from '#server/log.ts'
import { addTime } from '#shared/time.ts'
import type { EngineOutput, PreparedTask } from '#tools/threads/task.ts'
import type { ExecutionDeps, Options } from '../execution/engine-job.ts'
import { insertFiles, storeOutputs } from '../files/stored-files.ts'
import type { Generation } from '../history/views.ts'
import { providerJobs } from '../table.ts'
import { failJob, isUnderWay, jobsOf, moveJob, type ProviderJob, refuseJob } from './provider-jobs.ts'
import { BudgetExhausted, takeSlot } from './provider-slots.ts'
import { refuseUnsafe } from './refuse-unsafe.ts'

/** Only a certainly lost job is sent again. */
const maxSent = 3
const slotWaitSeconds = 1800

export const hasExceededSlotWait = ({ createdAt }: ProviderJob, now: Date) => ageOf(createdAt, now) > slotWaitSeconds
/** True until the time that a busy provider named. */
export const isBeforeRetryTime = ({ state, sentAt }: ProviderJob, now: Date) =>
  state === 'wanted' && ageOf(sentAt, now) < 0
export const ageOf = (moment: Date | null, now: Date) => (now.getTime() - (moment?.getTime() ?? 0)) / 1000

/** A job that is still `wanted` waits for a slot. */
export async function submitJob(
  deps: ExecutionDeps,
  job: ProviderJob,
  { files, data }: PreparedTask,
  signal: AbortSignal,
): Promise<ProviderJob> {
  const { db, clock, providers } = deps
  const { task } = job
  const provider = providers.find(({ id }) => id === job.provider)
  if (!provider) return failJob(deps, job, 'the provider is gone')
  if (isBeforeRetryTime(job, clock())) return job
  const sending = { state: 'asked', sent: job.sent + 1, sentAt: clock(), ...resultSize({ task, files, data }) } as const
  let asked: ProviderJob | undefined
  try {
    asked = await takeSlot(deps, provider, job, { ...sending, reference: crypto.randomUUID() })
  } catch (error) {
    if (error instanceof BudgetExhausted) return failJob(deps, job, error)
    throw error
  }
  if (!asked) return hasExceededSlotWait(job, clock()) ? failJob(deps, job, 'no slot became free') : job
  let externalId: string | undefined
  try {
    const { reference, slot, smaller } = asked
    externalId = await provider.submit({ task, reference, slot, smaller, files, data }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ContentRefused) return refuseJob(deps, asked, error, 0)
    if (error instanceof Refused) return failJob(deps, asked, error, 0)
    // The provider may have received the request in spite of the error.
    externalId = await provider.find?.(asked).catch(() => undefined)
    if (!externalId && error instanceof NotSent) {
      const { after } = error
      if (after === undefined) return sendAgain(deps, asked, { reason: reasonOf(error) })
      if (hasExceededSlotWait(job, clock())) return failJob(deps, asked, error, 0)
      // The provider was busy and named a time to try again.
      return moveJob(db, asked, {
        state: 'wanted',
        sent: job.sent,
        cost: null,
        sentAt: addTime(clock(), { seconds: after }),
      })
    }
    if (!externalId) return provider.answerWait ? asked : failJob(deps, asked, error)
  }
  try {
    return await moveJob(db, asked, { state: 'waiting', externalId })
  } catch (error) {
    const [now] = await db.select().from(providerJobs).where(eq(providerJobs.id, job.id))
    if (now?.externalId === externalId) return now
    // Another attempt has given up the job meanwhile.
    await provider.cancel({ ...asked, externalId }).catch(() => {})
    throw error
  }
}

/** Polls a job; `again` is set while it runs. */
export async function followJob(
  deps: ExecutionDeps,
  generation: Generation,
  job: ProviderJob,
  { signal, onProgress }: Options,
): Promise<{ job: ProviderJob; again: number } | { job: ProviderJob }> {
  const { db, clock, providers } = deps
  const provider = providers.find(({ id }) => id === job.provider)
  if (!provider) return { job: await failJob(deps, job, 'the provider is gone') }
  try {
    const waiting = job.state === 'asked' ? await findJob(deps, provider, job) : job
    if (waiting.state === 'asked') return { job: waiting, again: unreachableWaitSeconds }
    if (waiting.state !== 'waiting') return { job: waiting }
    const asked: SubmittedTask = { ...waiting, externalId: waiting.externalId ?? '' }
    const report = await provider.poll(asked, signal, (share) => onProgress?.('detecting', share))
    if (report.state === 'running') {
      if (ageOf(waiting.sentAt, clock()) > provider.timeLimit) {
        await provider.cancel(asked).catch(() => {})
        return { job: await failJob(deps, waiting, `not done after ${provider.timeLimit} s`) }
      }
      const { progress = waiting.progress, pollAfterSeconds } = report
      return { job: await moveJob(db, waiting, { state: 'waiting', progress }), again: pollAfterSeconds }
    }
    const ended = await endJob(deps, generation, waiting, report)
    if (ended.state === 'done') await provider.forget?.(asked).catch(() => {})
    return { job: ended }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof EngineError) throw error
    const [now = job] = (await jobsOf(db, generation.id)).filter(({ id }) => id === job.id)
    if (!isUnderWay(now)) return { job: now }
    if (error instanceof ResultUnavailable) return downloadAgain(deps, provider, now, error)
    // An unreachable provider may have finished the job, so it is polled until its time limit.
    if (ageOf(now.sentAt, clock()) > provider.timeLimit) return { job: await failJob(deps, now, error) }
    deps.log.warn({ provider: provider.id, task: job.task, reason: reasonOf(error) }, 'a provider does not respond')
    return { job: now, again: unreachableWaitSeconds }
  }
}

const unreachableWaitSeconds = 10
/** Seconds after the first and second failed download; the third failure is final. */
const downloadWaits = [10, 30]

/**
 * Retries a download. After the last failure another slot or the next provider does the task, so
 * that the job's slot becomes free.
 */
async function downloadAgain(
  deps: ExecutionDeps,
  provider: Provider,
  job: ProviderJob,
  error: ResultUnavailable,
): Promise<{ job: ProviderJob; again: number } | { job: ProviderJob }> {
  const again = downloadWaits[job.failedDownloads]
  if (again !== undefined) {
    deps.log.warn({ provider: provider.id, task: job.task, reason: reasonOf(error) }, 'could not download a result')
    const failedDownloads = job.failedDownloads + 1
    return { job: await moveJob(deps.db, job, { state: 'waiting', failedDownloads }), again }
  }
  // Repeating is free on the operator's own slots.
  const mayMove = !provider.budget && (await provider.slots?.())?.some((slot) => slot !== job.slot)
  if (!mayMove) return { job: await failJob(deps, job, error) }
  return { job: await sendAgain(deps, job, { reason: 'result not downloaded', avoided: job.slot }) }
}

/** Looks for a job whose id was lost. A job that might be charged twice is not sent again. */
async function findJob(deps: ExecutionDeps, provider: Provider, job: ProviderJob): Promise<ProviderJob> {
  if (!provider.find) {
    const mayCome = ageOf(job.sentAt, deps.clock()) < (provider.answerWait ?? 0)
    return mayCome ? job : failJob(deps, job, 'its answer was lost')
  }
  const externalId = await provider.find(job)
  if (externalId) return moveJob(deps.db, job, { state: 'waiting', externalId })
  return sendAgain(deps, job)
}

function sendAgain(
  deps: ExecutionDeps,
  job: ProviderJob,
  {
    tooLarge = false,
    reason = 'lost',
    avoided = null,
  }: { tooLarge?: boolean | undefined; reason?: string; avoided?: string | null } = {},
): Promise<ProviderJob> {
  if (tooLarge && job.smaller) return failJob(deps, job, 'too large for its memory, also when smaller', 0)
  if (job.sent >= maxSent) return failJob(deps, job, `${reason} ${job.sent} times`, 0)
  return moveJob(deps.db, job, {
    state: 'wanted',
    externalId: null,
    slot: avoided,
    cost: null,
    failedDownloads: 0,
    smaller: job.smaller || tooLarge,
  })
}

/** Stores the result and ends the job in one transaction. */
async function endJob(
  deps: ExecutionDeps,
  generation: Generation,
  job: ProviderJob,
  report: Exclude<JobReport, { state: 'running' }>,
): Promise<ProviderJob> {
  if (report.state === 'lost') return sendAgain(deps, job, report)
  if (report.state === 'refused') return refuseJob(deps, job, report.reason, report.cost)
  if (report.state === 'failed') return failJob(deps, job, report.reason, report.cost)
  refuseUnsafe(job.task, report.result)
  const { db, store, clock } = deps
  const now = clock()
  const outputs = outputsOf(job.taskKey, report.result).map((file, position) => {
    return { role: 'task' as const, name: `${file.label.replaceAll('/', '-')}.${file.extension}`, position, file }
  })
  const files = await storeOutputs(deps, generation.id, outputs, now)
  try {
    return await transact(db, async (tx) => {
      const ended = { state: 'done', cost: report.cost ?? null, progress: 1, endedAt: now } as const
      const done = await moveJob(tx, job, ended)
      await insertFiles(tx, generation.userId, files, now)
      return done
    })
  } catch (error) {
    // After a lost commit response the generation may have the files; otherwise the sweep deletes
    // them.
    if (!isDatabaseOutage(error)) await store.delete(files.map(({ storageKey }) => storageKey)).catch(() => {})
    throw error
  }
}

export function outputsOf(
  taskKey: string,
  { files, data }: { files: readonly EngineOutput[]; data: object },
): EngineOutput[] {
  const pictures = files.map((file) => ({ ...file, label: `${taskKey}/${file.label}` }))
  if (Object.keys(data).length === 0) return pictures
  const bytes = new TextEncoder().encode(JSON.stringify(data))
  const rest = { label: `${taskKey}/`, contentType: 'application/json', extension: 'json', width: 0, height: 0, bytes }
  return [...pictures, rest]
}
