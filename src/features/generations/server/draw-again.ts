import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import { EngineError } from '#engine/error.ts'
import { transact } from '#server/db/transact.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { publish } from '#server/notify.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { nextChange } from './end-generation.ts'
import { engineFiles, outputsOf, type RunDeps } from './run-generation.ts'
import { storeOutputs } from './stored-files.ts'
import { generationFiles, generations } from './table.ts'
import type { GenerationFile } from './views.ts'

/** Does the work of `renderGeneration` in the worker, and tells whoever waits how it went. */
export async function drawAgain(deps: RunDeps, job: Jobs['render-generation'], signal: AbortSignal): Promise<void> {
  let error: ErrorCode | null = null
  try {
    await draw(deps, job, signal)
  } catch (failure) {
    // The job comes again, in another process if need be.
    if (signal.aborted) throw failure
    error = failure instanceof EngineError || failure instanceof AppError ? failure.code : 'engine.failed'
    deps.log.warn({ err: failure, generationId: job.generationId, code: error }, 'rendering failed')
    await deps.store.delete(job.extras.map(({ storageKey }) => storageKey)).catch(() => {})
  }
  await publish(deps.db, { kind: 'rendered', renderId: job.renderId, error })
}

async function draw(
  deps: RunDeps,
  { generationId, params, extras }: Jobs['render-generation'],
  signal: AbortSignal,
): Promise<void> {
  const { db, store, engine, clock } = deps
  const [run] = await db.select().from(generations).where(eq(generations.id, generationId))
  if (run?.status !== 'succeeded' || run.deletedAt) throw new AppError('generation.not_renderable')
  const stored = await db.select().from(generationFiles).where(eq(generationFiles.generationId, generationId))
  const fresh = extras.map((file): GenerationFile => ({ ...file, createdAt: new Date(file.createdAt) }))
  const replaced = new Set(fresh.map(({ label }) => label))
  const inUse = stored.filter(({ role, label }) => role === 'extra' && !replaced.has(label))

  const outcome = await engine.run(
    {
      tool: run.tool,
      params,
      sources: await engineFiles(store, stored, 'input'),
      extras: await engineFiles(store, [...inUse, ...fresh], 'extra'),
      kept: await engineFiles(store, stored, 'kept'),
    },
    { signal, timeLimit: toolContracts[run.tool as ToolId].timeLimit * 1000 },
  )

  const now = clock()
  const made = await storeOutputs(store, generationId, outputsOf(run, stored, { ...outcome, kept: [] }), now)
  const gone = await transact(db, async (tx) => {
    const [row] = await tx
      .update(generations)
      .set({ params, change: nextChange })
      .where(and(eq(generations.id, generationId), eq(generations.status, 'succeeded'), isNull(generations.deletedAt)))
      .returning()
    if (!row) return undefined
    const before = await tx.select().from(generationFiles).where(eq(generationFiles.generationId, generationId))
    const old = before.filter(
      ({ role, label }) => role === 'output' || role === 'thumbnail' || (role === 'extra' && replaced.has(label)),
    )
    if (old.length > 0) {
      await tx.delete(generationFiles).where(
        inArray(
          generationFiles.id,
          old.map(({ id }) => id),
        ),
      )
    }
    await tx.insert(generationFiles).values([...made, ...fresh])
    await publish(tx, { kind: 'generation', userId: row.userId, generationId, change: row.change })
    return old
  })
  if (!gone) {
    await store.delete(made.map((file) => file.storageKey))
    throw new AppError('generation.not_renderable')
  }
  await store.delete(gone.map((file) => file.storageKey))
}
