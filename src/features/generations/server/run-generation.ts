import { eq } from 'drizzle-orm'
import type { ErrorCode } from '#contract/errors.ts'
import { EngineError } from '#engine/error.ts'
import type { EnginePool } from '#engine/node/pool.ts'
import type { EngineFile, EngineOutcome } from '#engine/node/task.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError } from '#server/http/app-error.ts'
import { publish } from '#server/notify.ts'
import { type ToolId, toolContracts } from '#tools/contracts.ts'
import { claimGeneration, giveBack, mine, mostAttempts } from './claim-generation.ts'
import { endGeneration, nextChange } from './end-generation.ts'
import { progressReporter } from './report-progress.ts'
import { storeOutputs } from './stored-files.ts'
import { generationFiles, generations } from './table.ts'
import { resultName } from './uploads/file-name.ts'
import type { Generation, GenerationFile } from './views.ts'

export type RunDeps = Pick<Deps, 'db' | 'store' | 'clock' | 'log'> & { engine: EnginePool }

/** The reason with which a run is stopped when its person has cancelled it. */
export class Cancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'Cancelled'
  }
}

/**
 * Runs one attempt of a generation to its end: a result, or a failure with the credits given back. `signal` stops it with Cancelled, or with another
 * reason to put it back into the queue; then it rejects, so that the job comes again.
 */
export async function runGeneration(deps: RunDeps, id: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const run = await claimGeneration(deps, id)
  if (!run) return
  const progress = progressReporter(deps, run)
  try {
    const files = await deps.db.select().from(generationFiles).where(eq(generationFiles.generationId, id))
    const outcome = await compute(deps, run, files, signal, progress.report)
    await progress.settled()
    await finish(deps, run, files, outcome)
  } catch (error) {
    await progress.settled()
    if (error instanceof Cancelled) return
    if (signal.aborted) {
      if (!(signal.reason instanceof Cancelled)) {
        await giveBack(deps, run, { counts: false })
        throw error
      }
      return
    }
    const code = failureOf(error)
    // Not about this picture (the database was away, say): the job comes again, and attempts are counted.
    if (!code || (code === 'engine.crashed' && run.attempts < mostAttempts)) {
      await giveBack(deps, run, { counts: true })
      throw error
    }
    deps.log.warn({ err: error, generationId: id, tool: run.tool, code }, 'generation failed')
    await transact(deps.db, (tx) =>
      endGeneration(tx, { id, status: 'failed', errorCode: code, now: deps.clock(), attempt: run.attempts }),
    )
  }
}

async function compute(
  { engine, store }: RunDeps,
  run: Generation,
  files: GenerationFile[],
  signal: AbortSignal,
  onProgress: (phase: 'detecting' | 'generating', fraction: number) => void,
): Promise<EngineOutcome> {
  const tool = toolContracts[run.tool as ToolId]
  if (!tool) throw new EngineError('engine.failed', { cause: `there is no tool ${run.tool} any more` })
  return engine.run(
    {
      tool: run.tool,
      params: run.params,
      sources: await engineFiles(store, files, 'input'),
      extras: await engineFiles(store, files, 'extra'),
    },
    { signal, timeLimit: tool.timeLimit * 1000, onProgress },
  )
}

/** The stored files of a role as the engine takes them. */
export async function engineFiles(
  store: Deps['store'],
  files: GenerationFile[],
  role: GenerationFile['role'],
): Promise<EngineFile[]> {
  const wanted = files.filter((file) => file.role === role).sort((a, b) => a.position - b.position)
  return Promise.all(
    wanted.map(async ({ label, contentType, storageKey }) => ({
      label,
      contentType,
      bytes: await store.get(storageKey),
    })),
  )
}

/** Stores the result, then says so in one transaction; a result that comes too late (cancelled, overtaken) is thrown away. */
async function finish(deps: RunDeps, run: Generation, files: GenerationFile[], outcome: EngineOutcome): Promise<void> {
  const { db, store, clock } = deps
  const now = clock()
  const made = await storeOutputs(store, run.id, outputsOf(run, files, outcome), now)
  const accepted = await transact(db, async (tx) => {
    const [row] = await tx
      .update(generations)
      .set({ status: 'succeeded', progress: 1, warnings: outcome.warnings, finishedAt: now, change: nextChange })
      .where(mine(run))
      .returning()
    if (!row) return false
    await tx.insert(generationFiles).values(made)
    for (const { id, position } of files.filter(({ role }) => role === 'input')) {
      const size = outcome.sourceSizes[position]
      if (size) await tx.update(generationFiles).set(size).where(eq(generationFiles.id, id))
    }
    await publish(tx, { kind: 'generation', userId: run.userId, generationId: run.id, change: row.change })
    return true
  })
  if (!accepted) await store.delete(made.map((file) => file.storageKey))
}

/** What of an outcome is stored, and under which names. */
export function outputsOf(
  run: Pick<Generation, 'tool'>,
  files: GenerationFile[],
  { outputs, thumbnail, kept }: EngineOutcome,
): Parameters<typeof storeOutputs>[2] {
  const source = files.find(({ role, position }) => role === 'input' && position === 0)?.name
  return [
    ...outputs.map((file, position) => ({
      role: 'output' as const,
      name: resultName(source, run.tool, file.contentType, position),
      position,
      file,
    })),
    {
      role: 'thumbnail' as const,
      name: resultName(source, 'thumbnail', thumbnail.contentType),
      position: 0,
      file: thumbnail,
    },
    ...kept.map((file, position) => ({
      role: 'kept' as const,
      name: resultName(source, file.label, file.contentType),
      position,
      file,
    })),
  ]
}

/** What people are told of a failure of this run; undefined when it was not the run that failed. */
function failureOf(error: unknown): ErrorCode | undefined {
  if (error instanceof EngineError) return error.code === 'server.unavailable' ? undefined : error.code
  if (error instanceof AppError) return error.code === 'file.not_found' ? 'engine.failed' : error.code
  return undefined
}
