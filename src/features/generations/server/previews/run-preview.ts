import { AppError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { findTool } from '#tools/contract/tool.ts'
import { withEngineInputs } from '../runs/engine-files.ts'
import { runAwaited } from '../runs/run-awaited.ts'
import type { RunDeps } from '../runs/run-generation.ts'
import { type MadePreview, previewKeys } from './preview-files.ts'

/** Seconds after which nobody waits for a preview any longer. */
export const previewSeconds = 60

/** Makes a visitor's preview in the worker. */
export function runPreview(deps: RunDeps, job: Jobs['make-preview'], signal: AbortSignal): Promise<void> {
  const { jobId, tool } = job
  return runAwaited(deps, { jobId, name: 'preview', about: { tool } }, signal, () => make(deps, job, signal))
}

async function make(
  { store, engine, tools }: RunDeps,
  { jobId, tool: id, params, inputs }: Jobs['make-preview'],
  signal: AbortSignal,
): Promise<void> {
  const tool = findTool(tools, id)
  if (!tool) throw new AppError('tool.unknown')
  const { outputs, warnings } = await withEngineInputs(store, tool, inputs, (files) =>
    engine.run(
      { step: 'preview', tool: id, params, inputs: files },
      { lane: 'pictures', signal, timeLimit: previewSeconds * 1000 },
    ),
  )
  for (const [index, { bytes, contentType }] of outputs.entries()) {
    await store.put(previewKeys.output(jobId, index), bytes, contentType)
  }
  const made: MadePreview = {
    outputs: outputs.map(({ label, contentType, width, height }) => ({ label, contentType, width, height })),
    warnings,
  }
  await store.put(previewKeys.made(jobId), Buffer.from(JSON.stringify(made)), 'application/json')
}
