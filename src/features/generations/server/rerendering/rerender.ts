import { and, eq, inArray, isNull, lt } from 'drizzle-orm'
import { isDatabaseOutage } from '#server/db/errors.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { findTool, isVideoTool } from '#tools/contract/tool.ts'
import { generationInfoOf } from '../execution/accept-request.ts'
import { rerenderReporter } from '../execution/attempts.ts'
import { runAwaitedJob } from '../execution/await-job.ts'
import { nextChange, rowsWithNotification } from '../execution/end-generation.ts'
import { type ExecutionDeps, engineJob, inputsOf } from '../execution/engine-job.ts'
import { outputsOf } from '../execution/run-generation.ts'
import { deleteFiles, insertFiles, storeOutputs } from '../files/stored-files.ts'
import type { GenerationFile } from '../history/views.ts'
import { type Rerendering, renderQueueOf } from '../queues.ts'
import { generationFiles, generations } from '../table.ts'
import { filesBeforeReplacement, findRendering, keepRendering } from './renderings.ts'

/**
 * A failure leaves the earlier outputs. A job delivered again after its commit finds its inputs
 * stored, and renders anew.
 */
export function rerender(deps: ExecutionDeps, job: Rerendering, signal: AbortSignal) {
  const { jobId, generationId } = job
  return runAwaitedJob(deps, { jobId, generationId }, signal, async () => {
    try {
      await replaceOutputs(deps, job, signal)
    } catch (failure) {
      // The transaction may have been committed, so the inputs must stay.
      if (signal.aborted || isDatabaseOutage(failure)) throw failure
      const unused = freshInputs(job, await filesOf(deps, generationId))
      await deps.store.delete(unused.map(({ storageKey }) => storageKey)).catch(() => {})
      const whole = { progress: 1, change: nextChange }
      await deps.db.update(generations).set(whole).where(isHalfRendered(generationId))
      throw failure
    }
  })
}

const filesOf = ({ db }: Pick<ExecutionDeps, 'db'>, id: string) =>
  db.select().from(generationFiles).where(eq(generationFiles.generationId, id))

/** Inputs that no earlier attempt has stored. */
function freshInputs({ inputs }: Rerendering, stored: readonly GenerationFile[]): GenerationFile[] {
  const unstored = inputs.filter(({ id }) => !stored.some((file) => file.id === id))
  return unstored.map((file) => ({ ...file, createdAt: new Date(file.createdAt) }))
}

function isHalfRendered(id: string) {
  return and(eq(generations.id, id), eq(generations.status, 'succeeded'), lt(generations.progress, 1))
}

async function replaceOutputs(deps: ExecutionDeps, job: Rerendering, signal: AbortSignal): Promise<void> {
  const { generationId, params, position } = job
  const { db, store, clock, tools } = deps
  const [generation] = await db.select().from(generations).where(eq(generations.id, generationId))
  const tool = generation && findTool(tools, generation.tool)
  if (generation?.status !== 'succeeded' || generation.deletedAt || !tool) throw appError('generation.not_renderable')
  const stored = await filesOf(deps, generationId)
  const fresh = freshInputs(job, stored)
  const isReplaced = ({ role, label }: GenerationFile) => role === 'input' && fresh.some((file) => file.label === label)
  const earlier = position === undefined ? undefined : await findRendering(db, generationId, position)
  const shown = earlier ? filesBeforeReplacement(tool, stored, earlier.files) : stored
  const files = [...shown.filter((file) => !isReplaced(file)), ...fresh]

  const given = inputsOf(files)
  // A picture is finished before its progress could be read.
  const progress = isVideoTool(tool) ? rerenderReporter(deps, generation) : undefined
  const limits = { signal, seconds: tool.timeLimit(generationInfoOf(tool, given)), onProgress: progress?.report }
  const [kept, done] = [stored.filter(({ role }) => role === 'kept'), stored.filter(({ role }) => role === 'task')]
  const outcome = await engineJob(
    deps,
    renderQueueOf(tool),
    { tool, params, files: given, kept, done, test: generation.test },
    limits,
  ).finally(() => progress?.settled())

  // The engine's rendering does not change the provider that is shown.
  const warnings = generation.fallbackFrom ? [...outcome.warnings, 'provider_fallback' as const] : outcome.warnings
  const now = clock()
  const made = await storeOutputs(deps, generationId, outputsOf(tool, files, { ...outcome, kept: [] }), now)
  const gone = await transact(db, async (tx) => {
    const [held] = await tx
      .select()
      .from(generations)
      .where(and(eq(generations.id, generationId), eq(generations.status, 'succeeded'), isNull(generations.deletedAt)))
      .for('update')
    if (!held) return undefined
    const before = await tx.select().from(generationFiles).where(eq(generationFiles.generationId, generationId))
    // The result was refunded or has expired meanwhile, and must not come back.
    if (!before.some(({ role }) => role === 'output')) return undefined
    const next = { params, files: given.map(({ id }) => id), position }
    const { keys: unneeded, ...kept } = await keepRendering(tx, { tool, shown: held, stored: before, next, now })
    const [row] = await tx
      .update(generations)
      .set({ params, warnings, facts: outcome.facts, progress: 1, change: nextChange, ...kept })
      .where(eq(generations.id, generationId))
      .returning(rowsWithNotification)
    if (!row) return undefined
    const replaced = ['output', 'thumbnail', 'link_picture']
    const oldIds = before.filter(({ role }) => replaced.includes(role)).map(({ id }) => id)
    const keys = await deleteFiles(tx, inArray(generationFiles.id, oldIds), now)
    await insertFiles(tx, row.userId, [...made, ...fresh], now)
    return [...keys, ...unneeded]
  })
  if (!gone) {
    await store.delete(made.map((file) => file.storageKey))
    throw appError('generation.not_renderable')
  }
  await store.delete(gone)
}
