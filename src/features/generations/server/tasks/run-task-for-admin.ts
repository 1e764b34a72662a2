import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'
import { type JobReport, NotSent, type Provider, Refused } from '#providers/provider.ts'
import { resultSize } from '#providers/result-size.ts'
import type { Deps } from '#server/deps.ts'
import { addJobs, failJob, moveJob, wakeNextWaiting } from './provider-jobs.ts'
import { runTaskAtProvider } from './run-task-now.ts'
import { BudgetExhausted, takeSlot } from './slots.ts'

/** The task counts towards the provider's budget, and uses a slot like a generation's task. */
export async function runTaskForAdmin(
  deps: Pick<Deps, 'db' | 'clock' | 'log' | 'jobs'>,
  provider: Provider,
  { task, work }: { task: TaskName; work: EncodedTask },
  signal: AbortSignal,
): Promise<Extract<JobReport, { state: 'done' }>> {
  const { db, clock } = deps
  const [wanted] = await addJobs(deps, [{ generationId: null, taskKey: '', task, provider: provider.id }])
  if (!wanted) throw new Error('could not insert the provider job')
  const sending = { state: 'asked', sent: 1, sentAt: clock(), ...resultSize({ task, ...work }) } as const
  let job = wanted
  try {
    const asked = await takeSlot(deps, provider, wanted, { ...sending, reference: crypto.randomUUID() })
    if (!asked) throw new NotSent('all its slots are taken')
    job = asked
    const report = await runTaskAtProvider(provider, { task, work, kept: asked }, signal)
    await moveJob(db, asked, { state: 'done', cost: report.cost ?? null, progress: 1, endedAt: clock() })
    return report
  } catch (error) {
    const isFree = [NotSent, Refused, BudgetExhausted].some((kind) => error instanceof kind)
    await failJob(deps, job, error, isFree ? 0 : undefined)
    throw error
  } finally {
    if (job.slot) await wakeNextWaiting(deps)
  }
}
