import { eq } from 'drizzle-orm'
import { EngineError } from '#engine/error.ts'
import { type AskedTask, type JobReport, local, NotSent, type Provider, Refused } from '#providers/provider.ts'
import { resultSize } from '#providers/result-size.ts'
import { transact } from '#server/db/transact.ts'
import { reasonOf } from '#server/log.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { EngineOutput, PreparedTask } from '#tools/threads/task.ts'
import { insertFiles, storeOutputs } from '../files/stored-files.ts'
import type { Generation } from '../history/views.ts'
import { type EngineJob, type Options, prepareJob, type RunDeps } from '../runs/engine-job.ts'
import { providerJobs } from '../table.ts'
import {
  addJobs,
  failJob,
  isUnderWay,
  jobsOf,
  moveJob,
  type ProviderJob,
  type WantedJob,
  wakeNext,
} from './provider-jobs.ts'
import { providersFor } from './provider-order.ts'
import { refuseUnchecked, refuseUnsafe } from './refuse-unsafe.ts'
import { BudgetSpent, freeSeats, takeSeat } from './seats.ts'
import { usableProviders } from './usable-providers.ts'

/** A run whose providers are to be asked again after so many seconds. */
export interface Waiting {
  seconds: number
  /** 0 to 1. */
  progress: number
}

/** What is certainly lost is sent so often. */
const maxSent = 3
/** Seconds between two looks at a job whose provider names none. */
const leastWait = 2
/** Seconds between two looks for a free place; whoever leaves one tells the next. */
const seatWait = 10
/** Seconds that are waited for a free place. */
const seatPatience = 1800

/**
 * Has others do what they may do of a run, each task by the first of its list that can; undefined
 * when nothing is left to wait for, and the engine does the rest. Every state is written before the
 * outside world is asked, so this may be begun again at any time.
 */
export async function performTasks(
  deps: RunDeps,
  run: Generation,
  job: EngineJob,
  limits: Options,
): Promise<Waiting | undefined> {
  const { tool } = job
  const candidates = await usableProviders(deps, run.userId, await providersFor(deps, tool))
  const signal = limits.signal
  const before = await jobsOf(deps.db, run.id)
  if (before.length === 0 && [...candidates.values()].every((list) => list.length === 0)) return undefined

  /** Seconds after which each job that is waited for is looked at again. */
  const waits: number[] = []
  const follow = async (asked: ProviderJob) => {
    const followed = await followJob(deps, run, asked, limits)
    if ('again' in followed) waits.push(followed.again)
    if (asked.seat) await leave({ ...followed.job, seat: asked.seat })
    return followed.job
  }
  const waitOf = (job: ProviderJob) => {
    return isTooEarly(job, deps.clock()) ? -ageOf(job.sentAt, deps.clock()) : seatWait
  }
  /** Since it was chosen, its person or an admin has forbidden that pictures leave. */
  const isBarred = ({ provider: id, place }: ProviderJob) => {
    const provider = deps.providers.find((known) => known.id === id)
    return provider?.remote && !candidates.get(place.split('/')[0] as string)?.includes(provider)
  }
  const leave = async (job: ProviderJob) => {
    if (job.seat && !isUnderWay(job)) await wakeNext(deps)
  }
  const known: ProviderJob[] = []
  for (const asked of before) known.push(isUnderWay(asked) ? await follow(asked) : asked)

  const open = placesOf(known).filter((place) => isOpen(known, place))
  if (open.length > 0 && (await mustWait(deps, known, open))) {
    waits.push(Math.min(...known.map(waitOf)))
  } else if (known.length === 0 || open.length > 0) {
    const prepared = await prepareJob(deps, run.queue, job, limits)
    const wanted = wantedJobs(run, tool, prepared, known, candidates)
    await addJobs(deps, wanted)
    for (const request of safetyFirst(tool, prepared)) {
      await ask(request)
      // Whether the picture may be used at all is not known yet.
      if (waits.length > 0 && taskOf(tool, request) === 'safety') break
    }
  }
  if (waits.length === 0) return undefined
  return {
    seconds: Math.max(leastWait, Math.min(...waits)),
    progress: progressOf(await jobsOf(deps.db, run.id)),
  }

  /** Asks one after the other for a task until somebody does it, or is under way. */
  async function ask(request: PreparedTask): Promise<void> {
    for (;;) {
      const its = (await jobsOf(deps.db, run.id)).filter(({ place }) => place === request.place)
      const next = its.find(({ state }) => state === 'wanted')
      if (next && isBarred(next)) await failJob(deps, next, 'it may not be asked any more')
      else if (next) {
        const sent = await submitJob(deps, next, request, signal)
        if (sent.state === 'wanted') return void waits.push(waitOf(sent))
        if (isUnderWay(sent)) await follow(sent)
        else await leave(sent)
      } else if (its.some((one) => one.state === 'done' || isUnderWay(one))) return
      else {
        const job = nextJob(run, tool, request, its, candidates)
        if (job.provider === local) refuseUnchecked(job.task)
        await addJobs(deps, [job])
      }
    }
  }
}

const taskOf = ({ tasks }: AnyTool, { place }: Pick<PreparedTask, 'place'>) => tasks[place.split('/')[0] as string]
const safetyFirst = (tool: AnyTool, prepared: readonly PreparedTask[]) => {
  const isSafety = (request: PreparedTask) => taskOf(tool, request) === 'safety'
  return [...prepared.filter(isSafety), ...prepared.filter((request) => !isSafety(request))]
}

const placesOf = (jobs: readonly ProviderJob[]) => [...new Set(jobs.map(({ place }) => place))]

/** How far all that others do is, 0 to 1. */
function progressOf(jobs: readonly ProviderJob[]): number {
  const theirs = jobs.filter(({ provider, state }) => provider !== local && state !== 'failed')
  const places = placesOf(theirs)
  const far = places.map((wanted) =>
    Math.max(...theirs.filter(({ place }) => place === wanted).map(({ progress }) => progress)),
  )
  return far.reduce((sum, share) => sum + share, 0) / Math.max(1, far.length)
}

/** Whether somebody has still to be asked for it. */
function isOpen(jobs: readonly ProviderJob[], wanted: string): boolean {
  return !jobs.some((job) => job.place === wanted && (job.state === 'done' || isUnderWay(job)))
}

/** A job for whoever comes next in the list, at last the engine. */
function nextJob(
  run: Generation,
  tool: AnyTool,
  { place, data, files }: PreparedTask,
  tried: readonly ProviderJob[],
  candidates: ReadonlyMap<string, Provider[]>,
): WantedJob {
  const [name = ''] = place.split('/')
  const task = taskOf(tool, { place })
  if (!task) throw new Error(`${run.tool} does not declare ${name}`)
  const next = candidates
    .get(name)
    ?.find(
      ({ id, accepts }) => !tried.some(({ provider }) => provider === id) && accepts?.({ task, data, files }) !== false,
    )
  return { generationId: run.id, place, task, provider: next?.id ?? local }
}

/** The first jobs of all that was asked for at once, so that later attempts know all of it. */
function wantedJobs(
  run: Generation,
  tool: AnyTool,
  prepared: readonly PreparedTask[],
  known: readonly ProviderJob[],
  candidates: ReadonlyMap<string, Provider[]>,
): WantedJob[] {
  const fresh = prepared.filter(({ place }) => !known.some((job) => job.place === place))
  return fresh.map((request) => nextJob(run, tool, request, [], candidates))
}

/** Whether all that is open waits for a place that is taken: then nothing is prepared yet. */
async function mustWait(deps: RunDeps, known: readonly ProviderJob[], open: readonly string[]): Promise<boolean> {
  const { clock, providers } = deps
  for (const place of open) {
    const job = known.find((one) => one.place === place && one.state === 'wanted')
    const provider = providers.find(({ id }) => id === job?.provider)
    if (!job || !provider || isImpatient(job, clock())) return false
    if (!isTooEarly(job, clock()) && (!provider.seats || (await freeSeats(deps, provider)).length > 0)) return false
  }
  return true
}

const isImpatient = ({ createdAt }: ProviderJob, now: Date) => ageOf(createdAt, now) > seatPatience
/** Whether its provider was too busy, and told when to come: it is not sent before. */
const isTooEarly = ({ state, sentAt }: ProviderJob, now: Date) => state === 'wanted' && ageOf(sentAt, now) < 0
const ageOf = (moment: Date | null, now: Date) => (now.getTime() - (moment?.getTime() ?? 0)) / 1000

/** Sends a task to its provider; one that is still wanted waits for a place. */
async function submitJob(
  deps: RunDeps,
  job: ProviderJob,
  { files, data }: PreparedTask,
  signal: AbortSignal,
): Promise<ProviderJob> {
  const { db, clock, providers } = deps
  const { task } = job
  const provider = providers.find(({ id }) => id === job.provider)
  if (!provider) return failJob(deps, job, 'the provider is gone')
  if (isTooEarly(job, clock())) return job
  const sending = { state: 'asked', sent: job.sent + 1, sentAt: clock(), ...resultSize({ task, files, data }) } as const
  let asked: ProviderJob | undefined
  try {
    asked = await takeSeat(deps, provider, job, { ...sending, reference: crypto.randomUUID() })
  } catch (error) {
    if (error instanceof BudgetSpent) return failJob(deps, job, error)
    throw error
  }
  if (!asked) return isImpatient(job, clock()) ? failJob(deps, job, 'no place became free') : job
  let externalId: string | undefined
  try {
    const { reference, seat, smaller } = asked
    externalId = await provider.submit({ task, reference, seat, smaller, files, data }, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Refused) return failJob(deps, asked, error, 0)
    // It may have been heard all the same.
    externalId = await provider.find?.(asked).catch(() => undefined)
    if (!externalId && error instanceof NotSent) {
      const { after } = error
      if (after === undefined) return sendAgain(deps, asked, { reason: reasonOf(error) })
      if (isImpatient(job, clock())) return failJob(deps, asked, error, 0)
      // It was only told when to come.
      return moveJob(db, asked, {
        state: 'wanted',
        sent: job.sent,
        cost: null,
        sentAt: new Date(clock().getTime() + 1000 * after),
      })
    }
    if (!externalId) return provider.answerWait ? asked : failJob(deps, asked, error)
  }
  try {
    return await moveJob(db, asked, { state: 'waiting', externalId })
  } catch (error) {
    const [now] = await db.select().from(providerJobs).where(eq(providerJobs.id, job.id))
    if (now?.externalId === externalId) return now
    // Another attempt has given it up meanwhile.
    await provider.cancel({ ...asked, externalId }).catch(() => {})
    throw error
  }
}

/** Looks how a job is; `again` is there while it runs. */
async function followJob(
  deps: RunDeps,
  run: Generation,
  job: ProviderJob,
  { signal, onProgress }: Options,
): Promise<{ job: ProviderJob; again: number } | { job: ProviderJob }> {
  const { db, clock, providers } = deps
  const provider = providers.find(({ id }) => id === job.provider)
  if (!provider) return { job: await failJob(deps, job, 'the provider is gone') }
  try {
    const waiting = job.state === 'asked' ? await findJob(deps, provider, job) : job
    if (waiting.state === 'asked') return { job: waiting, again: unreachableWait }
    if (waiting.state !== 'waiting') return { job: waiting }
    const asked: AskedTask = { ...waiting, externalId: waiting.externalId ?? '' }
    const report = await provider.poll(asked, signal, (share) => onProgress?.('detecting', share))
    if (report.state === 'running') {
      if (ageOf(waiting.sentAt, clock()) > provider.timeLimit) {
        await provider.cancel(asked).catch(() => {})
        return { job: await failJob(deps, waiting, `not done after ${provider.timeLimit} s`) }
      }
      const { progress = waiting.progress, again } = report
      return { job: await moveJob(db, waiting, { state: 'waiting', progress }), again }
    }
    const ended = await endJob(deps, run, waiting, report)
    if (ended.state === 'done') await provider.forget?.(asked).catch(() => {})
    return { job: ended }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof EngineError) throw error
    const [now = job] = (await jobsOf(db, run.id)).filter(({ id }) => id === job.id)
    // Whoever cannot be reached may have done it: it is asked again, until its time is over.
    if (!isUnderWay(now)) return { job: now }
    if (ageOf(now.sentAt, clock()) > provider.timeLimit) return { job: await failJob(deps, now, error) }
    deps.log.warn({ provider: provider.id, task: job.task, reason: reasonOf(error) }, 'a provider does not answer')
    return { job: now, again: unreachableWait }
  }
}

/** Seconds until a provider is asked again that could not be reached. */
const unreachableWait = 10

/** Looks for a job whose id was lost on the way; nobody is asked twice who might charge twice. */
async function findJob(deps: RunDeps, provider: Provider, job: ProviderJob): Promise<ProviderJob> {
  if (!provider.find) {
    const mayCome = ageOf(job.sentAt, deps.clock()) < (provider.answerWait ?? 0)
    return mayCome ? job : failJob(deps, job, 'its answer was lost')
  }
  const externalId = await provider.find(job)
  if (externalId) return moveJob(deps.db, job, { state: 'waiting', externalId })
  return sendAgain(deps, job)
}

function sendAgain(
  deps: RunDeps,
  job: ProviderJob,
  { tooLarge = false, reason = 'lost' }: { tooLarge?: boolean | undefined; reason?: string } = {},
): Promise<ProviderJob> {
  if (tooLarge && job.smaller) return failJob(deps, job, 'too large for its memory, also when smaller', 0)
  if (job.sent >= maxSent) return failJob(deps, job, `${reason} ${job.sent} times`, 0)
  const again = { state: 'wanted', externalId: null, seat: null, cost: null, smaller: job.smaller || tooLarge } as const
  return moveJob(deps.db, job, again)
}

/** Keeps what came back, in one transaction with the job's end. */
async function endJob(
  deps: RunDeps,
  run: Generation,
  job: ProviderJob,
  report: Exclude<JobReport, { state: 'running' }>,
): Promise<ProviderJob> {
  if (report.state === 'lost') return sendAgain(deps, job, report)
  if (report.state === 'failed') return failJob(deps, job, report.reason, report.cost)
  refuseUnsafe(job.task, report.result)
  const { db, store, clock } = deps
  const now = clock()
  const outputs = outputsOf(job.place, report.result).map((file, position) => {
    return { role: 'task' as const, name: `${file.label.replaceAll('/', '-')}.${file.extension}`, position, file }
  })
  const files = await storeOutputs(deps, run.id, outputs, now)
  try {
    return await transact(db, async (tx) => {
      const ended = { state: 'done', cost: report.cost ?? null, progress: 1, endedAt: now } as const
      const done = await moveJob(tx, job, ended)
      await insertFiles(tx, run.userId, files, now)
      return done
    })
  } catch (error) {
    await store.delete(files.map(({ storageKey }) => storageKey)).catch(() => {})
    throw error
  }
}

/** The files of a result, labelled by the place of the task and the part. */
export function outputsOf(
  place: string,
  { files, data }: { files: readonly EngineOutput[]; data: object },
): EngineOutput[] {
  const pictures = files.map((file) => ({ ...file, label: `${place}/${file.label}` }))
  if (Object.keys(data).length === 0) return pictures
  const bytes = new TextEncoder().encode(JSON.stringify(data))
  const rest = { label: `${place}/`, contentType: 'application/json', extension: 'json', width: 0, height: 0, bytes }
  return [...pictures, rest]
}
