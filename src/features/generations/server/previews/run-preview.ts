import { appError } from '#server/http/app-error.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import { findTool } from '#tools/contract/tool.ts'
import { runAwaitedJob } from '../runs/await-job.ts'
import { engineJob, type RunDeps } from '../runs/engine-job.ts'
import { runTasksAtProvider } from '../tasks/compare-providers.ts'
import { type MadePreview, previewKeys } from './preview-files.ts'

export const previewSeconds = 60

export function runPreview(deps: RunDeps, job: Jobs['make-preview'], signal: AbortSignal) {
  return runAwaitedJob(deps, job, signal, async () => {
    const { jobId, params, inputs: files, provider } = job
    const { store, tools } = deps
    const tool = findTool(tools, job.tool)
    if (!tool) throw appError('tool.unknown')
    const limits = { signal, seconds: previewSeconds }
    const started = performance.now()
    const given = { tool, params, files }
    const compared = provider ? await runTasksAtProvider(deps, { provider, jobId }, given, limits) : { done: [] }
    const { outputs, warnings } =
      'failed' in compared
        ? { outputs: [], warnings: [] }
        : await engineJob(deps, 'make-preview', { ...given, ...compared, compared: provider !== undefined }, limits)
    for (const [index, { bytes }] of outputs.entries()) {
      await store.put(previewKeys.output(jobId, index), bytes)
    }
    const made: MadePreview = {
      outputs: outputs.map(({ label, contentType, width, height }) => ({ label, contentType, width, height })),
      warnings,
      seconds: (performance.now() - started) / 1000,
      ...('failed' in compared && { failed: compared.failed }),
    }
    await store.put(previewKeys.made(jobId), Buffer.from(JSON.stringify(made)))
  })
}
