import { eq } from 'drizzle-orm'
import { EngineError } from '#engine/error.ts'
import { push } from '#features/push/server/push.ts'
import { webhooks } from '#features/webhooks/server/webhooks.ts'
import { isDatabaseOutage } from '#server/db/errors.ts'
import { transact } from '#server/db/transact.ts'
import { AppError } from '#server/http/app-error.ts'
import { recordRefusal } from '#server/moderation/account-limit.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { RefusalKind } from '#shared/moderation.ts'
import { addTime } from '#shared/time.ts'
import { type AnyTool, findTool } from '#tools/contract/tool.ts'
import { type EngineOutcome, type EngineRunOptions, EngineStalled } from '#tools/threads/task.ts'
import { finishedPhotoCheck } from '../checks/photo-check.ts'
import { resultName } from '../files/send-file.ts'
import { insertFiles, storeOutputs } from '../files/stored-files.ts'
import type { Generation, GenerationFile } from '../history/views.ts'
import { generationFiles, generations } from '../table.ts'
import { performTasks } from '../tasks/perform-tasks.ts'
import { type ProvidersUsed, providersUsed } from '../tasks/provider-jobs.ts'
import { generationInfoOf, problemsOf, refuseProblems } from './accept-request.ts'
import { isCurrentAttempt, maxAttempts, progressReporter, requeue, startAttempt, suspendAttempt } from './attempts.ts'
import { endGeneration, nextChange, rowsWithNotification } from './end-generation.ts'
import { type ExecutionDeps, engineJob, inputsOf } from './engine-job.ts'

export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

/**
 * Runs one attempt to a result, or to a failure with a refund. `signal` stops it with Cancelled;
 * with another reason the attempt rejects and its job is delivered again. `release` is called when
 * only storing is left.
 */
export async function runGeneration(
  deps: ExecutionDeps,
  id: string,
  signal: AbortSignal,
  release: () => void,
): Promise<void> {
  signal.throwIfAborted()
  const generation = await startAttempt(deps, id)
  if (!generation) return
  const progress = progressReporter(deps, generation)
  try {
    const tool = findTool(deps.tools, generation.tool)
    if (!tool) throw new EngineError('engine.failed', { cause: `there is no tool ${generation.tool} any more` })
    const files = await deps.db.select().from(generationFiles).where(eq(generationFiles.generationId, id))
    const watch = { signal, onProgress: progress.report }
    const { limits, ...job } = await requestOf(deps, tool, generation, files, watch)
    const others = await performTasks(deps, generation, job, limits)
    if ('seconds' in others) {
      await progress.settled()
      await suspendAttempt(deps, generation, others)
      return
    }
    const outcome = await engineJob(deps, generation.queue, { ...job, done: others.done }, limits)
    release()
    await progress.settled()
    await finish(deps, tool, generation, files, outcome)
  } catch (error) {
    await progress.settled()
    if (error instanceof Cancelled) return
    if (signal.aborted) {
      if (!(signal.reason instanceof Cancelled)) {
        await requeue(deps, generation, { counts: false })
        throw error
      }
      return
    }
    if (isOutage(error) && deps.clock() < addTime(generation.createdAt, { hours: outageHours })) {
      const waitUntil = addTime(deps.clock(), { seconds: outageWaitSeconds })
      await requeue(deps, generation, { counts: false, waitUntil })
      return
    }
    const code = failureOf(error)
    // A failure without a code does not concern the picture: the job is retried, and attempts
    // count.
    if (!code) {
      await requeue(deps, generation, { counts: true })
      throw error
    }
    if (isRetryable(code, error) && generation.attempts < maxAttempts) {
      deps.log.warn({ err: error, generationId: id, tool: generation.tool, code }, 'an attempt failed')
      const waitUntil = addTime(deps.clock(), { seconds: retrySeconds[generation.attempts - 1]! })
      await requeue(deps, generation, { counts: true, waitUntil })
      return
    }
    deps.log.warn({ err: error, generationId: id, tool: generation.tool, code }, 'generation failed')
    await transact(deps.db, async (tx) => {
      const end = { id, status: 'failed', errorCode: code, now: deps.clock(), attempt: generation.attempts } as const
      const kind = refusalKinds[code]
      const failed = await endGeneration(tx, end)
      if (!failed || !kind) return
      const { userId, tool, contentHash: content } = failed
      await recordRefusal(tx, deps, { userId, tool, kind, content })
    })
  }
}

/** Failures that count towards a limit of the account. */
const refusalKinds: Partial<Record<ErrorCode, RefusalKind>> = {
  'engine.unsafe_picture': 'picture',
  'engine.content_refused': 'provider',
}

/** An outage of storage or database is not the generation's fault. */
function isOutage(error: unknown): boolean {
  if (isDatabaseOutage(error)) return true
  const { code, cause } = error instanceof AppError ? error : {}
  return code === 'server.unavailable' && cause !== undefined && !(cause instanceof EngineError)
}
const outageWaitSeconds = 5
/** After the first and the second attempt: what failed them may be over by then. */
const retrySeconds = [10, 60]
/** Older generations count attempts even during an outage: the user has waited long enough. */
const outageHours = 1

/** Another attempt, or another machine, may succeed. */
const retryable = new Set<ErrorCode>(['engine.crashed', 'storage.full'])

/**
 * The generation's own timeout would be reached again; a slow check or a stalled network may
 * recover.
 */
const isRetryable = (code: ErrorCode, error: unknown) =>
  retryable.has(code) || error instanceof EngineStalled || (error instanceof AppError && error.code === 'server.busy')

/** Waits for the free check and its findings first. */
async function requestOf(
  deps: ExecutionDeps,
  tool: AnyTool,
  generation: Generation,
  files: GenerationFile[],
  watch: { signal: AbortSignal; onProgress: EngineRunOptions['onProgress'] },
) {
  const given = inputsOf(files)
  const { contentHash, params, test } = generation
  if (generation.awaitedCheck) {
    const check = { jobId: generation.id, tool, params, files: given, contentHash: generation.awaitedCheck }
    const photoCheck = await finishedPhotoCheck(deps, check, watch.signal)
    refuseProblems(problemsOf(tool, params, { ...generationInfoOf(tool, given), ...(photoCheck && { photoCheck }) }))
  }
  const limits = { ...watch, seconds: tool.timeLimit(generationInfoOf(tool, given)) }
  return { tool, files: given, params, contentHash, test, limits }
}

/**
 * Stores the result, then records it in one transaction. The result of a cancelled generation or an
 * overtaken attempt is deleted.
 */
async function finish(
  deps: ExecutionDeps,
  tool: AnyTool,
  generation: Generation,
  files: GenerationFile[],
  outcome: EngineOutcome,
): Promise<void> {
  const { db, store, clock } = deps
  const now = clock()
  const usedProviders = await providersUsed(db, generation.id, outcome.rejected ?? [])
  const made = await storeOutputs(deps, generation.id, outputsOf(tool, files, outcome), now)
  const accepted = await transact(db, async (tx) => {
    const [row] = await tx
      .update(generations)
      .set({
        status: 'succeeded',
        progress: 1,
        ...recordedOf(outcome, usedProviders),
        finishedAt: now,
        change: nextChange,
      })
      .where(isCurrentAttempt(generation))
      .returning({ notified: rowsWithNotification.notified })
    if (!row) return false
    await insertFiles(tx, generation.userId, made, now)
    for (const { id, label, position } of files.filter(({ role }) => role === 'input')) {
      const size = outcome.inputSizes[label]?.[position]
      if (size) await tx.update(generationFiles).set(size).where(eq(generationFiles.id, id))
    }
    const ended = { userId: generation.userId, subjectId: generation.id, now }
    await push.enqueue(tx, { kind: 'result_ready', ...ended })
    await webhooks.enqueue(tx, { kind: 'generation.succeeded', ...ended })
    return true
  })
  if (!accepted) await store.delete(made.map((file) => file.storageKey))
}

function recordedOf({ warnings, facts }: EngineOutcome, usedProviders: ProvidersUsed) {
  return {
    ...usedProviders,
    facts,
    warnings: usedProviders.fallbackFrom ? [...warnings, 'provider_fallback' as const] : warnings,
  }
}

export function outputsOf(
  tool: AnyTool,
  files: GenerationFile[],
  { outputs, thumbnail, kept }: EngineOutcome,
): Parameters<typeof storeOutputs>[2] {
  const inputs = files.filter(({ role }) => role === 'input')
  const [first = ''] = Object.keys(tool.inputs)
  const source = (inputs.find(({ label, position }) => label === first && position === 0) ?? inputs[0])?.name
  return [
    ...outputs.map((file, position) => ({
      role: 'output' as const,
      name: resultName(source, tool.id, file.extension, position),
      position,
      file,
    })),
    ...(thumbnail
      ? [{ role: 'thumbnail' as const, name: `thumbnail.${thumbnail.extension}`, position: 0, file: thumbnail }]
      : []),
    ...kept.map((file, position) => ({
      role: 'kept' as const,
      name: `${file.label}.${file.extension}`,
      position,
      file,
    })),
  ]
}

/**
 * Returns undefined when the generation itself did not fail. Waiting for the check wraps the
 * engine's error.
 */
function failureOf(error: unknown): ErrorCode | undefined {
  if (error instanceof EngineError) return error.code === 'server.unavailable' ? undefined : error.code
  if (!(error instanceof AppError)) return undefined
  if (error.code === 'server.unavailable' || error.code === 'server.busy') return failureOf(error.cause)
  return error.code === 'file.not_found' ? 'engine.failed' : error.code
}
