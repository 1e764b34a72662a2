import type { Deps } from '#server/deps.ts'
import { deleteOldInspections, inspectInputs } from './checks/inspect-inputs.ts'
import { deleteExpiredFiles } from './files/retention.ts'
import { deleteOldPreviews } from './previews/delete-old-previews.ts'
import { runPreview } from './previews/run-preview.ts'
import { rerender } from './rerendering/rerender.ts'
import { laneQueues, maxRunningPerUser, renderQueues, runLanes } from './runs/lanes.ts'
import { resendJobs } from './runs/resend-jobs.ts'
import { Cancelled, type RunDeps, runGeneration } from './runs/run-generation.ts'

/**
 * Takes generations from the queue for as long as the process lives, and repeats what has to be
 * tidied up: lost jobs, files past their time.
 */
export async function workGenerations(deps: Deps & RunDeps): Promise<void> {
  const { jobs, notifier, engine } = deps
  const running = new Map<string, AbortController>()
  notifier.subscribe((notification) => {
    if (notification.kind === 'cancel') running.get(notification.generationId)?.abort(new Cancelled())
  })

  for (const lane of runLanes) {
    const options = { concurrency: engine.lanes[lane], perOwner: maxRunningPerUser }
    await jobs.work(laneQueues[lane], options, async ({ generationId }, signal) => {
      const cancel = new AbortController()
      running.set(generationId, cancel)
      try {
        await runGeneration(deps, generationId, AbortSignal.any([signal, cancel.signal]))
      } finally {
        running.delete(generationId)
      }
    })
  }
  const { interactive } = engine.lanes
  for (const { queue, lane } of Object.values(renderQueues)) {
    await jobs.work(queue, engine.lanes[lane], (job, signal) => rerender(deps, job, signal))
  }
  await jobs.work('inspect-inputs', interactive, (job, signal) => inspectInputs(deps, job, signal))

  // One at a time, so that visitors never keep those who paid waiting.
  await jobs.work('make-preview', 1, (job, signal) => runPreview(deps, job, signal))

  await jobs.every('resend-generations', 5, () => resendJobs(deps))
  await jobs.every('delete-expired-files', 3600, async (signal) => {
    await deleteExpiredFiles(deps, signal)
  })
  await jobs.every('delete-old-inspections', 3600, () => deleteOldInspections(deps))
  await jobs.every('delete-old-previews', 3600, (signal) => deleteOldPreviews(deps, signal))
}
