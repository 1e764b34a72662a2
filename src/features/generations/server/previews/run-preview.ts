import type { ErrorCode } from '#contract/errors.ts'
import { EngineError } from '#engine/error.ts'
import { AppError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { publish } from '#server/notify.ts'
import { findTool } from '#tools/tool.ts'
import { withEngineInputs } from '../engine-files.ts'
import type { RunDeps } from '../run-generation.ts'
import { type MadePreview, previewKeys } from './preview-files.ts'

/** Seconds after which nobody waits for a preview any longer. */
export const previewSeconds = 60

/** Makes a visitor's preview in the worker and tells whoever waits how it went. */
export async function runPreview(deps: RunDeps, job: Jobs['make-preview'], signal: AbortSignal): Promise<void> {
  let error: ErrorCode | null = null
  try {
    await make(deps, job, signal)
  } catch (failure) {
    // The job comes again, in another process if need be.
    if (signal.aborted) throw failure
    error = failure instanceof EngineError || failure instanceof AppError ? failure.code : 'engine.failed'
    deps.log.warn({ err: failure, tool: job.tool, code: error }, 'preview failed')
  }
  await publish(deps.db, { kind: 'job_done', jobId: job.jobId, error })
}

async function make(
  { store, engine, tools }: RunDeps,
  { jobId, tool: id, params, inputs }: Jobs['make-preview'],
  signal: AbortSignal,
): Promise<void> {
  const tool = findTool(tools, id)
  if (!tool) throw new AppError('tool.unknown')
  const { outputs, warnings, facts } = await withEngineInputs(store, tool, inputs, (files) =>
    engine.run(
      { step: 'generate', tool: id, params, inputs: files },
      { lane: 'pictures', signal, timeLimit: previewSeconds * 1000 },
    ),
  )
  for (const [index, { bytes, contentType }] of outputs.entries()) {
    await store.put(previewKeys.output(jobId, index), bytes, contentType)
  }
  const made: MadePreview = {
    outputs: outputs.map(({ label, contentType, width, height }) => ({ label, contentType, width, height })),
    warnings,
    facts,
  }
  await store.put(previewKeys.made(jobId), Buffer.from(JSON.stringify(made)), 'application/json')
}
