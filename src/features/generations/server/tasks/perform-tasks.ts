import { engineProviderId, type Provider } from '#providers/provider.ts'
import type { AnyTool } from '#tools/contract/tool.ts'
import type { PreparedTask } from '#tools/threads/task.ts'
import { type EngineJob, type ExecutionDeps, type Options, prepareJob } from '../execution/engine-job.ts'
import type { Generation, GenerationFile } from '../history/views.ts'
import { ageOf, followJob, hasExceededSlotWait, isBeforeRetryTime, submitJob } from './follow-job.ts'
import {
  addJobs,
  failJob,
  isUnderWay,
  jobsOf,
  type ProviderJob,
  progressOf,
  taskFiles,
  taskKeysOf,
  type WantedJob,
  wakeNextWaiting,
} from './provider-jobs.ts'
import { providersFor } from './provider-order.ts'
import { freeSlots } from './provider-slots.ts'
import { endIfRefused, refuseUnchecked } from './refuse-unsafe.ts'
import { requireNeededTasks, usableProviders } from './usable-providers.ts'

/** The providers are polled again after so many seconds. */
export interface Waiting {
  seconds: number
  /** 0 to 1. */
  progress: number
}

export interface Performed {
  done: GenerationFile[]
}

/** Seconds between polls if the provider names no interval. */
const minPollSeconds = 2
/** Seconds; a job that frees a slot also wakes the next generation. */
const slotRetrySeconds = 10

/**
 * Tries the providers of each task in order, and returns once no job is awaited; the engine does
 * the rest. Every state is written before a provider is contacted, so the function may be restarted
 * at any time.
 */
export async function performTasks(
  deps: ExecutionDeps,
  generation: Generation,
  job: EngineJob,
  limits: Options,
): Promise<Waiting | Performed> {
  const { tool } = job
  const byEngine = { done: [] }
  if (generation.test) return byEngine
  const candidates = await usableProviders(deps, generation.userId, await providersFor(deps, tool))
  const signal = limits.signal
  const before = await jobsOf(deps.db, generation.id)
  endIfRefused(before)
  if (before.length === 0 && [...candidates.values()].every((list) => list.length === 0)) {
    return byEngine
  }

  /** Seconds until the next poll of each awaited job. */
  const waits: number[] = []
  const follow = async (asked: ProviderJob) => {
    const followed = await followJob(deps, generation, asked, limits)
    if ('again' in followed) waits.push(followed.again)
    if (asked.slot) await leave({ ...followed.job, slot: asked.slot })
    endIfRefused([followed.job])
    return followed.job
  }
  const waitOf = (job: ProviderJob) => {
    return isBeforeRetryTime(job, deps.clock()) ? -ageOf(job.sentAt, deps.clock()) : slotRetrySeconds
  }
  /** The user or an admin has forbidden external providers since. */
  const isForbidden = ({ provider: id, taskKey }: ProviderJob) => {
    const provider = deps.providers.find((known) => known.id === id)
    return provider?.remote && !candidates.get(taskKey.split('/')[0] as string)?.includes(provider)
  }
  const leave = async (job: ProviderJob) => {
    if (job.slot && !isUnderWay(job)) await wakeNextWaiting(deps)
  }
  const known: ProviderJob[] = []
  for (const asked of before) known.push(isUnderWay(asked) ? await follow(asked) : asked)

  const open = taskKeysOf(known).filter((taskKey) => isOpen(known, taskKey))
  if (open.length > 0 && (await waitsForSlots(deps, known, open))) {
    waits.push(Math.min(...known.map(waitOf)))
  } else if (known.length === 0 || open.length > 0) {
    const prepared = await prepareJob(deps, generation.queue, job, limits)
    const wanted = wantedJobs(generation, tool, prepared, known, candidates)
    await addJobs(deps, wanted)
    for (const request of safetyFirst(tool, prepared)) {
      await ask(request)
      // The safety check has not decided yet if the picture may be used.
      if (waits.length > 0 && taskOf(tool, request) === 'safety') break
    }
  }
  if (waits.length === 0) {
    requireNeededTasks(tool, generation.params, await jobsOf(deps.db, generation.id))
    return { done: await taskFiles(deps.db, generation.id) }
  }
  return {
    seconds: Math.max(minPollSeconds, Math.min(...waits)),
    progress: progressOf(await jobsOf(deps.db, generation.id)),
  }

  async function ask(request: PreparedTask): Promise<void> {
    for (;;) {
      const all = await jobsOf(deps.db, generation.id)
      // Another process may have stored a refusal since this attempt began.
      endIfRefused(all)
      const its = all.filter(({ taskKey }) => taskKey === request.taskKey)
      const next = its.find(({ state }) => state === 'wanted')
      if (next && isForbidden(next)) await failJob(deps, next, 'it may not be asked any more')
      else if (next) {
        const sent = await submitJob(deps, next, request, signal)
        endIfRefused([sent])
        if (sent.state === 'wanted') return void waits.push(waitOf(sent))
        if (isUnderWay(sent)) await follow(sent)
        else await leave(sent)
      } else if (its.some((one) => one.state === 'done' || isUnderWay(one))) return
      else {
        const job = nextJob(generation, tool, request, its, candidates)
        if (job.provider === engineProviderId) refuseUnchecked(job.task)
        await addJobs(deps, [job])
      }
    }
  }
}

const taskOf = ({ tasks }: AnyTool, { taskKey }: Pick<PreparedTask, 'taskKey'>) =>
  tasks[taskKey.split('/')[0] as string]
const safetyFirst = (tool: AnyTool, prepared: readonly PreparedTask[]) => {
  const isSafety = (request: PreparedTask) => taskOf(tool, request) === 'safety'
  return [...prepared.filter(isSafety), ...prepared.filter((request) => !isSafety(request))]
}

function isOpen(jobs: readonly ProviderJob[], wanted: string): boolean {
  return !jobs.some((job) => job.taskKey === wanted && (job.state === 'done' || isUnderWay(job)))
}

/** Tries the next provider in the list, finally the engine. */
function nextJob(
  generation: Generation,
  tool: AnyTool,
  { taskKey, data, files }: PreparedTask,
  tried: readonly ProviderJob[],
  candidates: ReadonlyMap<string, Provider[]>,
): WantedJob {
  const [name = ''] = taskKey.split('/')
  const task = taskOf(tool, { taskKey })
  if (!task) throw new Error(`${generation.tool} does not declare ${name}`)
  const next = candidates
    .get(name)
    ?.find(
      ({ id, accepts }) => !tried.some(({ provider }) => provider === id) && accepts?.({ task, data, files }) !== false,
    )
  return { generationId: generation.id, taskKey, task, provider: next?.id ?? engineProviderId }
}

/** Writes the first jobs of all tasks at once, so that later attempts know every task. */
function wantedJobs(
  generation: Generation,
  tool: AnyTool,
  prepared: readonly PreparedTask[],
  known: readonly ProviderJob[],
  candidates: ReadonlyMap<string, Provider[]>,
): WantedJob[] {
  const fresh = prepared.filter(({ taskKey }) => !known.some((job) => job.taskKey === taskKey))
  return fresh.map((request) => nextJob(generation, tool, request, [], candidates))
}

/** While all open tasks wait for occupied slots, no inputs are prepared. */
async function waitsForSlots(
  deps: ExecutionDeps,
  known: readonly ProviderJob[],
  open: readonly string[],
): Promise<boolean> {
  const { clock, providers } = deps
  for (const taskKey of open) {
    const job = known.find((one) => one.taskKey === taskKey && one.state === 'wanted')
    const provider = providers.find(({ id }) => id === job?.provider)
    if (!job || !provider || hasExceededSlotWait(job, clock())) return false
    if (!isBeforeRetryTime(job, clock()) && (!provider.slots || (await freeSlots(deps, provider, job)).length > 0))
      return false
  }
  return true
}
