import { appError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { findTool } from '#tools/contract/tool.ts'
import { answerJob } from '../runs/await-job.ts'
import { engineJob, type RunDeps } from '../runs/engine-job.ts'
import { type MadePreview, previewKeys } from './preview-files.ts'

/** Seconds after which nobody waits for a preview any longer. */
export const previewSeconds = 60

/** Makes a visitor's preview in the worker. */
export function runPreview(deps: RunDeps, job: Jobs['make-preview'], signal: AbortSignal) {
  return answerJob(deps, job, signal, async () => {
    const { jobId, params, inputs: files } = job
    const { store, tools } = deps
    const tool = findTool(tools, job.tool)
    if (!tool) throw appError('tool.unknown')
    const limits = { signal, seconds: previewSeconds }
    const { outputs, warnings } = await engineJob(deps, 'make-preview', { tool, params, files }, limits)
    for (const [index, { bytes }] of outputs.entries()) {
      await store.put(previewKeys.output(jobId, index), bytes)
    }
    const made: MadePreview = {
      outputs: outputs.map(({ label, contentType, width, height }) => ({ label, contentType, width, height })),
      warnings,
    }
    await store.put(previewKeys.made(jobId), Buffer.from(JSON.stringify(made)))
  })
}
